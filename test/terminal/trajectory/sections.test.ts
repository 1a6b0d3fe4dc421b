import { firstSection, type Section, type Block } from "../../../source/terminal/trajectory/block.ts";
import { describe, expect, test } from "vitest";
import { fitLine, lineText } from "../../../source/engine/figures/drawing/line.ts";
import { emptyTrajectory, trajectoryOf, TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import { blocksOf } from "../../../source/terminal/trajectory/sections/section-blocks.ts";
import { linesOf, nextError, visibleLines } from "../../../source/terminal/trajectory/position.ts";
import { type View, measuredOf } from "../../../source/terminal/trajectory/view.ts";
import type { TaskView } from "../../../source/engine/loaded-suite.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import { type BareEvent, asking, eventsOf, sampleTrajectory, view as plan } from "../sample-trajectory.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { timeOfDay } from "../../../source/look/amounts.ts";
import { meanMeasure, ratioMeasure } from "../../../source/engine/measures/measure.ts";
import { bareRow } from "../../bare-row.ts";
import { stepBlocks } from "../../../source/terminal/trajectory/sections/step-blocks.ts";

type Look = { readonly colour?: boolean; readonly ascii?: boolean; readonly toggled?: readonly string[] };
const all: readonly Section[] = ["plan", "steps", "checks", "raw", "tree"];
const escape = "\x1b";
const styling = new RegExp(`${escape}\\[[0-9;]*m`, "g");

function lookOf(columns: number, { ascii = false, toggled = [], colour = false }: Look): View & { paint: boolean } {
  const { symbols } = openTheme({ colour, ascii });
  const texts = new WrappedTexts();
  const errorKinds = [{ name: "missing-api", title: "A call is missing" }];
  return { columns, symbols, texts, wrapped: true, toggled: new Set(toggled), errorKinds, paint: colour };
}

function drawn(blocks: readonly Block[], columns: number, { colour = false, ascii = false }: Look): string {
  const theme = openTheme({ colour, ascii });
  return visibleLines(blocks, 0, linesOf(blocks))
    .map((line) => theme.paint(fitLine(line, columns)).trimEnd())
    .join("\n");
}

function section(name: Section, columns: number, look: Look = {}): string {
  return drawn(blocksOf(name, sampleTrajectory, plan, lookOf(columns, look)), columns, look);
}

describe("sections of a trajectory", () => {
  for (const name of all) {
    for (const columns of [60, 80, 200]) {
      test(`${name} equals its snapshot at ${columns} columns`, async () => {
        const text = section(name, columns);
        expect(text).not.toContain(escape);
        // At 80 columns the text is saved with its colours.
        if (columns !== 80)
          await expect(`${text}\n`).toMatchFileSnapshot(`../../screens/trajectory-${name}-${columns}.txt`);
      });
    }
    test(`${name} has the same text in colour`, async () => {
      const text = section(name, 80, { colour: true });
      expect(text).toContain(`${escape}[`);
      await expect(`${text.replaceAll(escape, "␛")}\n`).toMatchFileSnapshot(
        `../../screens/trajectory-${name}-80-colour.txt`,
      );
      const plain = text.replaceAll(styling, "").split("\n");
      expect(plain.map((line) => line.trimEnd())).toEqual(section(name, 80).split("\n"));
    });
    test(`${name} in ASCII has only ASCII characters`, async () => {
      const text = section(name, 80, { ascii: true });
      expect(text).toMatch(/^[\n\x20-\x7e]*$/);
      await expect(`${text}\n`).toMatchFileSnapshot(`../../screens/trajectory-${name}-80-ascii.txt`);
    });
    test(`${name} is drawn for a task that did not run`, () => {
      expect(blocksOf(name, emptyTrajectory("a"), undefined, lookOf(80, {})).length).toBeGreaterThan(0);
    });
  }

  test("the steps show long messages on one line until the user unfolds them", () => {
    expect(section("steps", 80)).not.toContain("Never fill in default values");
    expect(section("steps", 80)).toContain("more lines: Enter");
    expect(section("steps", 80, { toggled: ["step 0 message 0"] })).toContain("Never fill in default values");
  });

  test("the steps show only the part of a request that the previous request of the same role lacks", () => {
    expect(section("steps", 80).match(/Find a crossing/g)).toHaveLength(1);
    expect(section("raw", 80, { toggled: ["request 2"] }).match(/Find a crossing/g)).toHaveLength(2);
  });

  test("the plan shows a text that is too long for its column in full below the column", () => {
    for (const length of [3, 5, 7, 11, 13]) {
      const names = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(length, "n"));
      const step = { title: "findcabin", lines: [`returns ${names.join(", ")}`], needs: [] };
      const other = { ...step, lines: [`returns ${names.toReversed().join(", ")}`] };
      const task: TaskView = { reference: [other], plan: [step], matches: [[0, 0]] };
      const text = drawn(blocksOf("plan", sampleTrajectory, task, lookOf(78, {})), 78, {});
      expect(text).not.toContain("…");
      for (const name of names) expect(text.split(name).length).toBeGreaterThan(2);
    }
  });

  test("the plan shows the reply from which no plan could be read, with the reason, and leads to it", () => {
    const step = { title: "go", lines: [], needs: [] };
    const task: TaskView = { reference: [step], plan: [], matches: [] };
    const shown = (lines: number, more: object = {}) => {
      const fold = new TrajectoryFold("t");
      const take = (event: object) => fold.take({ seq: 0, at: 0, task: "t", request: 0, ...event } as TaskEvent);
      take({ type: "prompt", role: "model", model: "m", stage: "plan", messages: [] });
      take({ type: "text", text: Array.from({ length: lines }, (_, index) => `I go ${index + 1}`).join("\n") });
      take({ type: "finish", reason: "stop" });
      take({ type: "prompt", request: 1, role: "model", model: "m", stage: "plan", messages: [] });
      take({ type: "text", request: 1, text: "Later." });
      take({ type: "answer", answer: "Later." });
      take({ type: "scored", score: { value: 0, metrics: {}, checks: [], errors: [] } });
      return blocksOf("plan", { ...fold.trajectory, ...more } as typeof fold.trajectory, task, lookOf(80, {}));
    };
    const cause = { cause: "cut", detail: "maxTokens 9", request: 0 };
    const text = (lines: number, more: object = {}) => drawn(shown(lines, more), 80, {});
    expect(text(2, { cause })).toContain("  The reply: cut at 9 tokens\n    I go 1\n    I go 2\n\n");
    expect(text(12, { cause })).toContain("I go 12\n\n");
    expect(text(13, { cause })).toContain("I go 12\n    … 1 more line: Enter\n\n");
    // Without a cause the last reply is shown.
    expect(text(1)).toContain("  The reply\n    Later.\n");
    expect(text(0, { cause })).toContain("    (no text)\n");
    expect(shown(2, { cause }).find(({ id }) => id === "unread reply")?.leadsTo).toEqual({
      section: "steps",
      block: "step 0",
    });
    const read = blocksOf("plan", { ...sampleTrajectory, ended: true }, { ...task, plan: [step] }, lookOf(80, {}));
    expect(drawn(read, 80, {})).not.toContain("The reply");
  });

  const planOf = (task: TaskView, columns: number) =>
    drawn(blocksOf("plan", { ...sampleTrajectory, score: undefined }, task, lookOf(columns, {})), columns, {});
  const find = { title: "find", lines: ["a = '1'", "b = '2'"], needs: [] };

  test("a step that is equal in both plans has its lines in the left plan only", () => {
    const both: TaskView = { plan: [find], reference: [find], matches: [[0, 0]] };
    const text = planOf(both, 80);
    expect(text).toMatch(/^ {2}1 find +│ 1 find$/m);
    expect(text).toMatch(/^ {4}a = '1' +│ {3}=$/m);
    expect(text).toMatch(/^ {4}b = '2' +│$/m);
    const other = { ...find, lines: ["a = '1'", "b = '3'"] };
    const differing = planOf({ ...both, reference: [other] }, 80);
    expect(differing).toMatch(/^ {4}a = '1' +│ {3}a = '1'$/m);
    expect(differing).toMatch(/^~ {3}b = '2' +│ {3}b = '3'$/m);
  });

  test("only the marks that occur in a plan are explained", () => {
    const both: TaskView = { plan: [find], reference: [find], matches: [[0, 0]] };
    expect(planOf(both, 80).split("\n")[1]).toBe("  = equal");
    expect(planOf(both, 60).split("\n")[1]).toBe("");
    const missing: TaskView = { ...both, plan: [], matches: [] };
    expect(planOf(missing, 80).split("\n")[1]).toBe("  ~ changed  − missing  + extra");
    const bare = { title: "book", lines: [], needs: [0] };
    const used: TaskView = {
      plan: [find, bare],
      reference: [find, bare],
      matches: [
        [0, 0],
        [1, 1],
      ],
    };
    expect(planOf(used, 80).split("\n")[1]).toBe("  ← uses the result of  = equal");
  });

  test("the checks end with all facets of the task, and the heading shows the first facets", () => {
    expect(section("checks", 80)).toMatch(/Facets of this task\n {2}category {2}SM\n {2}apps {6}1\n {2}calls {5}2$/);
  });

  test("the checks show the values of the suite's measures for the task, with their titles", () => {
    const measure = { name: "official.f1-app", title: "F1 of apps", mode: "official", unit: "percent" } as const;
    const mean = meanMeasure("official.f1", measure);
    const ratio = ratioMeasure("a", "b", { ...measure, title: "Not of one task" });
    const row = bareRow("run-1", "sm-000", { score: sampleTrajectory.score });
    const look = { ...lookOf(80, {}), measured: measuredOf(row, [mean, ratio]) };
    const text = drawn(blocksOf("checks", sampleTrajectory, plan, look), 80, {});
    expect(text).toMatch(/Measures of this task\n {2}F1 of apps \(official\) {3}66.67 %\n/);
    expect(text).not.toContain("Not of one task");
  });

  test("the next error is the first mistake without a step, not the line above it", () => {
    const errors = [{ kind: "missing-api", expected: "getforecast" }];
    const trajectory = { ...sampleTrajectory, score: { ...sampleTrajectory.score!, errors } };
    const step = { title: "a", lines: [], needs: [] };
    const task: TaskView = { reference: [step], plan: [step], matches: [[0, 0]] };
    const blocks = blocksOf("plan", trajectory, task, lookOf(80, {}));
    const found = nextError(blocks, { block: "plan 0/0", line: 0, row: 0, seen: 0 }, 1)!;
    expect(lineText(found.line(0))).toContain("A call is missing");
  });

  test("a reply voided by a retry is still shown, with a mark", () => {
    const text = section("steps", 80);
    expect(text).toContain("Cut off  Ferries: [ferry_na");
    expect(text).toContain("Retry 1 (503): the server is busy, after 2 s");
  });

  test("the steps show only once that a request is retried, with the time of the next attempt", () => {
    const fold = new TrajectoryFold("t");
    const take = (at: number, event: object) => fold.take({ seq: 0, at, task: "t", ...event } as TaskEvent);
    take(0, { type: "prompt", request: 0, role: "model", model: "m", stage: "plan", messages: [] });
    const busy = `the server is busy ${"and sends a whole page ".repeat(90)}`;
    for (const at of [1_000, 4_000, 9_000])
      take(at, { type: "retry", request: 0, error: busy, status: 503, wait: 2_000 });
    const shown = () => drawn(stepBlocks(fold.trajectory, lookOf(60, {})), 60, {});
    expect(shown().match(/busy/g)).toHaveLength(1);
    expect(shown()).toContain(`! 3 retries, next try at ${timeOfDay(11_000)} (503): the server`);
    expect(
      shown()
        .split("\n")
        .filter((line) => line.includes("whole page")).length,
    ).toBeLessThanOrEqual(3);
    take(11_000, { type: "text", request: 0, text: "Here" });
    expect(shown()).toContain("! 3 retries (503): the server is busy");
    take(12_000, { type: "finish", request: 0, reason: "stop" });
    const lane = drawn(stepBlocks(fold.trajectory, { ...lookOf(60, {}), brief: true }), 60, {});
    expect(lane.match(/busy/g)).toHaveLength(1);
    expect(lane).toContain("! 3 retries, 6 s (503): the server is busy");
    expect(shown().match(/Retry \d \(503\): the server is busy/g)).toHaveLength(3);
  });

  test("the steps show a status once if the server's message starts with the same status", () => {
    const fold = new TrajectoryFold("t");
    const take = (at: number, event: object) => fold.take({ seq: 0, at, task: "t", ...event } as TaskEvent);
    take(0, { type: "prompt", request: 0, role: "model", model: "m", stage: "plan", messages: [] });
    take(1, { type: "retry", request: 0, error: "429 Too many requests", status: 429, wait: 2_000 });
    expect(drawn(stepBlocks(fold.trajectory, lookOf(80, {})), 80, {})).toMatch(/next try at [\d:]+: 429 Too many/);
  });
});

