import { describe, expect, it } from "vitest";
import type { TextStep } from "../../source/engine/log/live-stream.ts";
import type { NewEvent } from "../../source/engine/log/file/log.ts";
import { trajectoryOf } from "../../source/engine/log/trajectory.ts";
import type { Event, TaskEvent } from "../../source/engine/types.ts";
import { FollowedAttempt } from "../../source/workers/followed-attempts.ts";
import type { Shipment } from "../../source/workers/messages.ts";

type ShippedEntry = Shipment["entries"][number];
const text = (words: string, request = 0): TextStep => ({ type: "text", request, text: words });
const piece = (words: string, request = 0): ShippedEntry => ({ piece: text(words, request) });
const written = (event: object): ShippedEntry => ({ event: { task: "t", ...event } as NewEvent });
const started = written({ type: "started", facets: {}, question: "?", worker: { name: "node1", attempt: "a" } });
const prompt = (request = 0) =>
  written({ type: "prompt", request, role: "model", model: "m", stage: "plan", messages: [] });

/** Returns a followed attempt, its log, and what a live view shows of it. */
function followed(logged: readonly TaskEvent[] = []) {
  const attempt = new FollowedAttempt({ task: "t", attempt: "a", worker: "node1" }, logged);
  const log = [...logged];
  const append = (event: NewEvent): Event => {
    const stamped = { seq: log.length, at: 5, ...event } as TaskEvent;
    log.push(stamped);
    return stamped;
  };
  const take = (...entries: readonly ShippedEntry[]) => attempt.take(log.length, entries, append);
  const shown = () => attempt.stream.trajectory;
  return { attempt, log, take, shown };
}

const textsOf = (trajectory: ReturnType<typeof trajectoryOf>) =>
  trajectory.entries.flatMap((entry) => (entry.kind === "turn" ? [entry.text] : []));

describe("a worker's attempt, watched live", () => {
  it("is the same object until an event arrives, and equals the log in the end", () => {
    const { attempt, log, take, shown } = followed();
    take(started, prompt(), piece("to "));
    expect(shown()).toBe(shown());
    expect(textsOf(shown())).toEqual(["to "]);
    take(piece("be "));
    expect(textsOf(shown())).toEqual(["to be "]);
    // Streamed text enters the log, and the stream continues.
    take(
      written(text("to be or ")),
      piece("not"),
      written(text("not ")),
      written({ type: "finish", request: 0, reason: "stop" }),
    );
    expect(textsOf(shown())).toEqual(["to be or not "]);
    expect(shown()).toEqual(trajectoryOf("t", log));
    expect(shown().worker).toBe("node1");
    expect(attempt.stream.tail()).toEqual([]);
  });

  it("shows all text even if the watching started in the middle of the text", () => {
    const { log, take, shown } = followed();
    take(started, prompt(), piece("be "), piece("or"));
    expect(textsOf(shown())).toEqual(["be or"]);
    take(written(text("to be or")), piece(" not"));
    expect(textsOf(shown())).toEqual(["to be or not"]);
    take(written(text(" not")));
    expect(shown()).toEqual(trajectoryOf("t", log));
  });

  it("keeps two simultaneous requests separate", () => {
    const { log, take, shown } = followed();
    take(started, prompt(0), prompt(1), piece("a", 0), piece("x", 1), piece("b", 0), piece("y", 1));
    expect(textsOf(shown())).toEqual(["ab", "xy"]);
    take(written(text("ab", 0)), written(text("xyz", 1)));
    expect(textsOf(shown())).toEqual(["ab", "xyz"]);
    expect(shown()).toEqual(trajectoryOf("t", log));
  });

  it("starts with the events of the log if another coordinator followed the attempt before", () => {
    const before = followed();
    before.take(started, prompt(), written(text("to ")));
    const { attempt, take, shown } = followed(before.log);
    expect(textsOf(shown())).toEqual(["to "]);
    take(piece("be"));
    expect(textsOf(shown())).toEqual(["to be"]);
    expect(attempt.stream.tail()).toEqual([text("be")]);
    // The log's own events are not changed.
    expect(before.log.at(-1)).toMatchObject({ text: "to " });
  });
});
