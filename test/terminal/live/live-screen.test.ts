import { expect, test } from "vitest";
import { dialogue } from "../../../source/engine/strategies/dialogue.ts";
import type { BoardTask } from "../../../source/engine/workbench/workbench.ts";
import { runState, running } from "../double-workbench.ts";
import { enter, escape, openScreen } from "../open-screen.tsx";
import { sampleSuite } from "../sample-suite.ts";
import { type BareEvent, asking, sampleEvents, runningWorkbench, row, sampleBoard } from "../sample-trajectory.ts";

type Options = Omit<NonNullable<Parameters<typeof openScreen>[0]>, "workbench"> & {
  readonly board?: readonly BoardTask[];
  readonly responder?: string;
};

const text = (words: string): BareEvent => ({ type: "text", request: 0, text: words });
const runningTask = (task: string): BoardTask => ({
  task,
  question: `Question of ${task}`,
  state: "running",
  row: row(task, { state: "running", score: undefined, from: Date.now() - 65_000, to: Date.now() - 30_000 }),
});

function dialogueState(responder: string, total: number) {
  const state = runState({ ...running, total });
  return { ...state, spec: { ...state.spec, strategy: "dialogue", responder } };
}

async function openLive({ board = sampleBoard(), responder, ...rest }: Options = {}) {
  const workbench = runningWorkbench(board);
  if (responder !== undefined) {
    const suite = { ...sampleSuite, strategies: [...sampleSuite.strategies, dialogue] };
    Object.assign(workbench, { suites: [suite] });
    workbench.setRuns("c2", [dialogueState(responder, board.length)]);
  } else {
    for (const { task, state } of board.slice(0, 10))
      if (state === "running") workbench.say(task, ...asking, text(`reply of ${task}`));
  }
  const screen = await openScreen({ ...rest, workbench });
  await screen.press("j", "L");
  return { ...screen, workbench };
}

/** The screen without its times and spinners. */
const still = (screen: string) =>
  `${screen
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠿")
    .replaceAll(/\(plan\) for .*$/gm, "(plan) for N s")
    .replaceAll(/((?:request|round) \d +)\d+ min \d+ s/g, "$1N s")}\n`;

for (const [columns, rows] of [
  [60, 24],
  [80, 24],
  [200, 60],
] as const) {
  test(`an active run equals its snapshot at ${columns}x${rows}`, async () => {
    const screen = await openLive({ columns, rows });
    await expect(still(screen.text())).toMatchFileSnapshot(`../../screens/live-${columns}x${rows}.txt`);
    await screen.close();
  });
}

test("the live view has only ASCII characters in an ASCII terminal, and explains its marks", async () => {
  const screen = await openLive({ ascii: true });
  expect(screen.text()).toMatch(/^[\n\x20-\x7e]*$/);
  expect(screen.text()).toContain("x + ? ![>].");
  await screen.close();
});

test("a reply is shown as it arrives, but only its end if the reply is long", async () => {
  const screen = await openLive();
  expect(screen.text()).toContain("reply of sm-004");
  screen.workbench.say("sm-004", ...Array.from({ length: 100 }, (_, line) => text(`line ${line}\n`)));
  await screen.pass(100);
  expect(screen.text()).toContain("line 99");
  expect(screen.text()).not.toContain("line 1\n");
  await screen.close();
});

test("lanes scroll rarely, by several lines, and all together", async () => {
  const screen = await openLive({ board: ["a", "b"].map(runningTask), columns: 120, rows: 30 });
  const lines = 60;
  const placesOf = (task: string) =>
    new Map(
      screen
        .lines()
        .flatMap((line, row) =>
          [...line.matchAll(new RegExp(`${task}\\d+\\.`, "g"))].map(([name]) => [name, row] as const),
        ),
    );
  const moves: string[] = [];
  let before = [placesOf("a"), placesOf("b")];
  for (let line = 0; line < lines; line++) {
    screen.workbench.say("a", text(`a${line}.\n`));
    // Half as fast.
    if (line % 2 === 0) screen.workbench.say("b", text(`b${line}.\n`));
    await screen.pass(100);
    const now = [placesOf("a"), placesOf("b")];
    expect(now[0]!.has(`a${line}.`)).toBe(true);
    const moved = now.map((places, lane) =>
      [...places].some(([name, row]) => (before[lane]!.get(name) ?? row) !== row),
    );
    if (moved.includes(true)) moves.push(moved.map((each) => (each ? "moved" : "stayed")).join(" "));
    before = now;
  }
  expect(moves.length).toBeGreaterThan(3);
  expect(moves.length).toBeLessThan(lines / 5);
  expect(moves.slice(-3)).toEqual(Array.from({ length: 3 }, () => "moved moved"));
  await screen.close();
});

test("arrows select a task, Enter opens it, Esc returns, and f follows the newest task again", async () => {
  const screen = await openLive();
  expect(screen.text()).toContain("following the newest");
  await screen.press("g", "l");
  expect(screen.text()).toContain("✗[✓]?");
  expect(screen.text()).toContain("f follows the newest");
  await screen.press(enter);
  expect(screen.text()).toContain("Order a cake.");
  expect(screen.text()).toContain("2 of 6");
  await screen.press(escape);
  expect(screen.text()).toContain("✗[✓]?");
  await screen.press("f");
  expect(screen.text()).toContain("![▸]·");
  await screen.close();
});

