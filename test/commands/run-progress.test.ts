import { describe, expect, it } from "vitest";
import type { Trajectory } from "../../source/engine/log/trajectory.ts";
import type { SessionWorkbench } from "../../source/engine/workbench/session-workbench.ts";
import type { RunState } from "../../source/engine/workbench/workbench.ts";
import { RunProgress } from "../../source/commands/session/run-progress.ts";
import { ErrorOutput } from "../../source/commands/shell/output.ts";
import { runState, running } from "../terminal/double-workbench.ts";

const turn = { kind: "turn", from: 4_000, finish: undefined } as unknown as Trajectory["entries"][number];

/** A session with these runs; a task of the first has a request in flight. */
function sessionOf(runs: () => readonly RunState[]): SessionWorkbench {
  return {
    cells: () => [{ id: "c1", kind: "run", name: "main" }],
    state: () => ({ kind: "run", runs: runs() }),
    executed: (run: string) => (run === "a" ? ["t7"] : []),
    live: () => ({ entries: [turn] }),
  } as unknown as SessionWorkbench;
}

const state = (run: string, change: Partial<RunState> = {}) => runState({ ...running, run, label: run, ...change });
const tokens = (output: number) => ({ input: 0, output, estimated: false });

describe("the progress of runs without a screen", () => {
  it("prints a run again only if it changed, or after a minute without output", () => {
    let runs = [state("a", { tokens: tokens(0) }), state("b", { status: "done" })];
    const said: string[] = [];
    const progress = new RunProgress(
      sessionOf(() => runs),
      { stderr: (text) => void said.push(text) },
    );
    progress.report(10_000);
    expect(said.join("").split("\n")).toHaveLength(3);
    expect(said.join("")).toMatch(/^main \(a\): running, .*, oldest request sent 6 s ago \(t7\)\nmain \(b\): done, /);
    progress.report(12_000);
    expect(said).toHaveLength(1);
    runs = [state("a", { tokens: tokens(400), counts: { ...running.counts!, right: 9 } }), runs[1]!];
    progress.report(14_000);
    expect(said).toHaveLength(2);
    expect(said[1]).toMatch(/^main \(a\): .*, 100 tokens\/s, oldest request sent 10 s ago \(t7\)\n$/);
    progress.report(73_000);
    expect(said).toHaveLength(2);
    progress.report(74_000);
    expect(said[2]).toMatch(/^main \(a\): /);
    runs = runs.map((run) => ({ ...run, status: "done" }));
    expect(progress.finish(75_000)).toMatch(/^main \(a\): done, [^\n]*\n$/);
  });

  it("redraws active runs in place on a terminal, and prints ended runs once, above the active runs", () => {
    let runs = [state("a"), state("b")];
    let written = "";
    const output = new ErrorOutput({ columns: 60, write: (text: unknown) => ((written += String(text)), true) });
    const progress = new RunProgress(
      sessionOf(() => runs),
      {
        stderr: (text) => output.print(text),
        redraw: (lines) => output.redraw(lines),
      },
    );
    progress.report(10_000);
    expect(written.split("\n").every((line) => line.length < 60)).toBe(true);
    written = "";
    runs = [state("a"), state("b", { status: "done" })];
    progress.report(12_000);
    expect(written.startsWith("\x1b[2A\x1b[0J")).toBe(true);
    expect(written.slice("\x1b[2A\x1b[0J".length)).toMatch(/^main \(b\): done, [^\n]*\nmain \(a\): running[^\n]*\n$/);
    written = "";
    expect(progress.finish(14_000)).toMatch(/^main \(a\): running/);
    expect(written).toBe("\x1b[1A\x1b[0J");
  });
});