describe("hostile text in a trajectory", () => {
  const hostile = `${escape}[2J${escape}]0;owned\x07 \u202egnp.exe \x9b31m \r back`;
  const events: readonly BareEvent[] = [
    { type: "started", facets: { [hostile]: hostile }, question: hostile },
    {
      type: "prompt",
      request: 0,
      role: "model",
      model: hostile,
      stage: hostile,
      messages: [{ role: "system", content: `${hostile}\n`.repeat(9) }],
      tools: [{ name: hostile, description: hostile, parameters: {} }],
    },
    { type: "text", request: 0, text: hostile },
    { type: "retry", request: 0, attempt: 1, status: 500, error: hostile, wait: 1 },
    { type: "text", request: 0, text: hostile },
    { type: "call", request: 0, call: { id: hostile, name: hostile, text: hostile, arguments: undefined } },
    { type: "finish", request: 0, reason: hostile },
    { type: "result", callId: "x", name: hostile, result: { ok: false, observation: hostile, status: hostile } },
    { type: "note", kind: hostile, text: hostile },
    { type: "node", id: hostile, kind: hostile, label: hostile, state: "open", needs: [hostile], parent: hostile },
    { type: "answer", answer: hostile },
    {
      type: "scored",
      suiteRevision: 1,
      score: {
        value: 0.5,
        metrics: { [hostile]: 1 },
        checks: [{ name: hostile, kept: false, message: hostile }],
        errors: [{ kind: hostile, step: 0, key: hostile, expected: hostile, got: hostile }, { kind: hostile }],
        labels: { [hostile]: hostile },
      },
    },
    { type: "failed", failure: { kind: "model", message: hostile } },
  ];
  const trajectory = trajectoryOf("x", eventsOf("x", events));
  const step = { title: hostile, lines: [hostile], needs: [0, 7], depth: 3 };
  const task = {
    reference: [step],
    plan: [{ ...step, lines: [`${hostile}!`] }, step],
    matches: [[0, 0]] as const,
    background: [{ title: hostile, text: hostile }],
  };
  for (const name of all) {
    test.each([60, 200])(`cannot control the terminal from ${name} at %i columns`, (columns) => {
      const toggled = ["request 0 tools", "background 0", "step 0 message 0"];
      const text = drawn(blocksOf(name, trajectory, task, lookOf(columns, { toggled })), columns, {});
      expect(text.replaceAll("\n", "")).not.toMatch(/\p{Control}|\p{Bidi_Control}/u);
      expect(text).toContain("␛");
    });
  }
});