test("keys pause and stop a run and change its concurrency, or give the reason why this is impossible", async () => {
  const screen = await openLive();
  await screen.press("p", "+", "-", "x", "r");
  expect(screen.workbench.asked).toEqual(["pause c2", "width c2 5", "width c2 3", "stop c2 run-1"]);
  expect(screen.text()).toContain("The run is already running");
  screen.workbench.setRuns("c2", [runState({ status: "partial", total: 6 })]);
  await screen.pass();
  await screen.press("p", "r");
  expect(screen.workbench.asked.at(-1)).toBe("run c2 ");
  await screen.close();
});

test("wide windows show up to four trajectories, which numbers and Tab select", async () => {
  const board = ["a", "b", "c", "d", "e"].map(runningTask);
  const screen = await openLive({ board, columns: 200, rows: 40 });
  const seen = () => ["a", "b", "c", "d", "e"].filter((task) => screen.text().includes(`reply of ${task}`)).join("");
  expect(seen()).toBe("bcde");
  await screen.press("2");
  expect(seen()).toBe("de");
  await screen.press("\t");
  expect(screen.text()).toContain("[▸]");
  await screen.press("1", "4");
  expect(seen()).toHaveLength(4);
  await screen.close();
});

test("two dialogues are below each other in a low and narrow window, and the key for more lanes gives the reason", async () => {
  const screen = await openLive({ board: ["a", "b", "c"].map(runningTask) });
  const rowOf = (words: string) => screen.lines().findIndex((line) => line.includes(words));
  expect(rowOf("reply of c")).toBeGreaterThan(0);
  expect(rowOf("reply of b")).toBeGreaterThan(rowOf("reply of c"));
  await screen.press("3");
  expect(screen.text()).toContain("This window has room for 2 trajectories");
  screen.stdout.resize(120, 40);
  await screen.pass(100);
  expect(rowOf("reply of a")).toBeGreaterThan(0);
  await screen.press("4");
  expect(screen.text()).toContain("3 tasks in flight: others are shown once they begin");
  await screen.press("1", "\t");
  expect(screen.text()).toContain("There is no other trajectory on the screen");
  await screen.close();
});

test("a lane shows its request, its time, and its state", async () => {
  const board = [runningTask("a"), { ...runningTask("b"), state: "wrong" as const }];
  const screen = await openLive({ board, columns: 200, rows: 40 });
  const state = runState({ ...running, total: 2 });
  screen.workbench.setRuns("c2", [{ ...state, requests: 12 }]);
  await screen.pass(100);
  expect(screen.text()).toMatch(/a running {2}request 1 of about 6 {2}1 min \d+ s {2}\S+\/\S+ {2}Question of a/);
  await screen.close();
});

test("the heading of a lane shows a mistake as lists show it, in the words of the suite", async () => {
  const workbench = runningWorkbench(["a", "b"].map(runningTask));
  const errorKinds = [{ name: "value-place", title: "Wrong place" }];
  Object.assign(workbench, { suites: [{ ...sampleSuite, errorKinds }] });
  const screen = await openScreen({ workbench, columns: 200, rows: 60 });
  await screen.press("j", "L");
  workbench.say("a", ...sampleEvents);
  await screen.pass(100);
  expect(screen.text()).toMatch(/ a running +Wrong place /);
  await screen.close();
});

test("two dialogues are next to each other in a wide window, each with both sides", async () => {
  const screen = await openLive({
    responder: "builtin/oracle",
    columns: 200,
    rows: 60,
    board: ["a", "b", "c"].map(runningTask),
  });
  for (const task of ["a", "b", "c"])
    screen.workbench.say(task, ...sampleEvents.filter(({ type }) => !["scored", "node"].includes(type)));
  screen.workbench.setRuns("c2", [dialogueState("builtin/oracle", 3)]);
  await screen.pass(100);
  expect(screen.lines().some((line) => line.split("Round 2").length === 3)).toBe(true);
  expect(screen.text()).toMatch(/Planner .*│.*Responder .*│.*Planner .*│.*Responder/);
  expect(screen.text()).toContain("round 2");
  await screen.press("3");
  expect(screen.text()).toContain("At most 2 dialogues are shown");
  await screen.close();
});

test("an ended run shows as many tasks as there is room for, and arrows show the next page", async () => {
  const board = ["a", "b", "c", "d", "e"].map((task): BoardTask => ({ ...runningTask(task), state: "wrong" }));
  const workbench = runningWorkbench(board);
  workbench.setRuns("c2", [runState({ status: "done", total: 5 })]);
  const screen = await openScreen({ workbench, columns: 80, rows: 24 });
  await screen.press("j", "L");
  const heads = () => screen.lines().flatMap((line) => /✗ ([a-e]) wrong/.exec(line)?.[1] ?? []);
  expect(heads()).toEqual(["a", "b"]);
  await screen.press("l");
  expect(heads()).toEqual(["a", "b"]);
  await screen.press("l");
  expect(heads()).toEqual(["c", "d"]);
  await screen.close();
});

