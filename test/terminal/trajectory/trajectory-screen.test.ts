import { afterEach, expect, test, vi } from "vitest";
import { enter, escape, openScreen } from "../open-screen.tsx";
import { type BareEvent, asking, sampleEvents, runningWorkbench, sampleTrajectory } from "../sample-trajectory.ts";
import { until } from "../../until.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { trajectoryHead } from "../../../source/terminal/trajectory/trajectory-head.ts";
import { runState } from "../double-workbench.ts";

/** The trajectory of a task, opened as by a user: from the notebook, through the live board. */
afterEach(() => vi.unstubAllEnvs());

async function openTrajectory(
  task: number,
  options: Omit<NonNullable<Parameters<typeof openScreen>[0]>, "workbench"> = {},
) {
  const workbench = runningWorkbench();
  workbench.say("sm-004", ...asking);
  const screen = await openScreen({ ...options, workbench });
  await screen.press("j", "L", "g", "l".repeat(task));
  await screen.press(enter);
  await screen.pass(60);
  return { ...screen, workbench };
}

const text = (words: string): BareEvent => ({ type: "text", request: 0, text: words });

for (const [columns, rows] of [
  [60, 24],
  [80, 24],
  [200, 60],
] as const) {
  test(`an ended task equals its snapshot at ${columns}x${rows}`, async () => {
    const screen = await openTrajectory(0, { columns, rows });
    await expect(`${screen.text()}\n`).toMatchFileSnapshot(`../../screens/trajectory-${columns}x${rows}.txt`);
    await screen.close();
  });
}

test("Tab and numbers select the sections, the last of which exists if a tree was built", async () => {
  const screen = await openTrajectory(0);
  for (const [key, seen] of [
    ["\t", "invalidAction"],
    ["\t", "Score  0"],
    ["\t", "Request 1"],
    ["\t", "cross to Mull"],
    ["\t", "Reference: 3 steps"],
    ["3", "Score  0"],
    ["1", "Reference: 3 steps"],
  ] as const) {
    await screen.press(key);
    expect(screen.text()).toContain(seen);
  }
  await screen.close();
});

test("keys typed before a task is read are handled afterwards in order, except Esc", async () => {
  const reading: (() => void)[] = [];
  const sample = runningWorkbench();
  const workbench = Object.assign(runningWorkbench(), {
    trajectory: async (...given: Parameters<typeof sample.trajectory>) => {
      await new Promise<void>((resolve) => reading.push(resolve));
      return sample.trajectory(...given);
    },
  });
  workbench.say("sm-004", ...asking);
  const screen = await openScreen({ workbench });
  await screen.press("j", "L", "g", enter, "n", escape);
  expect(screen.text()).toContain("1 in flight");
  await screen.press(enter, "n", "n");
  expect(screen.text()).not.toContain("errors");
  for (const go of reading) go();
  await until(() => expect(screen.lines().find((line) => line.startsWith("▌"))).toContain("Bikes: rent"));
  await screen.close();
});

test("the key y copies the part at the cursor without its indentation", async () => {
  vi.stubEnv("TERM", "xterm-256color");
  vi.stubEnv("TERM_PROGRAM", "");
  const screen = await openTrajectory(0);
  await screen.press("n", "y");
  const encoded = /]52;c;([A-Za-z0-9+/=]+)/.exec(screen.stdout.written)![1]!;
  expect(Buffer.from(encoded, "base64").toString()).toMatch(/^\S.*1 Ferries: findferry/);
  await screen.close();
});

test("the key n moves to the wrong step from anywhere, like Enter on a mistake", async () => {
  const screen = await openTrajectory(0);
  const here = () => screen.lines().find((line) => line.startsWith("▌"));
  await screen.press("n");
  expect(here()).toContain("1 Ferries: findferry");
  await screen.press("n");
  expect(here()).toContain("Bikes: rent");
  await screen.press("n");
  expect(here()).toContain("Weather: getforecast");
  await screen.press("n", "N");
  expect(here()).toContain("Weather: getforecast");
  await screen.press("3", "n");
  expect(here()).toContain("value-place");
  await screen.press(enter);
  expect(here()).toContain("1 Ferries: findferry");
  await screen.press("4", "n");
  expect(screen.text()).toContain("[1 Plan]");
  await screen.close();
});

test("Enter on a wrong call moves to its marked words", async () => {
  const screen = await openTrajectory(0);
  const at = () => screen.lines().findIndex((line) => line.startsWith("▌"));
  await screen.press("n", enter);
  expect(screen.text()).toContain("[2 Steps]");
  const [words, stroke] = screen.lines().slice(at() - 1, at() + 1);
  expect(words).toContain("'Wyvernholm'");
  expect(stroke!.indexOf("▔▔▔▔▔▔▔▔▔▔▔▔")).toBe(words!.indexOf("'Wyvernholm'"));
  expect(screen.lines()[at() + 1]).toContain("expected 'Craignure', got 'Wyvernholm'");
  // No words contain a missing call, so the mistake follows the last reply.
  await screen.press("1", "n", "n", enter);
  expect(screen.lines()[at()]).toContain("missing-api");
  await screen.close();
});