test("nodes deeper than the call stack, and nodes that are each other's parents, are drawn", () => {
  const chain = Array.from({ length: 5_000 }, (_, index): BareEvent => ({
    type: "node",
    id: `n${index}`,
    parent: `n${index - 1}`,
    kind: "k",
    label: `l${index}`,
    state: "open",
  }));
  const ring: readonly BareEvent[] = ["a", "b"].map((id, index) => ({
    type: "node",
    id,
    parent: ["b", "a"][index]!,
    kind: "k",
    label: id,
    state: "open",
  }));
  const trajectory = trajectoryOf("x", eventsOf("x", [...ring, ...chain]));
  expect(linesOf(blocksOf("tree", trajectory, undefined, lookOf(80, {})))).toBe(5_002);
});

test("a conversation that grows is drawn like a saved conversation", () => {
  const texts = new WrappedTexts();
  const words = "lorem ipsum dolor sit amet ".repeat(200);
  const more: BareEvent[] = [...asking];
  let growing = "";
  for (let at = 0; at < words.length; at += 500) {
    more.push({ type: "text", request: 0, text: words.slice(at, at + 500) });
    const trajectory = trajectoryOf("x", eventsOf("x", more));
    growing = drawn(blocksOf("steps", trajectory, undefined, { ...lookOf(80, {}), texts }), 80, {});
  }
  const saved = trajectoryOf("x", eventsOf("x", [...asking, { type: "text", request: 0, text: words }]));
  expect(growing).toBe(drawn(blocksOf("steps", saved, undefined, lookOf(80, {})), 80, {}));
});

