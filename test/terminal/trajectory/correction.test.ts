import { expect, test } from "vitest";
import type { Trajectory } from "../../../source/engine/log/trajectory.ts";
import type { Mistake, Score } from "../../../source/engine/types.ts";
import { runState } from "../double-workbench.ts";
import { down, enter, escape, openScreen } from "../open-screen.tsx";
import { sampleSuite } from "../sample-suite.ts";
import { sampleTrajectory, runningWorkbench, score } from "../sample-trajectory.ts";

const errorKinds = [
  { name: "value-place", title: "Wrong place", group: "value" },
  { name: "value-time", title: "Wrong date or time", group: "value" },
  { name: "missing-api", title: "Call missing", note: "Another call was to be made." },
];

type Change = {
  readonly errors?: readonly Mistake[];
  readonly score?: Partial<Score>;
  readonly scores?: Trajectory["scores"];
  readonly status?: "done" | "running" | "stopping";
  readonly readOnly?: string;
  /** The workbench's report, or its reason for refusing. */
  readonly result?: string | Error;
};

/** A task with errors, opened as by a user; corrections take effect at once, like with the real workbench. */
async function openTask(change: Change = {}, size: { readonly columns?: number; readonly rows?: number } = {}) {
  const { status = "done", result, readOnly } = change;
  let errors = change.errors ?? score.errors;
  const workbench = runningWorkbench();
  const said: unknown[] = [];
  Object.assign(workbench, {
    suites: [{ ...sampleSuite, errorKinds }],
    trajectory: () =>
      Promise.resolve({
        ...sampleTrajectory,
        score: { ...score, ...change.score, errors },
        scores: change.scores ?? [],
      }),
    correct: async ({ task }: { task: string }, error: Mistake, kind: string | undefined, reason: string) => {
      if (result instanceof Error) throw result;
      said.push([task, error, kind, reason]);
      const own = error.override?.was ?? error.kind;
      const { override: _before, ...rest } = error;
      const next =
        kind === undefined ? { ...rest, kind: own } : { ...rest, kind, override: { was: own, source: "ada", reason } };
      errors = errors.map((each) => (each === error ? next : each));
      return result;
    },
  });
  Object.defineProperty(workbench, "readOnly", { value: readOnly });
  workbench.setRuns("c2", [runState({ status })]);
  const screen = await openScreen({ ...size, workbench });
  await screen.press(`jog${enter}3`);
  const here = () => screen.lines().find((line) => line.startsWith("▌")) ?? "";
  /** Consecutive rows, without their leading and trailing spaces. */
  const words = () => screen.text().replaceAll(/[\s│]+/g, " ");
  return { ...screen, workbench, said, here, words };
}

for (const [columns, rows] of [
  [80, 24],
  [60, 16],
] as const) {
  test(`the key c on an error lists the suite's kinds, including the scorer's, at ${columns}x${rows}`, async () => {
    const screen = await openTask({}, { columns, rows });
    await screen.press("nc");
    await expect(`${screen.text()}\n`).toMatchFileSnapshot(`../../screens/correction-${columns}x${rows}.txt`);
    await screen.close();
  });
}

