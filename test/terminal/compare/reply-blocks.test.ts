import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { kindCounts } from "../../../source/terminal/compare/compare-screen.tsx";
import { markedWords, repliesBeside } from "../../../source/terminal/compare/reply-blocks.ts";
import { row } from "../sample-trajectory.ts";
import { openView } from "../trajectory/open-view.ts";

/** A run's replies to its requests, as `stage: text`. */
function side(...replies: readonly string[]) {
  const fold = new TrajectoryFold("t");
  for (const [request, reply] of replies.entries()) {
    const [, stage = "plan", text = reply] = /^(\w+): ([^]*)$/.exec(reply) ?? [];
    const common = { seq: 0, at: 0, task: "t", request };
    fold.take({ ...common, type: "prompt", role: "model", model: "m", stage, messages: [] } as TaskEvent);
    fold.take({ ...common, type: "text", text } as TaskEvent);
    fold.take({ ...common, type: "finish", reason: "stop" } as TaskEvent);
  }
  return { trajectory: fold.trajectory };
}

const linesOf = (columns: number, ...of: readonly [ReturnType<typeof side>, ReturnType<typeof side>]) =>
  repliesBeside(of, openView(columns)).flatMap(({ count, line }) =>
    Array.from({ length: count }, (_, at) => lineText(line(at)).trimEnd()),
  );

describe("the replies of two compared runs", () => {
  it("are next to each other by request, with a sign at lines that differ", () => {
    const lines = linesOf(80, side("Travel", "go(Oslo)\nstay(2)"), side("Travel", "go(Bergen)\nstay(2)", "more"));
    expect(lines).toEqual([
      "",
      "── Model  plan  m                      │ ── Model  plan  m",
      "  Travel                               │   Travel",
      "",
      "── Model  plan  m                      │ ── Model  plan  m",
      "~ go(Oslo)                             │ ~ go(Bergen)",
      "  stay(2)                              │   stay(2)",
      "",
      "                                       │ ── Model  plan  m",
      "                                       │   more",
    ]);
  });

  it("are paired by stage", () => {
    const lines = linesOf(80, side("apps: Travel", "go(Oslo)"), side("go(Oslo)"));
    expect(lines).toEqual([
      "",
      "── Model  apps  m                      │",
      "  Travel                               │",
      "",
      "── Model  plan  m                      │ ── Model  plan  m",
      "  go(Oslo)                             │   go(Oslo)",
    ]);
  });

  it("are below each other in a narrow window, and each has the number of its run", () => {
    expect(linesOf(75, side("yes"), side("no"))).toEqual([
      "",
      "1 ── Model  plan  m",
      "1 ~ yes",
      "2 ── Model  plan  m",
      "2 ~ no",
    ]);
  });

  it("are searched from one difference to the next", () => {
    const blocks = repliesBeside([side("same", "one"), side("same", "two")], openView(80));
    expect(blocks.filter(({ error }) => error).map(({ id }) => id)).toEqual(["reply 1"]);
  });

  it("are empty if there are no requests", () => {
    expect(repliesBeside([side(), { trajectory: undefined }], openView(80))).toEqual([]);
  });
});

describe("words of compared texts", () => {
  const warned = (lines: ReturnType<typeof markedWords>[number]["lines"]) =>
    lines.flat().flatMap(({ text, style }) => (style === "warn" ? [text] : []));
  const text = (words: string) => [[{ text: `  ${words}` }]];

  it("are marked unless the other text contains them in the same order", () => {
    const [one, other] = markedWords(text("book(seats=2, place=Odeon)"), text("book(seats=3, place=Odeon)"));
    expect([warned(one.lines), warned(other.lines)]).toEqual([
      ["~", "2"],
      ["~", "3"],
    ]);
    expect([one.differs, other.differs]).toEqual([true, true]);
  });

  it("are not marked in identical texts, nor in very long texts", () => {
    expect(markedWords(text("a b"), text("a  b")).map(({ differs }) => differs)).toEqual([false, false]);
    const long = text("word ".repeat(601));
    expect(warned(markedWords(long, text("other"))[0].lines)).toEqual([]);
    const allowed = text("word ".repeat(600));
    expect(warned(markedWords(allowed, text("other"))[1].lines)).toEqual(["~", "other"]);
  });
});

describe("mistakes in compared tasks", () => {
  it("are counted by kind for each run", () => {
    const wrong = row("t");
    const kinds = wrong.score!.errors!.map(({ kind }) => kind);
    const right = row("t", { score: { ...wrong.score!, errors: [] } });
    const pair = { task: "t", question: "", change: "better" as const };
    const counts = kindCounts([
      { ...pair, first: wrong, second: right },
      { ...pair, first: wrong, second: wrong },
      { ...pair, first: undefined, second: wrong },
    ]);
    expect([...counts]).toEqual([...new Set(kinds)].map((kind) => [kind, [2, 2]]));
  });
});