test.each([
  [{ live: true }, "steps"],
  [{ loading: true }, "plan"],
  [{ loading: true, failed: true }, "plan"],
  [{}, "plan"],
  [{ hasPlan: false }, "steps"],
  // There is a reference plan without a plan: the reason matters.
  [{ failed: true }, "checks"],
  [{ failed: true, hasPlan: false }, "checks"],
])("a task opens on its most useful section: for %j %s", (about, section) => {
  expect(firstSection({ live: false, loading: false, hasPlan: true, failed: false, ...about })).toBe(section);
});

describe("thinking in a trajectory", () => {
  const lines = (steps: readonly BareEvent[], look: Look = {}) => {
    const events = eventsOf("t", steps);
    return drawn(blocksOf("steps", trajectoryOf("t", events), plan, lookOf(60, look)), 60, look);
  };
  const thought = Array.from({ length: 9 }, (_, index) => `Thought ${index}`).join("\n");
  const begun: readonly BareEvent[] = [...asking, { type: "thinking", request: 0, text: thought }];
  const answered: readonly BareEvent[] = [...begun, { type: "text", request: 0, text: "Pick B" }];

  test("streams below the role until a reply begins, then folds", () => {
    expect(lines(begun)).toContain("Thought 8");
    const folded = lines(answered);
    expect(folded).toContain("Thinking  Thought 0");
    expect(folded).toContain("8 more lines");
    expect(folded).not.toContain("Thought 8");
    expect(folded).toContain("Pick B");
  });

  test("can be unfolded, and is separate from the text in the raw reply", () => {
    expect(lines(answered, { toggled: ["step 0 thinking"] })).toContain("Thought 8");
    const events = eventsOf("t", answered);
    const raw = drawn(blocksOf("raw", trajectoryOf("t", events), plan, lookOf(60, {})), 60, {});
    expect(raw.indexOf("thinking")).toBeLessThan(raw.indexOf("Thought 8"));
    expect(raw.indexOf("Thought 8")).toBeLessThan(raw.indexOf("Pick B"));
  });
});
