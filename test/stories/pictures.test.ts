/** Charts as pictures in a real terminal: which bytes it is sent, and when. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { showProgram } from "./shown-program.ts";
import { until } from "../until.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-pictures-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  const run = "suite: appbench\nsplit: ss\ndata: sample\nmodel: builtin/slips\n";
  const analysis = "pane: efficiency\nof: [main]\ntime: on\n";
  writeFileSync(
    join(folder, "sessions/mine/session.md"),
    `A thought\n\n\`\`\`run main\n${run}\`\`\`\n\n\`\`\`analysis effort\n${analysis}\`\`\`\n`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The output so far, with signs for the two control characters of the sequences. */
const bytesOf = ({ written }: PseudoTerminal) => written().replaceAll("\x1b", "␛").replaceAll("\x07", "␇");

/** Runs the cell and opens the analysis at its last figure, tokens over time. */
async function openChart(pictures?: "off" | "kitty" | "iterm"): Promise<PseudoTerminal> {
  mkdirSync(join(folder, "settings"), { recursive: true });
  writeFileSync(join(folder, "settings/settings.json"), JSON.stringify(pictures === undefined ? {} : { pictures }));
  const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 40 });
  await screen.waitFor(/▌ A thought[\s\S]*0\/7/);
  screen.type("jr");
  await screen.waitFor(/Done: \d of 7 right/);
  screen.type("j");
  await screen.waitFor(/▌ analysis effort/);
  screen.type("\r");
  await screen.waitFor(/1 of 4/);
  screen.type("\x1b[Z");
  await screen.waitFor(/4 of 4/);
  return screen;
}

const sent = (screen: PseudoTerminal) =>
  [...bytesOf(screen).matchAll(/␛_G(?:a=T,)?(?:f=100,q=2,C=1,i=(\d+),c=(\d+),r=(\d+),)?m=([01]);([\w+/=]*)␛\\/g)].map(
    ([, id, columns, rows, more, data]) => ({ id, columns: Number(columns), rows: Number(rows), more, data: data! }),
  );
const removed = (screen: PseudoTerminal) =>
  [...bytesOf(screen).matchAll(/␛_Ga=d,d=I,i=(\d+),q=2␛\\/g)].map(([, id]) => id);
const commands = (screen: PseudoTerminal) => bytesOf(screen).split("␛_G").length - 1;

test("kitty is sent a chart once, in pieces that are one PNG file, and its removal when the chart is left", async () => {
  const screen = await openChart("kitty");
  await until(() => expect(bytesOf(screen)).toMatch(/m=0;[\w+/=]*␛\\/));
  const pieces = sent(screen);
  expect(pieces).toHaveLength(commands(screen));
  const [first] = pieces;
  expect([first!.columns <= 98, first!.rows <= 38, first!.columns > 50]).toEqual([true, true, true]);
  expect(pieces.map(({ more }) => more).join("")).toMatch(/^1*0$/);
  expect(Math.max(...pieces.map(({ data }) => data.length))).toBeLessThanOrEqual(4096);
  const png = Buffer.from(pieces.map(({ data }) => data).join(""), "base64");
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect(png.subarray(-8, -4).toString("latin1")).toBe("IEND");
  // Its place holds no text.
  expect(screen.screen()).not.toMatch(/[\u2801-\u28ff]/);

  // The cursor moves and the line below the picture with it, but the picture stays.
  const before = bytesOf(screen).length;
  screen.type("l");
  await screen.waitFor(/minutes of work|seconds of work [\d.]+: [1-9]\d*/);
  expect(bytesOf(screen).slice(before)).not.toContain("␛_G");

  // The numbers take its place, and it comes back after them.
  screen.type("v");
  await screen.waitFor(/tokens so far +low +high/);
  expect(removed(screen)).toEqual([first!.id]);
  screen.type("v");
  await until(() => expect(bytesOf(screen)).toMatch(/(?:m=0;[\w+/=]*␛\\[\s\S]*){2}/));
  expect(sent(screen).filter(({ id }) => id !== undefined)).toHaveLength(2);
  screen.type("\x1b");
  await screen.waitFor(/▌ analysis effort/);
  expect(removed(screen)).toEqual([first!.id, String(Number(first!.id) + 1)]);
  const { length } = bytesOf(screen);
  screen.type("q");
  expect(await screen.ended).toBe(0);
  expect(bytesOf(screen).slice(length)).not.toContain("␛_G");
});

test("kitty is sent the removal when the program ends while a chart is shown", async () => {
  const screen = await openChart("kitty");
  await until(() => expect(bytesOf(screen)).toMatch(/m=0;[\w+/=]*␛\\/));
  screen.kill("SIGTERM");
  expect(await screen.ended).toBe(143);
  expect(removed(screen)).toEqual([sent(screen)[0]!.id]);
});

test("iTerm2 is sent a chart once as an inline file, over which text is written when the chart is left", async () => {
  const screen = await openChart("iterm");
  await until(() => expect(bytesOf(screen)).toMatch(/␛\]1337;File=[^␇]*␇/));
  const files = [...bytesOf(screen).matchAll(/␛\]1337;File=([^:]*):([\w+/=]*)␇/g)];
  expect(files).toHaveLength(1);
  const [[, about, data]] = files as [RegExpExecArray];
  const png = Buffer.from(data!, "base64");
  expect(about).toMatch(
    new RegExp(`^inline=1;size=${png.length};width=\\d+;height=\\d+;preserveAspectRatio=0;doNotMoveCursor=1$`),
  );
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const before = bytesOf(screen).length;
  screen.type("v");
  await screen.waitFor(/tokens so far +low +high/);
  expect(bytesOf(screen).slice(before)).not.toContain("1337");
  expect(bytesOf(screen)).not.toContain("␛_G");
  screen.type("q");
});

test.each([undefined, "off"] as const)(
  "no terminal is sent a picture by default or if it is turned off: %s",
  async (pictures) => {
    const screen = await openChart(pictures);
    await screen.waitFor(/[\u2801-\u28ff]/);
    screen.type("v");
    await screen.waitFor(/tokens so far +low +high/);
    // The first leaves the figure.
    screen.type("qq");
    await screen.ended;
    expect(bytesOf(screen)).not.toMatch(/␛_G|␛\]1337/);
  },
);