test("Enter unfolds a long message at the cursor and folds it again", async () => {
  const screen = await openTrajectory(0);
  await screen.press("2", "j", enter);
  expect(screen.text()).toContain("Never fill in default values");
  await screen.press("jj", enter);
  expect(screen.text()).not.toContain("Never fill in default values");
  await screen.close();
});

test("the keys ] and [ open the neighbouring tasks in the same section", async () => {
  const screen = await openTrajectory(0);
  await screen.press("3", "]");
  expect(screen.text()).toContain("sm-001");
  expect(screen.text()).toContain("[3 Checks]");
  await screen.press("]", "]", "]", "]", "]");
  expect(screen.text()).toContain("This is the last task");
  await screen.close();
});

test("the end of a running task stays visible until the user scrolls up, and again after G", async () => {
  const screen = await openTrajectory(4);
  expect(screen.text()).toContain("[2 Steps]");
  const say = async (...words: string[]) => {
    screen.workbench.say("sm-004", ...words.map(text));
    await screen.pass(60);
  };
  await say(...Array.from({ length: 40 }, (_, line) => `line ${line}\n`));
  expect(screen.text()).toContain("line 39");
  expect(screen.text()).toContain("following");
  await screen.press("k");
  await say("line 40\n", "line 41\n");
  expect(screen.text()).not.toContain("line 41");
  expect(screen.text()).toContain("2 new lines, G follows");
  await screen.press("G");
  expect(screen.text()).toContain("line 41");
  const task = "sm-004";
  screen.workbench.say(task, ...sampleEvents.filter(({ type }) => type === "answer" || type === "scored"));
  screen.workbench.end(task);
  await screen.pass(100);
  expect(screen.text()).toContain("line 41");
  expect(screen.text()).toContain("wrong");
  await screen.close();
});

test("a streamed reply of 300 KB never makes a frame too high and never sends a control character to the terminal", async () => {
  const screen = await openTrajectory(4);
  const before = screen.stdout.written.length;
  for (let part = 0; part < 30; part++) {
    screen.workbench.say("sm-004", text(`\x1b[2J${"lorem ipsum ".repeat(833)}`));
    await screen.pass(20);
  }
  await until(() => expect(screen.text()).toMatch(/lines \d+ to (\d+) of \1/));
  expect(screen.stdout.written.slice(before)).not.toContain("\x1b[2J");
  expect(screen.lines()[0]).toMatch(/^ task/);
  await screen.press("g");
  await until(() => expect(screen.text()).toContain("── Model"));
  await screen.press(escape);
  await screen.close();
});

test("the heading of a trajectory gives the reason why its answer was not read", () => {
  const shown = (cause: "cut" | "read") =>
    trajectoryHead({
      task: "1",
      trajectory: {
        ...sampleTrajectory,
        cause: { cause, request: 1, ...(cause === "cut" && { detail: "maxTokens 100" }) },
      },
      run: runState({}),
      colour: undefined,
      state: "wrong",
      place: "1 of 2",
      codes: [],
      section: "plan",
      sections: ["plan"],
      theme: openTheme({ colour: false, ascii: false }),
      columns: 80,
      mostDetails: 4,
    }).map(lineText)[0];
  expect(shown("cut")).toContain("wrong: cut at 100 tokens  1 of 2");
  expect(shown("read")).toContain("wrong  1 of 2");
});

test("the brief heading of a trajectory has the question, but neither facets nor the names of sections", () => {
  const head = (isBrief: boolean) =>
    trajectoryHead({
      task: "1",
      trajectory: { ...sampleTrajectory, question: "Where is it?", facets: { apps: 3 } },
      run: runState({}),
      colour: undefined,
      state: "right",
      place: "1 of 2",
      codes: [],
      section: "plan",
      sections: ["plan"],
      theme: openTheme({ colour: false, ascii: false }),
      columns: 80,
      mostDetails: 4,
      isBrief,
    }).map(lineText);
  expect(head(true).slice(1)).toEqual([" Where is it?"]);
  expect(head(false).slice(1).join("\n")).toMatch(/^ Where is it\?\n.*apps 3[^]*\[1 Plan\]$/);
});

test("the heading of a recorded trajectory shows the whole file name, even at 80 columns", () => {
  const file = "inspect-builtin-slips-rate-0.3-51a58d1f530b8e76.eval";
  const head = trajectoryHead({
    task: "1",
    trajectory: sampleTrajectory,
    run: runState({ label: `a-model (${file})`, predictions: `predictions/b6287217-${file}` }),
    colour: undefined,
    state: "right",
    place: "1 of 2",
    codes: [],
    section: "plan",
    sections: ["plan"],
    theme: openTheme({ colour: false, ascii: false }),
    columns: 80,
    mostDetails: 4,
  }).map(lineText);
  expect(head.join("\n")).toContain("made elsewhere");
  expect(head.some((line) => line.includes(`from ${file}`))).toBe(true);
  expect(head.every((line) => line.length <= 80)).toBe(true);
});
