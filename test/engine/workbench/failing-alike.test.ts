/** A run pauses before it spends more if its first tasks all fail with one message. */
import { describe, expect, test } from "vitest";
import { execute } from "../../../source/commands/session/run.ts";
import { Problem } from "../../../source/engine/problem.ts";
import { UnreadVerdicts } from "../../../source/engine/run/verdicts.ts";
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

describe("ten first tasks that fail with the same message", () => {
  test("pause the run with the reason, and the user resumes or stops the run", async () => {
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
  ])("end a run without a screen with status 1, for --keep-going %s", async (keepGoing, run, failed) => {
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
    ["one of the tasks did not fail", () => refusing("t4")],
    [
      "the tasks failed differently",
      (): Behaviour["score"] =>
        async ({ id }) => {
          throw new Problem("parse", `No reply about ${id}`);
        },
    ],
  ])("do not stop the run if %s", async (_, score) => {
    behaviour.score = score();
    const workbench = await open();
    await workbench.run(cellNamed(workbench, "main"));
    const { counts, message } = runsOf(workbench, "main")[0]!;
    expect(counts.failed + counts.right).toBe(12);
    expect(message).toBeUndefined();
  });
});

describe("ten first answers that are unreadable for the same cause", () => {
  const wrong: Behaviour["score"] = async () => ({ value: 0, metrics: {}, checks: [], errors: [] });
  const unread = { ...suite, form: () => undefined };
  const openUnread = () =>
    sessions.open("```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n", { suites: [unread] });

  test("pause the run, which shows the cause with the first reply", async () => {
    behaviour.score = wrong;
    const workbench = await openUnread();
    const main = cellNamed(workbench, "main");
    workbench.setConcurrency(main, 1);
    const running = workbench.run(main);
    await until(() => expect(runsOf(workbench, "main")[0]).toMatchObject({ status: "paused", counts: { wrong: 10 } }));
    const [run] = runsOf(workbench, "main");
    expect(run!.message).toBe(
      "None of the first answers could be read: other form. Resume or stop? The first reply: 0",
    );
    workbench.resume(main);
    await running;
    expect(runsOf(workbench, "main")[0]).toMatchObject({ counts: { wrong: 12, waiting: 0 } });
  });

  test.each([
    [false, 10, 1],
    [true, 12, 0],
  ])(
    "end a run without a screen with --keep-going %s: %i tasks are executed, status %i",
    async (keepGoing, wrongs, status) => {
      behaviour.score = wrong;
      const workbench = await openUnread();
      workbench.setConcurrency(cellNamed(workbench, "main"), 1);
      const context = {
        stdout: () => {},
        stderr: () => {},
        signal: new AbortController().signal,
        suites: [],
        analyses: [],
      };
      const options = { cells: undefined, json: false, width: 80, ascii: true, keepGoing };
      expect(await execute(workbench, context, options)).toBe(status);
      expect(runsOf(workbench, "main")[0]).toMatchObject({ counts: { wrong: wrongs } });
    },
  );

  test.each(["builtin/nothing", "builtin/filler", "builtin/filler?pace=0"])(
    "do not stop a run of %s, whose replies have no answer to read",
    async (model) => {
      behaviour.score = wrong;
      const text = `\`\`\`run main\nsuite: tiny\nmodel: ${model}\n\`\`\`\n`;
      const workbench = await sessions.open(text, { suites: [unread] });
      workbench.setConcurrency(cellNamed(workbench, "main"), 1);
      await workbench.run(cellNamed(workbench, "main"));
      expect(runsOf(workbench, "main")[0]).toMatchObject({ status: "done", counts: { wrong: 12 } });
    },
  );

  test("do not stop the run if one of the answers was read", async () => {
    behaviour.score = async ({ id }) => ({ value: id === "t4" ? 1 : 0, metrics: {}, checks: [], errors: [] });
    const workbench = await openUnread();
    await workbench.run(cellNamed(workbench, "main"));
    expect(runsOf(workbench, "main")[0]).toMatchObject({ counts: { wrong: 11, right: 1 } });
  });
});

test("a run pauses after its first five verdicts are unreadable for the same reason", async () => {
  behaviour.score = async ({ id }) => {
    throw new UnreadVerdicts(`About ${id}, I would rather not say.`);
  };
  const workbench = await open();
  const main = cellNamed(workbench, "main");
  workbench.setConcurrency(main, 1);
  void workbench.run(main);
  await until(() => expect(runsOf(workbench, "main")[0]).toMatchObject({ status: "paused", counts: { failed: 5 } }));
  workbench.stop(main);
});
