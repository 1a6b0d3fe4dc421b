import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import type { ErrorKind } from "../../../source/engine/suite.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import { laneLines, LaneTops } from "../../../source/terminal/live/lane-lines.ts";
import type { KnownRows, Lane, Size } from "../../../source/terminal/live/lanes.ts";

const theme = openTheme({ colour: false, ascii: false });
const none: ReadonlySet<string> = new Set();
const errorKinds: readonly ErrorKind[] = [];
const size: Size = { columns: 200, rows: 50 };

const words = [
  "word ",
  "several words of a sentence, ",
  "\n",
  "\n\n# A title\n",
  "\n- an item ",
  "**bold** ",
  "`code` and *more",
  "* ",
  "\n```json\n",
  '{"place": "Odeon", "seats": [1, {"row": 2}]}',
  "\n```\n",
  "\n| a | b |\n|---|--:|\n| 1 | 2 |\n",
  "漢字 👩‍👩 é",
  "x".repeat(70),
];

const asked = [{ role: "user", content: "Plan a journey." }];

/** A task in a lane, with a function that adds output of a model or a tool to it. */
function openedLane(task: string) {
  const fold = new TrajectoryFold(task);
  let request = -1;
  const take = (event: object) => fold.take({ seq: 0, at: 0, task, request, ...event } as TaskEvent);
  return {
    task,
    fold,
    texts: new WrappedTexts(),
    take,
    ask: (role: "model" | "responder" | "user") => {
      request += 1;
      take({ type: "prompt", role, model: "m", stage: "step", messages: asked });
    },
  };
}

/** Tasks in lanes, and functions that draw them frame by frame, or as if for the first time. */
function opened(count: number, isDialogue = false) {
  const lanes = Array.from({ length: count }, (_, lane) => openedLane(`t-${lane}`));
  const tops = new LaneTops();
  const drawer = (textsOf: (lane: number) => WrappedTexts) => {
    const known: KnownRows[] = [];
    return (columns = size.columns) => {
      const shown = lanes.map(({ task, fold }): Lane => {
        const board = { task, question: "", state: "running", row: undefined } as const;
        return { task: board, trajectory: fold.trajectory, chosen: false, nodes: [] };
      });
      const about = { state: { total: count }, isDialogue, errorKinds, now: undefined };
      const viewOf = ({ task }: Lane, own: number) => {
        const texts = textsOf(lanes.findIndex((lane) => lane.task === task?.task));
        return { columns: own, symbols: theme.symbols, texts, wrapped: true, brief: true, toggled: none, errorKinds };
      };
      return laneLines(shown, { ...size, columns }, { theme, about, tops, known, viewOf });
    };
  };
  return {
    lanes,
    draw: drawer((lane) => lanes[lane]!.texts),
    drawAnew: (columns?: number) => drawer(() => new WrappedTexts())(columns),
  };
}

describe.each([
  { what: "four tasks", count: 4, isDialogue: false },
  { what: "a dialogue", count: 1, isDialogue: true },
])("a drawing of $what in the live view", ({ count, isDialogue }) => {
  it("redraws only the rows with new text", () => {
    const { draw, lanes } = opened(count, isDialogue);
    for (const [lane, { ask, take }] of lanes.entries()) {
      ask("model");
      take({ type: "text", text: "Words of a reply. ".repeat(30 + lane) });
      if (isDialogue) {
        ask("responder");
        take({ type: "text", text: "Words of an answer. ".repeat(30) });
      }
    }
    let before = draw();
    let same = 0;
    const frames = 40;
    for (let frame = 0; frame < frames; frame++) {
      for (const { take } of lanes) take({ type: "text", text: `word${frame} ` });
      const lines = draw();
      same += lines.filter((line, row) => line === before[row]).length;
      before = lines;
    }
    // A lane shows its heading, the request's heading, and the last lines of the reply; a dialogue shows the headings of both sides and
    // of the round.
    expect(same / frames).toBeGreaterThan(size.rows - (isDialogue ? 8 : 6));
  });

  it("has at every moment the text of a complete drawing", () => {
    const { draw, drawAnew, lanes } = opened(count, isDialogue);
    const random = randomFrom(`lanes ${count}`);
    const any = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
    for (const { ask } of lanes) ask("model");
    let columns = size.columns;
    for (let frame = 0; frame < 200; frame++) {
      const { ask, take } = any(lanes);
      const chance = random();
      if (chance < 0.75) take({ type: "text", text: any(words) });
      else if (chance < 0.85) take({ type: "thinking", text: any(words) });
      else if (chance < 0.9) take({ type: "retry", attempt: 1, status: 500, error: "500 away", wait: 1000 });
      else if (chance < 0.97) {
        const call = { id: "c", name: "book", text: '{"seats": 2}', arguments: { seats: 2 } };
        take({ type: "call", call });
        take({ type: "finish", reason: "stop" });
        const result = { ok: random() < 0.5, observation: any(words).repeat(40), status: 200 };
        take({ type: "result", callId: "c", name: "book", result });
        ask(isDialogue ? any(["model", "responder"]) : "model");
      } else columns = any([200, 180, 96, 60, 44]);
      expect(draw(columns).map(lineText)).toEqual(drawAnew(columns).map(lineText));
    }
  });
});

