import { afterEach, expect, test, vi } from "vitest";
import { LiveStream, type TextStep } from "../../../source/engine/log/live-stream.ts";
import { TrajectoryFold, trajectoryOf } from "../../../source/engine/log/trajectory.ts";
import type { Step, TaskEvent } from "../../../source/engine/types.ts";

afterEach(() => void vi.restoreAllMocks());

const event = (step: Step): TaskEvent => ({ seq: -1, at: 5, task: "t", ...step });
const prompt = (request: number) =>
  event({ type: "prompt", request, role: "model", model: "m", stage: "step", messages: [] });
const text = (words: string, request = 0): TextStep => ({ type: "text", request, text: words });
const turn = (request: number): TaskEvent[] => [
  prompt(request),
  event({ type: "thinking", request, text: "well ", field: "reasoning" }),
  event(text(`reply ${request}`, request)),
  event({ type: "node", id: `n${request % 3}`, kind: "step", label: `${request}`, state: "open" }),
  event({ type: "finish", request, reason: "stop" }),
];
const textsOf = ({ trajectory }: LiveStream) =>
  trajectory.entries.flatMap((entry) => (entry.kind === "turn" ? [entry.text] : []));

test("a live stream reads each event once, however long the stream is and however often it is read", () => {
  const stream = new LiveStream("t");
  const events: TaskEvent[] = [];
  const take = vi.spyOn(TrajectoryFold.prototype, "take");
  for (let request = 0; request < 300; request++) {
    for (const next of turn(request)) {
      events.push(next);
      stream.take({ event: next });
      expect(stream.trajectory).toBe(stream.trajectory);
    }
  }
  expect(take).toHaveBeenCalledTimes(events.length);
  expect(stream.trajectory).toEqual(trajectoryOf("t", events));
  expect(stream.trajectory.nodes.map(({ id, label }) => [id, label])).toEqual([
    ["n0", "297"],
    ["n1", "298"],
    ["n2", "299"],
  ]);
});

test("a live stream shows text before the event of the text is written, and then shows the event in its place", () => {
  const stream = new LiveStream("t", [prompt(0)]);
  expect(textsOf(stream)).toEqual([""]);
  const take = vi.spyOn(TrajectoryFold.prototype, "take");
  const replies: string[] = [];
  for (const more of ["reply", ", and", " more"]) {
    stream.take({ piece: text(more) });
    replies.push(...textsOf(stream));
  }
  expect(replies).toEqual(["reply", "reply, and", "reply, and more"]);
  expect(take).not.toHaveBeenCalled();
  const live = stream.trajectory;
  expect(stream.trajectory).toBe(live);
  expect(stream.events).toEqual([prompt(0), event(text("reply, and more"))]);
  stream.take({ event: event(text("reply, and more")) });
  expect(stream.trajectory).toEqual(live);
  expect(stream.tail()).toEqual([]);
});

test("a live stream joins adjacent texts only if they belong to one request", () => {
  const stream = new LiveStream("t", [prompt(0), prompt(1), event(text("a")), event(text("b")), event(text("x", 1))]);
  expect(stream.events.slice(2)).toEqual([event(text("ab")), event(text("x", 1))]);
});

test("a live stream removes text from the answer if the text proves to be thinking", () => {
  const stream = new LiveStream("t", [prompt(0), event(text("Hmm"))]);
  stream.take({ piece: { type: "thinking", request: 0, text: "", textBefore: true } });
  stream.take({ piece: text("B") });
  expect(stream.trajectory.entries[0]).toMatchObject({ thinking: "Hmm", text: "B" });
});

test("a live stream shows the text that another program streams in place of its own last text", () => {
  const stream = new LiveStream("t", [prompt(0), prompt(1)]);
  stream.replaceTail([text("to "), text("x", 1)]);
  expect(textsOf(stream)).toEqual(["to ", "x"]);
  stream.replaceTail([text("to be")]);
  expect(textsOf(stream)).toEqual(["to be", ""]);
  expect(stream.tail(0)).toEqual([text("to be")]);
});

test("a live stream gives text without an event the time of the last event, and no sequence number", () => {
  const stream = new LiveStream("t");
  stream.take({ piece: text("a", 3) });
  expect(stream.events).toEqual([{ type: "text", request: 3, text: "a", seq: -1, at: 0, task: "t" }]);
  const later = new LiveStream("t", [prompt(0), { ...event({ type: "note", kind: "n", text: "" }), at: 9 }]);
  later.take({ piece: text("a") });
  later.take({ piece: text("b", 1) });
  expect(later.events.slice(2)).toEqual([
    { ...event(text("a")), at: 9 },
    { ...event(text("b", 1)), at: 9 },
  ]);
});

test("a live stream contains the prompts that were sent, and the worker that started the attempt", () => {
  const started = (more: object) => event({ type: "started", facets: {}, question: "", ...more } as never);
  const stream = new LiveStream("t", [started({ worker: { name: "w1" } }), prompt(0), prompt(1)]);
  expect([stream.prompt(1), stream.prompt(2), stream.worker]).toEqual([prompt(1), undefined, "w1"]);
  expect(new LiveStream("t", [started({}), prompt(0)]).worker).toBeUndefined();
  expect(new LiveStream("t", [prompt(0), started({ worker: { name: "w1" } })]).worker).toBeUndefined();
  expect(new LiveStream("t").worker).toBeUndefined();
});

test("a live stream joins text that is not logged yet with the text before it, if both are thinking or neither is", () => {
  const thinking = (words: string): TextStep => ({ type: "thinking", request: 0, text: words });
  const stream = new LiveStream("t");
  for (const piece of [text("a"), thinking("b"), thinking("c"), text("d"), text("e")]) stream.take({ piece });
  expect(stream.tail(0)).toEqual([text("a"), thinking("bc"), text("de")]);
});