test("planner and responder are next to each other, round by round", async () => {
  const screen = await openLive({ responder: "builtin/oracle", columns: 120, rows: 40 });
  // The answer after a round equals the text of both sides, so their lines do not repeat it.
  screen.workbench.say("sm-004", ...sampleEvents.filter(({ type }) => !["scored", "node"].includes(type)));
  screen.workbench.setRuns("c2", [dialogueState("builtin/oracle", 6)]);
  await screen.pass(100);
  await expect(still(screen.text())).toMatchFileSnapshot("../../screens/live-rounds-120x40.txt");
  const round = screen.lines().findIndex((line) => line.includes("Round 1"));
  expect(screen.lines()[round - 1]).toMatch(/Planner .*│.*Responder/);
  expect(screen.text()).toContain("Round 2");
  await screen.close();
});

test("a board of 10,000 tasks stays within the window", async () => {
  const sample = sampleBoard();
  const board = Array.from({ length: 10_000 }, (_, index): BoardTask => ({
    ...sample[index % 6]!,
    task: `t-${index}`,
  }));
  const screen = await openLive({ board });
  await screen.press("G");
  expect(screen.text()).toMatch(/rows \d+ to (\d+) of \1/);
  await screen.press("gjjl");
  expect(screen.text()).toContain("rows 1 to");
  expect(screen.lines()[0]).toContain("live  run prompting");
  await screen.close();
});

test("a window that is resized while text streams stays complete", async () => {
  const screen = await openLive();
  for (const [columns, rows] of [
    [60, 20],
    [200, 60],
    [121, 30],
    [80, 24],
  ] as const) {
    screen.stdout.resize(columns, rows);
    screen.workbench.say("sm-004", text("more and more words that stream in "));
    await screen.pass(120);
    expect(screen.lines()[0]).toContain("live  run prompting");
    expect(screen.text()).toContain("stream in");
  }
  await screen.close();
});

test("a long reply is parsed for a plan at its start, not again at each line", async () => {
  let reads = 0;
  const workbench = Object.assign(runningWorkbench([runningTask("a")]), {
    taskView: () => Promise.resolve(void (reads += 1)),
  });
  workbench.say("a", ...asking);
  const screen = await openScreen({ columns: 200, rows: 60, workbench });
  await screen.press("j", "L");
  // The notebook has read the task next to its list.
  reads = 0;
  for (let line = 0; line < 30; line++) {
    workbench.say("a", text(`${"x".repeat(99)}\n`));
    await screen.pass(100);
  }
  expect(reads).toBe(6);
  workbench.say("a", { type: "finish", request: 0, reason: "stop" });
  await screen.pass(100);
  expect(reads).toBe(7);
  await screen.close();
});

test("a run whose cell was removed shows a message about the removal", async () => {
  const screen = await openLive();
  screen.workbench.remove("c2");
  await screen.pass();
  expect(screen.text()).toContain("No cell requests this run any more");
  await screen.close();
});

test("names and questions cannot control the terminal", async () => {
  const hostile = "\x1b[2J\x1b]0;owned\x07\u202e";
  const board = sampleBoard().map((task): BoardTask => ({
    ...task,
    task: `${task.task}${hostile}`,
    question: hostile,
  }));
  const screen = await openLive({ board });
  const from = screen.stdout.written.length;
  await screen.press("l", "h", "l");
  expect(screen.stdout.written.slice(from)).not.toContain("owned\x07");
  expect(screen.stdout.written.slice(from)).not.toContain("\x1b[2J");
  expect(screen.text()).toContain("␛[2J");
  await screen.close();
});

test("the smallest window still shows the cursor, on the board and in a task", async () => {
  const screen = await openLive();
  screen.stdout.resize(40, 10);
  await screen.pass(120);
  expect(screen.text()).toContain("![▸]·");
  const from = screen.stdout.written.length;
  await screen.press("g", enter, "j", "j", "G", "k", "2", "3", "4", "1", "n");
  expect(screen.text()).toContain("[1 Plan]");
  expect(screen.lines().some((line) => line.startsWith("▌"))).toBe(true);
  // A frame that is too tall is drawn by clearing the whole window.
  expect(screen.stdout.written.slice(from)).not.toContain("\x1b[2J");
  await screen.close();
});

test("the live view shows the worker of each task", async () => {
  const workbench = runningWorkbench([runningTask("t1"), runningTask("t2")]);
  const worker = { name: "node1-17", attempt: "1" };
  workbench.say("t2", ...asking.map((event) => (event.type === "started" ? { ...event, worker } : event)));
  workbench.setRuns("c2", [runState({ ...running, workers: [{ worker: "node1-17", tasks: 2 }] })]);
  const screen = await openScreen({ workbench });
  expect(screen.text()).toContain("node1-17: 2 tasks");
  await screen.press("j", "L");
  expect(screen.text()).toContain("node1-17: 2 tasks");
  expect(screen.text()).toContain("t2 running on node1-17");
  await screen.close();
});