describe("the heading of a lane", () => {
  it("shows the tokens per second of the streaming reply, and of an ended reply", () => {
    const lane = openedLane("t");
    const row = { from: 0, counted: { seconds: 0, tokens: { input: 0, output: 0, estimated: false } } };
    const head = (now: number) => {
      const task = { task: "t", question: "", state: "running", row: row as never } as const;
      const about = { state: { total: 1 }, isDialogue: false, errorKinds, now };
      const viewOf = (_: Lane, columns: number) => {
        const { texts } = lane;
        return { columns, symbols: theme.symbols, texts, wrapped: true, brief: true, toggled: none, errorKinds };
      };
      const shown: Lane[] = [{ task, trajectory: lane.fold.trajectory, chosen: false, nodes: [] }];
      return lineText(laneLines(shown, size, { theme, about, tops: new LaneTops(), known: [], viewOf })[0]!);
    };
    lane.ask("model");
    expect(head(2000)).not.toContain("tokens/s");
    lane.take({ type: "text", text: "x".repeat(400), at: 1000 });
    expect(head(2000)).toContain("~50 tokens/s");
    lane.take({ type: "usage", input: 5, output: 24, estimated: false, at: 4000 });
    lane.take({ type: "finish", reason: "stop", at: 4000 });
    expect(head(60_000)).toContain(" 6.0 tokens/s");
  });
});

describe("a conversation that the user begins", () => {
  it("shows the user's side with its own calls, and starts each round with the user", () => {
    const { lanes, draw } = opened(1, true);
    const [{ ask, take }] = lanes as [(typeof lanes)[number]];
    const say = (role: "model" | "user", text: string) => {
      ask(role);
      take({ type: "text", text });
      take({ type: "finish", reason: "stop" });
    };
    const result = (observation: string) =>
      take({ type: "result", callId: "c", name: "press", result: { ok: true, observation, status: "ok" } });
    say("user", "It is dark.");
    say("model", "Press yours.");
    ask("user");
    take({ type: "call", call: { id: "c", name: "press", text: "{}", arguments: {} } });
    take({ type: "finish", reason: "tool_calls" });
    result("light");
    say("user", "Thanks.");
    const lines = draw(120).map(lineText);
    const at = (words: string) => {
      const row = lines.findIndex((line) => line.includes(words));
      return { row, isRight: (lines[row] ?? "").indexOf(words) >= 60 };
    };
    expect(lines[1]).toMatch(/^ +Model.*│ +User/);
    const [said, answered, pressed, thanks] = ["It is dark.", "Press yours.", "light", "Thanks."].map(at);
    expect([said, answered, pressed, thanks].map((each) => each!.isRight)).toEqual([true, false, true, true]);
    expect(said!.row).toBe(answered!.row);
    expect(lines.filter((line) => line.includes("Round "))).toHaveLength(2);
    expect(at("Round 2").row).toBeLessThan(pressed!.row);
  });
});
