import { expect, test } from "vitest";
import { Recorder } from "../../source/engine/log/recorder.ts";
import type { TaskEvent } from "../../source/engine/types.ts";
import { Shipping } from "../../source/workers/shipping.ts";
import type { Shipment } from "../../source/workers/messages.ts";
import { openTestClock } from "../engine/work/test-clock.ts";
import { until } from "../until.ts";

/** A stream that accepts events only in order, like Redis, and can be made to fail. */
function stream() {
  const clock = openTestClock();
  const taken: Shipment[] = [];
  const refused: (string | undefined)[] = [];
  let [next, full, superseded, watched] = [0, false, false, false];
  const append = async (shipment: Shipment) => {
    if (full) throw new Error("OOM");
    if (superseded) return undefined;
    if (shipment.from !== next) return next;
    taken.push(shipment);
    return (next += shipment.entries.filter((entry) => "event" in entry).length);
  };
  const ended: string[] = [];
  const abandoned = new AbortController();
  const shipping = new Shipping({
    task: "t",
    attempt: "r.1",
    worker: "w",
    append,
    abandoned: abandoned.signal,
    superseded: () => void ended.push("superseded"),
    refused: (message) => void refused.push(message),
    take: () => {},
    isWatched: () => watched,
    clock,
  });
  const types = () =>
    taken.flatMap(({ entries }) => entries.map((each) => ("event" in each ? each.event.type : each.piece.text)));
  return {
    clock,
    shipping,
    recorder: new Recorder(shipping, "t", undefined, clock),
    taken,
    refused,
    ended,
    types,
    lose: (events: number) => void (next -= events),
    fill: (isFull: boolean) => void (full = isFull),
    abandon: () => abandoned.abort(),
    supersede: () => void (superseded = true),
    watch: () => void (watched = true),
  };
}

const end = { scored: true, hopeless: false } as const;

test("every event arrives once and in order; the first event names the worker, and the last event how the attempt ended", async () => {
  const { recorder, shipping, types, taken } = stream();
  recorder.start({}, "Q");
  recorder.take({ type: "note", kind: "a", text: "" });
  await shipping.flushed();
  recorder.take({ type: "answer", answer: 1 });
  await shipping.end(end);
  expect(types()).toEqual(["started", "note", "answer"]);
  const [first] = taken[0]!.entries as [{ readonly event: TaskEvent }];
  expect(first.event).toMatchObject({ type: "started", worker: { name: "w", attempt: "r.1" } });
  expect(taken.at(-1)).toMatchObject({ end });
});

test("messages that Redis rejects are not retried forever if the attempt is abandoned", async () => {
  const { abandon, clock, fill, recorder, refused, shipping, taken } = stream();
  fill(true);
  recorder.start({}, "?");
  const flushed = shipping.flushed();
  await clock.advance(5000);
  expect(refused.length).toBeGreaterThan(5);
  abandon();
  await clock.advance(500);
  await flushed;
  expect([taken, clock.due()]).toEqual([[], []]);
});

test("messages that Redis lost in a crash are sent again", async () => {
  const { recorder, shipping, types, lose } = stream();
  recorder.start({}, "Q");
  for (const kind of ["a", "b", "c"]) recorder.take({ type: "note", kind, text: "" });
  await shipping.flushed();
  lose(2);
  await shipping.end(end);
  expect(types()).toEqual(["started", "note", "note", "note", "note", "note"]);
});

test("a full Redis is reported, and receives all messages once it has room", async () => {
  const { recorder, shipping, types, refused, fill, clock } = stream();
  fill(true);
  recorder.start({}, "Q");
  const ending = shipping.end(end);
  await until(() => expect(refused).toEqual(["OOM"]));
  fill(false);
  await clock.advance(500);
  await ending;
  expect(refused.at(-1)).toBeUndefined();
  expect(types()).toEqual(["started"]);
});

test("an attempt sends no further message once another attempt is the result of its task", async () => {
  const { recorder, shipping, types, supersede, ended } = stream();
  recorder.start({}, "Q");
  await shipping.flushed();
  supersede();
  recorder.take({ type: "note", kind: "a", text: "" });
  await shipping.end(end);
  recorder.take({ type: "note", kind: "b", text: "" });
  await shipping.flushed();
  expect(types()).toEqual(["started"]);
  expect(ended).toEqual(["superseded"]);
});

test("text arrives as a whole in the log, and in parts on the screen", async () => {
  const { recorder, shipping, types, watch, clock } = stream();
  recorder.start({}, "Q");
  recorder.take({ type: "text", request: 0, text: "one " });
  watch();
  recorder.take({ type: "text", request: 0, text: "two " });
  await shipping.flushed();
  expect(types()).toEqual(["started", "two "]);
  await clock.advance(250);
  await shipping.flushed();
  expect(types()).toEqual(["started", "two ", "text"]);
});
