/** The recording and the moving picture at the head of README, as `npm run cast` wrote them. */
import { readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import xterm from "@xterm/headless";
import { film, recording } from "../../build/cast.ts";
import { pictureText, ScreenFilm } from "../../build/screen-svg.ts";

const megabyte = 1024 * 1024;

describe("the recording", () => {
  const [head, ...events] = readFileSync(recording, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

  it("is an asciicast of some forty seconds and at most a megabyte", () => {
    expect(head).toMatchObject({ version: 2, width: 110, height: 32 });
    const times = (events as [number, string, string][]).map(([time]) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeGreaterThan(30);
    expect(times.at(-1)).toBeLessThan(45);
    expect(statSync(recording).size).toBeLessThan(megabyte);
  });

  it("shows the notebook, the form, a live run, the map, a step and the comparison", async () => {
    const terminal = new xterm.Terminal({ cols: 110, rows: 32, allowProposedApi: true });
    const seen: string[] = [];
    for (const [, , text] of events as [number, string, string][]) {
      await new Promise<void>((written) => terminal.write(text, written));
      const { active } = terminal.buffer;
      seen.push(Array.from({ length: 32 }, (_, row) => active.getLine(row)?.translateToString(true) ?? "").join("\n"));
    }
    for (const shown of [
      /Welcome to Planwright/,
      /e.*form|hierarchical.*flat/,
      /following/,
      /parallel/,
      /wrong/,
      /analysis apps-first/,
    ])
      expect(
        seen.some((screen) => shown.test(screen)),
        String(shown),
      ).toBe(true);
  });
});

describe("the animated picture in the README", () => {
  const svg = readFileSync(film, "utf8");

  it("has at most a megabyte, and does not move for people who prefer reduced motion", () => {
    expect(svg.length).toBeLessThan(megabyte);
    expect(svg).toContain("prefers-reduced-motion:reduce");
    expect(pictureText(svg)).not.toBe("");
  });

  it("shows each screen in order for its duration, and draws identical rows only once", async () => {
    const terminal = new xterm.Terminal({ cols: 10, rows: 2, allowProposedApi: true });
    const made = new ScreenFilm();
    const show = async (text: string, seconds: number, isStill = false) => {
      await new Promise<void>((written) => terminal.write(`\u001b[H\u001b[2J${text}`, written));
      made.add(terminal, seconds, isStill);
    };
    await show("one\r\nsame", 1);
    await show("two\r\nsame", 2, true);
    await show("two\r\nsame", 1);
    const text = made.svg(terminal);
    expect(text.match(/>same\b/g)).toHaveLength(1);
    expect(text.match(/<g id=/g)).toHaveLength(2);
    // One second of four, then three.
    expect(text).toContain("@keyframes f0{0%{visibility:visible}25%,100%{visibility:hidden}}");
    expect(text).toContain("@keyframes f1{0%{visibility:hidden}25%{visibility:visible}100%,100%{visibility:hidden}}");
    expect(text).toContain("#f1{visibility:visible}");
    expect(text).toContain("animation:none 4s step-end infinite");
  });
});
