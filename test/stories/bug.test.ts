/** A bug in the program is reported legibly, and control characters in its message have no effect. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { printable } from "../../source/engine/text/printable.ts";
import { heldModels } from "../held-models.ts";
import { showProgram } from "./shown-program.ts";
import { builtProgram } from "../built-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-bug-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  writeFileSync(
    join(folder, "sessions/mine/session.md"),
    "```run main\nsuite: appbench\ndata: sample\nmodel: held/oracle\n```\n",
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const words = '"a mistake \\x1b]52;c;AAAA\\x07 \\u009b2J \\u202e"';
/** Makes the program throw, or reject, on a signal. */
const mistaken = (how: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${how} });`)}`,
});

describe.each([
  ["an uncaught exception", `throw new Error(${words})`],
  ["an unhandled rejection", `Promise.reject(new Error(${words}))`],
])("a bug in the program: %s", (_what, how) => {
  test("restores the terminal before the error message, and the run is recorded as stopped", async () => {
    await using _models = await heldModels(folder);
    const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 24, env: mistaken(how) });
    await screen.waitFor(/run main/);
    screen.type("r");
    await screen.waitFor(/running/);
    screen.type("mLast words");
    await screen.waitFor(/Last words/);
    screen.kill("SIGUSR2");
    expect(await screen.ended).toBe(1);
    const written = screen.written();
    const left = written.slice(written.lastIndexOf("\u001b[?1049l"));
    expect(left).toContain("planwright: Error: a mistake ␛]52;c;AAAA␇ ␛[2J ⟲");
    for (const obeyed of ["\u001b]52", "\u009b", "\u202e"]) expect(written).not.toContain(obeyed);
    expect(readFileSync(join(folder, "sessions/mine/session.md.typed.draft"), "utf8")).toContain("Last words");
    expect(existsSync(join(folder, "sessions/mine/session.lock"))).toBe(false);
  });

  test("is printed like any crash without a screen, with status 1", async () => {
    await using _models = await heldModels(folder);
    const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings"), ...mistaken(how) };
    const child = spawn(process.execPath, [builtProgram(), "run", "mine"], { cwd: folder, env });
    let err = "";
    child.stderr.on("data", (data: Buffer) => (err += data.toString()));
    child.stderr.once("data", () => child.kill("SIGUSR2"));
    const status = await new Promise((resolve) => child.once("close", resolve));
    expect(status).toBe(1);
    expect(err).toContain("planwright: Error: a mistake ␛]52;c;AAAA␇");
    expect(err.split("\n").map(printable).join("\n")).toBe(err);
  });
});