test("a corrected error immediately shows its correction, author and reason", async () => {
  const screen = await openTask();
  await screen.press("n");
  expect(screen.lines().at(-1)).toContain("c correct");
  await screen.press("c");
  expect(screen.text()).toMatch(/▸ 1 \* Wrong place +scorer's label; value/);
  await screen.press(down, enter);
  expect(screen.text()).toContain("Why?  Wrong date or time, not Wrong place");
  await screen.press(enter);
  expect(screen.text()).toContain("A reason is required");
  await screen.press(" ", enter);
  expect(screen.said).toEqual([]);
  await screen.press("t is tomorrow", "\x1b[H", "i", enter);
  await screen.pass(60);
  expect(screen.said).toEqual([["sm-000", score.errors[0], "value-time", "i t is tomorrow"]]);
  expect(screen.text()).toContain("The label is now Wrong date or time");
  expect(screen.here()).toContain("Wrong date or time (value-time): to_port, expected 'Craignure'");
  expect(screen.words()).toContain("changed from Wrong place by ada: i t is tomorrow");
  await screen.press("1", "n");
  expect(screen.words()).toContain("changed from Wrong place by ada: i t is tomorrow");
  await screen.close();
});

test("choosing the corrected label edits the reason, and choosing the scorer's label removes the correction", async () => {
  const override = { was: "value-place", source: "ada", reason: "tomorrow" };
  const corrected: Mistake = { kind: "value-time", step: 0, override };
  const screen = await openTask({ errors: [corrected] });
  await screen.press("nc");
  expect(screen.text()).toMatch(/1 {3}Wrong place +scorer's label; value/);
  expect(screen.text()).toMatch(/▸ 2 \* Wrong date or time +corrected label; value/);
  await screen.press(enter, " at noon", enter);
  await screen.pass(60);
  expect(screen.said).toEqual([["sm-000", corrected, "value-time", "tomorrow at noon"]]);
  await screen.press("c", "1");
  await screen.pass(60);
  expect(screen.said).toHaveLength(2);
  expect(screen.said[1]).toMatchObject(["sm-000", { kind: "value-time" }, undefined, ""]);
  expect(screen.text()).toContain("Correction removed: the label is Wrong place again");
  expect(screen.text()).not.toContain("was Wrong place");
  await screen.press("c", enter);
  expect(screen.said).toHaveLength(2);
  expect(screen.text()).toContain("nothing was changed");
  await screen.close();
});

test("the key c first asks which error to correct if a line has several", async () => {
  const errors: Mistake[] = [
    { kind: "value-place", step: 0, key: "from_port", got: "'Tobermory'" },
    { kind: "value-place", step: 0, key: "to_port", got: "'Wyvernholm'" },
  ];
  const screen = await openTask({ errors });
  await screen.press("1nc");
  expect(screen.text()).toContain("Which error?");
  expect(screen.text()).toMatch(/▸ 1 {3}Wrong place +from_port, got 'Tobermory'/);
  await screen.press(down, enter);
  expect(screen.words()).toMatch(/Which kind of error is it\?.*Wrong place \(value-place\): to_port, got/);
  await screen.press("3", "because", enter);
  await screen.pass(60);
  expect(screen.said).toEqual([["sm-000", errors[1], "missing-api", "because"]]);
  await screen.close();
});

test("Esc changes nothing, neither in the list nor in the reason", async () => {
  const screen = await openTask();
  await screen.press("nc", down, escape);
  expect(screen.text()).not.toContain("Which kind of error is it?");
  await screen.press("c", down, enter, "not so", escape);
  expect(screen.text()).not.toContain("Why?");
  expect(screen.said).toEqual([]);
  expect(screen.here()).toContain("Wrong place");
  await screen.press("j");
  expect(screen.here()).not.toBe("");
  await screen.close();
});

test("a pasted reason becomes one line, whose characters execute no command", async () => {
  const screen = await openTask();
  await screen.press("nc", down, enter);
  const before = screen.stdout.written.length;
  await screen.press("\x1b[200~one\r\ntwo\x07\x9b2J\x1b[201~", enter);
  await screen.pass(60);
  expect(screen.said).toEqual([["sm-000", score.errors[0], "value-time", expect.stringMatching(/^one two/)]]);
  for (const control of ["\x07", "\x9b"]) expect(screen.stdout.written.slice(before)).not.toContain(control);
  await screen.close();
});

test("a correction shows the workbench's reports and refusals", async () => {
  const screen = await openTask({ result: "Gone from overrides.json: t0" });
  await screen.press("nc", down, enter, "why", enter);
  await screen.pass(60);
  expect(screen.text()).toContain("The label is now Wrong date or time. Gone from overrides.json: t0");
  await screen.close();
  const broken = await openTask({ result: new Error("Expected overrides.json to be JSON") });
  await broken.press("nc", down, enter, "why", enter);
  await broken.pass(60);
  expect(broken.text()).toContain("Expected overrides.json to be JSON");
  expect(broken.here()).toContain("Wrong place");
  await broken.close();
});

const refusals = [
  ["while the run is active", { status: "running" }, "n", "The run is not finished"],
  ["while it is stopping", { status: "stopping" }, "n", "The run is not finished"],
  ["in a session that is read-only", { readOnly: "open elsewhere" }, "n", "Read-only: open elsewhere"],
] as const;

test.each(refusals)(
  "%s no score or error can be corrected, and c gives the reason",
  async (_, change, keys, reason) => {
    const screen = await openTask(change);
    await screen.press(`${keys}c`);
    expect(screen.text()).toContain(reason);
    expect(screen.text()).not.toContain("Which kind of error is it?");
    expect(screen.lines().at(-1)).not.toContain("c correct");
    await screen.close();
  },
);

test("the key c on a line without an error corrects the score: right, wrong, or a number, with a reason", async () => {
  const screen = await openTask();
  for (const keys of ["gc", "2c", "4c", "1gc"]) {
    await screen.press(keys);
    expect(screen.words()).toContain("What is the score?");
    await screen.press(escape);
  }
  await screen.press("c", enter);
  expect(screen.text()).toContain("Why?  1, not 0");
  await screen.press(enter);
  expect(screen.text()).toContain("A reason is required");
  await screen.press("the key is wrong", enter);
  await screen.pass(60);
  expect(screen.workbench.asked.at(-1)).toBe("correct score of sm-000 1 the key is wrong");
  expect(screen.text()).toContain("The score is now 1");
  await screen.press("c", "7", enter);
  expect(screen.text()).toContain("Expected a number from 0 to 1");
  await screen.press("\x7f", "0.25", enter, "a quarter", enter);
  await screen.pass(60);
  expect(screen.workbench.asked.at(-1)).toBe("correct score of sm-000 0.25 a quarter");
  await screen.close();
});

test("a corrected score shows previous value, author and reason, can be withdrawn, and lists both in its history", async () => {
  const override = { was: 0, metrics: {}, source: "ada", reason: "the key is wrong" };
  const at = Date.UTC(2026, 10, 22, 12, 30);
  const scores = [
    { at, score },
    { at: at + 60_000, score: { ...score, value: 1, override }, by: "ada" },
  ];
  const screen = await openTask({ score: { value: 1, override }, scores }, { columns: 100, rows: 50 });
  expect(screen.words()).toContain("Score 1 was 0, by ada: the key is wrong");
  expect(screen.words()).toContain("2026-11-22 12:31 ada: 0 to 1: the key is wrong");
  await screen.press("gc");
  expect(screen.text()).toMatch(/the scorer's value +0/);
  await screen.press("the scorer", enter);
  await screen.pass(60);
  expect(screen.workbench.asked.at(-1)).toBe("correct score of sm-000 back ");
  await screen.close();
});

test("a part that a person found correct is shown as no mistake", async () => {
  const none: Mistake = {
    kind: "no-mistake",
    step: 0,
    override: { was: "value-place", source: "ada", reason: "both" },
  };
  const screen = await openTask({ errors: [none] });
  expect(screen.words()).toContain("- No mistake");
  expect(screen.words()).toContain("changed from Wrong place by ada: both");
  await screen.close();
});
