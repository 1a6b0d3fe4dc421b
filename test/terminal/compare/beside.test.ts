import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import type { TaskView } from "../../../source/engine/loaded-suite.ts";
import { plansBeside, stepsBeside } from "../../../source/terminal/compare/beside-screen.tsx";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import type { Block } from "../../../source/terminal/trajectory/block.ts";
import { partlyText } from "../../../source/terminal/trajectory/trajectory-head.ts";
import { runState } from "../double-workbench.ts";
import { enter, escape, openScreen } from "../open-screen.tsx";
import { row, runningWorkbench, sampleTrajectory, view as slipped } from "../sample-trajectory.ts";
import { openView } from "../trajectory/open-view.ts";

const drawn = (blocks: readonly Block[]) =>
  blocks.flatMap(({ count, line }) => Array.from({ length: count }, (_, index) => lineText(line(index)).trimEnd()));

/** The plan that the reference asks for. */
const perfect: TaskView = {
  reference: slipped.reference,
  plan: slipped.reference,
  matches: [
    [0, 0],
    [1, 1],
    [2, 2],
  ],
};
const flawless = { ...sampleTrajectory, score: { ...sampleTrajectory.score!, value: 1, errors: [] } };
const sides = [
  { trajectory: sampleTrajectory, view: slipped },
  { trajectory: flawless, view: perfect },
] as const;

