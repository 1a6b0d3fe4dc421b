import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";
import { command, serve } from "./served-program.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-experiment-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const [escape, enter, down] = ["\u001b", "\r", "\u001b[B"];

describe("an experiment from start to end", () => {
  test("is set up, run against an unreliable server, inspected, exported and closed", async () => {
    await using server = await serve(
      folder,
      "--rate-429",
      "0.05",
      "--rate-500",
      "0.02",
      "--rate-cut",
      "0.01",
      "--retry-after",
      "0",
      "--seed",
      "5",
    );
    command(folder, "endpoint", "add", "lab", "--base-url", server.url, "--identify", "--models", "slips?rate=0.5");

    const screen = showProgram({ args: ["new", "mine"], folder, columns: 120, rows: 40 });
    await screen.waitFor(/mine/);
    screen.type("b");
    await screen.waitFor(/Which kind of cell/);
    screen.type(`${down}${enter}`);
    await screen.waitFor(/Benchmark\s+appbench/);
    screen.type(`${down}${enter}`);
    await screen.waitFor(/\[.\] all/);
    screen.type(`all${enter}`);
    await screen.waitFor(/Split\s+all/);
    screen.type(`${down.repeat(3)}${enter}`);
    await screen.waitFor(/\[.\] hierarchical/);
    screen.type(` ${down} ${enter}`);
    await screen.waitFor(/Prompting\s+hierarchical, flat/);
    screen.type(`${down.repeat(2)}${enter}`);
    await screen.waitFor(/lab\/slips/);
    screen.type(`lab${enter}`);
    await screen.waitFor(/ 2 +40 +60 +≈ /);
    screen.type("r");
    await screen.waitFor(/Done: \d+ of 40 right/);
    const faults = await server.faults();
    expect(Object.values(faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    // The notice can be drawn before the table.
    await screen.waitFor(/\d+ retr(y|ies)/);

    screen.type("b");
    await screen.waitFor(/Which kind of cell/);
    screen.type(`scale${enter}`);
    await screen.waitFor(/Argument EM, all calls by scale: hierarchical/);
    screen.type("o");
    await screen.waitFor(/ 1 of 2 [\s\S]*n \d+, \d+ tasks/);
    screen.type(enter);
    await screen.waitFor(/(ss|sm|ms|mm)-\d{3}/);
    screen.type(enter);
    await screen.waitFor(/reference/i);
    screen.type(escape);
    await screen.waitFor(/\d+\/\d+ {2}as listed/);
    screen.type(escape);
    await screen.waitFor(/ 1 of 2 [\s\S]*n \d+, \d+ tasks/);
    screen.type(escape);
    await screen.waitFor(/▌ analysis scale/);

    screen.type("\u0010");
    await screen.waitFor(/Esc close/);
    screen.type(`csv${enter}`);
    await screen.waitFor(/Written: .*\.csv/);
    const exports = readdirSync(join(folder, "sessions", "mine", "exports"));
    expect(exports.some((file) => file.endsWith(".csv"))).toBe(true);
    screen.type("s");
    await screen.waitFor(/Saved/);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect(screen.written()).toContain("\u001b[?1049l");
    expect(readFileSync(join(folder, "sessions", "mine", "session.md"), "utf8")).toContain(
      "prompting: [hierarchical, flat]",
    );
    expect(existsSync(join(folder, "sessions", "mine", "session.lock"))).toBe(false);
  });
});
