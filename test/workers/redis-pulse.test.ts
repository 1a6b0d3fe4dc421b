import { EventEmitter } from "node:events";
import { expect, it, describe } from "vitest";
import { RedisPulse } from "../../source/workers/redis-pulse.ts";
import { openTestClock } from "../engine/work/test-clock.ts";

/** A client whose replies are released by the test. */
class HeldClient extends EventEmitter {
  readonly asked: PromiseWithResolvers<string>[] = [];
  ping(): Promise<string> {
    const asked = Promise.withResolvers<string>();
    this.asked.push(asked);
    return asked.promise;
  }
}

function opened() {
  const client = new HeldClient();
  const clock = openTestClock();
  const told: string[] = [];
  const changed = () => void told.push(pulse.isSilent ? "silent" : "answers");
  const connectedAnew = () => void told.push("connected anew");
  const pulse: RedisPulse = new RedisPulse(client as never, { changed, connectedAnew, clock });
  /** Advances the clock while every ping is answered. */
  const answered = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 500) {
      for (const asked of client.asked.splice(0)) asked.resolve("PONG");
      await clock.advance(500);
    }
  };
  return { client, clock, told, pulse, answered };
}

describe("the check that a Redis still answers", () => {
  it("reports within 3 seconds that Redis does not answer on an open socket, and also when it answers again", async () => {
    const { clock, told, pulse, answered } = opened();
    await answered(60_000);
    await clock.advance(2000);
    expect([told, pulse.isSilent]).toEqual([[], false]);
    await clock.advance(1000);
    expect([told, pulse.isSilent]).toEqual([["silent"], true]);
    await clock.advance(60_000);
    expect(told).toEqual(["silent"]);
    await answered(500);
    expect([told, pulse.isSilent]).toEqual([["silent", "answers"], false]);
  });

  it("reports a lost connection immediately, and after a new connection whether it is another Redis", async () => {
    const { client, told, answered } = opened();
    await answered(1000);
    client.emit("close");
    expect(told).toEqual(["silent"]);
    await answered(1000);
    expect(told).toEqual(["silent", "connected anew", "answers"]);
  });

  it("counts an error as an answer, for example that of a full or loading Redis", async () => {
    const { client, clock, told } = opened();
    for (let beats = 0; beats < 20; beats++) {
      for (const asked of client.asked.splice(0))
        asked.reject(Object.assign(new Error("MISCONF"), { name: "ReplyError" }));
      await clock.advance(500);
    }
    expect(told).toEqual([]);
  });

  it("reports nothing after it has been ended", async () => {
    const { client, clock, told, pulse } = opened();
    pulse.end();
    client.emit("close");
    await clock.advance(60_000);
    expect([told, clock.due()]).toEqual([[], []]);
  });
});