describe("the plans of two compared runs", () => {
  it("are aligned by the steps of the answer key, with the mistakes of each plan", () => {
    const lines = drawn(plansBeside(sides, openView(118)));
    expect(lines[0]).toMatch(/1: 3 steps +│ 2: 3 steps$/);
    expect(lines).toContainEqual(expect.stringMatching(/^~ .*to_port = 'Wyvernholm' +│ .*to_port = 'Craignure'$/));
    expect(lines).toContainEqual(expect.stringMatching(/^\+ .*3 Bikes: rent/));
    expect(lines).toContainEqual(expect.stringMatching(/^− +│ .*3 Weather: getforecast$/));
    expect(lines).toContainEqual(expect.stringMatching(/^1 +✗ value-place: to_port, expected 'Craignure'/));
  });

  it("form one list in a narrow window, which contains each difference once", () => {
    const lines = drawn(plansBeside(sides, openView(60)));
    expect(lines).toContain("+     to_port = 'Wyvernholm'");
    expect(lines).toContain("−     to_port = 'Craignure'");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it("are paired by title if the answer key has no steps", () => {
    const bare = (title: string): TaskView => ({ reference: [], plan: [{ title, lines: [], needs: [] }], matches: [] });
    const [first, second] = ["buy", "buy"].map((title) => ({ trajectory: flawless, view: bare(title) }));
    const same = plansBeside([first!, second!], openView(118));
    expect(same.find(({ id }) => id === "plan 0/0")).toMatchObject({ error: false });
  });

  it("are reported as missing if a run has not begun the task", () => {
    const nothing = { trajectory: undefined, view: undefined };
    expect(drawn(plansBeside([sides[0], nothing], openView(118)))[0]).toContain(
      "2: no plan could be read from the answer",
    );
    const texts = [new WrappedTexts(), new WrappedTexts()] as const;
    expect(drawn(stepsBeside([sides[0], nothing], openView(118), texts))[0]).toContain(
      "This run has not begun the task",
    );
  });
});

describe("the steps of two runs side by side", () => {
  it("start on the same line in both columns", () => {
    const texts = [new WrappedTexts(), new WrappedTexts()] as const;
    const lines = drawn(stepsBeside(sides, openView(158), texts));
    const heads = lines.filter((line) => line.includes("── Responder"));
    expect(heads).toHaveLength(1);
    expect(heads[0]!.match(/── Responder/g)).toHaveLength(2);
    expect(lines.some((line) => line.includes("▔▔▔▔"))).toBe(true);
  });
});

it("a partly right score is shown in percent", () => {
  const score = flawless.score!;
  const texts = [{ ...score, value: 2 / 3 }, score, { ...score, value: 0 }, undefined].map(partlyText);
  expect(texts).toEqual([" 66.67 %", "", "", ""]);
});

it("a comparison of two runs opens both plans of a task, its steps, and each run", async () => {
  const workbench = runningWorkbench();
  const first = runState();
  const second = runState({
    run: "run-2",
    label: "flat",
    spec: { ...first.spec, fork: { run: "run-1", task: "sm-000", request: 1 } },
  });
  workbench.setRuns("c2", [first, second]);
  const code = { id: "1", by: "anna", at: "2026-01-01T00:00:00Z", kind: "late" };
  const tagged = new Map([["run-2", new Map([["sm-000", { codes: [code], labelled: [] }]])]]);
  // A workbench returns the same rows while they do not change.
  const [own, better] = [[row("sm-000")], [row("sm-000", { score: flawless.score })]];
  const screen = await openScreen({
    columns: 120,
    rows: 40,
    mouse: true,
    workbench: Object.assign(workbench, {
      codes: { ...workbench.codes, codebook: { kinds: [], runs: tagged } },
      rows: (run: string) => (run === "run-1" ? own : better),
      trajectory: ({ run }: { run: string }) => Promise.resolve(run === "run-1" ? sampleTrajectory : flawless),
      taskView: ({ run }: { run: string }) => Promise.resolve(run === "run-1" ? slipped : perfect),
    }),
  });
  await screen.press(":", "compare", enter, enter);
  await screen.pass(60);
  expect(screen.text()).toContain("[Plans] Steps");
  expect(screen.text()).toMatch(/1 hierarchical +✗ wrong *│$/m);
  expect(screen.text()).toMatch(/2 flat +✓ right +# late +a fork from request 2/);
  await screen.press("n");
  expect(screen.text()).toMatch(/^│▌ ~ .*1 Ferries: findferry/m);
  await screen.press("\x1b[<0;9;7M");
  expect(screen.lines()[6]).toMatch(/^│▌/);
  await screen.press("\t");
  expect(screen.text()).toContain("Plans [Steps] Calls");
  await screen.press("\x1b[<0;9;2M");
  expect(screen.text()).toContain("Plans Steps [Calls]");
  expect(screen.text()).toContain("The calls are equal");
  await screen.press("3");
  expect(screen.text()).toContain("Only 2 runs are shown here");
  await screen.press("\t");
  expect(screen.text()).toContain("[Plans] Steps Calls");
  await screen.press("1");
  await screen.pass(60);
  expect(screen.text()).toContain("[1 Plan]");
  await screen.press("b");
  expect(screen.text()).toContain("Only for forks: this run is not a fork");
  await screen.press(escape, "2");
  await screen.pass(60);
  await screen.press("b");
  await screen.pass(60);
  expect(screen.text()).toContain("[Plans] Steps");
  expect(screen.text()).toContain("a fork from request 2");
  await screen.close();
});

it("a comparison shows the list next to both plans in a wide window, and moves both plans together", async () => {
  const workbench = runningWorkbench();
  workbench.setRuns("c2", [runState(), runState({ run: "run-2", label: "flat" })]);
  const rowsOf = (value: number) =>
    ["sm-000", "sm-001"].map((task) => row(task, { score: { ...flawless.score!, value } }));
  const [wrong, right] = [rowsOf(0), rowsOf(1)];
  const screen = await openScreen({
    columns: 200,
    rows: 40,
    workbench: Object.assign(workbench, {
      rows: (run: string) => (run === "run-1" ? wrong : right),
      trajectory: ({ task }: { task: string }) => Promise.resolve({ ...sampleTrajectory, task }),
      taskView: () => Promise.resolve(slipped),
    }),
  });
  await screen.press(":", "compare", enter);
  await screen.pass(60);
  expect(screen.text()).toMatch(/▸ +0 +100 ↑ +sm-000 .*│/);
  expect(screen.text()).toMatch(/│ +sm-000 +1 of 2 +\[Plans\] Steps/);
  await screen.press("j");
  await screen.pass(60);
  expect(screen.text()).toMatch(/│ +sm-001 +2 of 2/);
  await screen.press(enter);
  expect(screen.lines().at(-1)).toContain("Tab section");
  await screen.press("[");
  await screen.pass(60);
  expect(screen.text()).toMatch(/▸ +0 +100 ↑ +sm-000 /);
  await screen.press(escape);
  expect(screen.lines().at(-1)).toContain("Enter both plans");
  expect(screen.text()).toMatch(/▸ +0 +100 ↑ +sm-000 /);
  await screen.close();
});

it.each([
  { unrun: ["run-1", "run-2"], says: "Neither run has started yet: r in the notebook runs their cell" },
  {
    unrun: ["run-2"],
    says: "Run 2 has not started yet: r in the notebook runs its cell; f shows the tasks of the other run",
  },
  { unrun: [], says: "No task has a score in both runs: f shows all tasks" },
])("an impossible comparison gives the reason and advice: $says", async ({ unrun, says }) => {
  const workbench = runningWorkbench();
  const first = runState();
  workbench.setRuns("c2", [first, runState({ run: "run-2", label: "flat" })]);
  const [none, unscored] = [[], [row("sm-000", { score: undefined })]];
  const rows = (run: string) => (unrun.includes(run) ? none : unscored);
  const screen = await openScreen({ columns: 120, rows: 40, workbench: Object.assign(workbench, { rows }) });
  await screen.press(":", "compare", enter);
  expect(screen.text()).toContain("0 tasks scored in both");
  expect(screen.text()).toContain(says);
  expect(screen.text()).not.toContain("No score differs");
  await screen.press("f");
  expect(screen.text().includes("sm-000")).toBe(unrun.length < 2);
  await screen.close();
});

describe("comparing two runs", () => {
  it("waits for rows that are still being read, without requesting rows earlier", async () => {
    let areHere = false;
    const asked: string[] = [];
    const workbench = Object.assign(runningWorkbench(), {
      hasRows: () => areHere,
      rows(run: string) {
        asked.push(run);
        return [{ ...row("sm-000"), run }];
      },
    });
    workbench.setRuns("c2", [runState({ label: "one" }), runState({ run: "run-2", label: "other" })]);
    const screen = await openScreen({ workbench, columns: 100, rows: 30 });
    await screen.press(":", "compare two", enter);
    expect(screen.text()).toContain("Comparing both runs ...");
    expect(asked).toEqual([]);
    areHere = true;
    await screen.press("f");
    expect(screen.text()).not.toContain("Comparing both runs ...");
    expect(asked).toEqual(expect.arrayContaining(["run-1", "run-2"]));
    await screen.close();
  });
});
