/** A run pauses before it spends more if its first tasks all fail with the same message. */
import { describe, expect, test } from "vitest";
import { execute } from "../../../source/commands/session/run.ts";
import { Problem } from "../../../source/engine/problem.ts";
import { until } from "../../until.ts";
import { cellNamed, runsOf } from "./temporary-session.ts";
import { type Behaviour, tinySessions } from "./tiny-suite.ts";

const { sessions, suite, behaviour } = tinySessions();

const open = () => sessions.open("```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n", { suites: [suite] });
const refusing =
  (but?: string): Behaviour["score"] =>
  async ({ id }) => {
    if (id === but) return { value: 1, metrics: {}, checks: [], errors: [] };
    throw new Problem("parse", "The key is wrong");
  };

describe("when the first ten tasks fail with the same words", () => {
  test("the run pauses and says why; it is resumed or stopped as the person wants", async () => {
    behaviour.score = refusing();
    const workbench = await open();
    const main = cellNamed(workbench, "main");
    workbench.setConcurrency(main, 1);
    const running = workbench.run(main);
    await until(() => expect(runsOf(workbench, "main")[0]).toMatchObject({ status: "paused" }));
    const [run] = runsOf(workbench, "main");
    expect(run!.message).toBe("The first tasks all failed: The key is wrong. Resume or stop?");
    workbench.resume(main);
    await running;
    expect(runsOf(workbench, "main")[0]).toMatchObject({ counts: { failed: 12, waiting: 0 } });
  });

  test.each([
    [false, { status: "failed", message: "The first tasks all failed: The key is wrong" }, 10],
    [true, { status: "failed" }, 12],
  ])("headless, with --keep-going %s, it ends with status 1", async (keepGoing, run, failed) => {
    behaviour.score = refusing();
    const workbench = await open();
    workbench.setConcurrency(cellNamed(workbench, "main"), 1);
    const context = {
      stdout: () => {},
      stderr: () => {},
      signal: new AbortController().signal,
      suites: [suite],
      analyses: [],
    };
    const options = { cells: undefined, json: false, width: 80, ascii: true, keepGoing };
    expect(await execute(workbench, context, options)).toBe(1);
    expect(runsOf(workbench, "main")[0]).toMatchObject({ ...run, counts: { failed } });
  });

  test.each([
    ["one of them did not", () => refusing("t4")],
    [
      "they failed differently",
      (): Behaviour["score"] =>
        async ({ id }) => {
          throw new Problem("parse", `No reply about ${id}`);
        },
    ],
  ])("but not where %s", async (_, score) => {
    behaviour.score = score();
    const workbench = await open();
    await workbench.run(cellNamed(workbench, "main"));
    const { counts, message } = runsOf(workbench, "main")[0]!;
    expect(counts.failed + counts.right).toBe(12);
    expect(message).toBeUndefined();
  });
});
