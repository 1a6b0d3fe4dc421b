/** An endpoint that answered before is waited for by time when it stops answering; an endpoint that never answered is not. */
import { describe, expect, it } from "vitest";
import { OutageProblem } from "../../../source/engine/models/problem.ts";
import { outageMessage, waitAgain } from "../../../source/engine/run/run-models.ts";
import type { Chunk } from "../../../source/engine/types.ts";
import { until } from "../../until.ts";
import { openTestClock, type TestClock } from "../work/test-clock.ts";
import { refuses, says, scriptedServer, type Answer } from "./scripted-server.ts";
import { chunksOf, failure, modelsAt, retriesOf, textOf, toyRequest, toySpec } from "./toy.ts";

/** Refuses connections, or has a proxy answer for it, while `state.away`. */
function server(state: { away: boolean | string }, how: Answer) {
  return scriptedServer((response, seen) => {
    const isAway = state.away === true || JSON.stringify(seen.body).includes(String(state.away));
    (isAway ? how : says("there"))(response, seen);
  });
}

const reset: Answer = (response) => response.socket?.destroy();
const patient = { outageTimeout: 600, idleTimeout: 1e6 };

/** Advances the clock past the next wait between two attempts. */
async function nextAttempt(clock: TestClock): Promise<void> {
  await until(() => expect(clock.due()[0]).toBeLessThanOrEqual(10_000));
  await clock.advance(clock.due()[0]!);
}

describe("an endpoint that answered before", () => {
  it.each([
    ["resets connections", reset],
    ["is behind a proxy that returns 502", refuses(502, {})],
    ["returns 503", refuses(503, {})],
    ["is behind a proxy that returns 504", refuses(504, {})],
  ])("is retried for a period, not a number of attempts, if it %s", async (_, how) => {
    const state = { away: false };
    await using lab = await server(state, how);
    const clock = openTestClock();
    const models = modelsAt(lab.url, patient, {}, clock);
    await chunksOf(models.model("lab/m"));
    state.away = true;
    const reading = chunksOf(models.model("lab/m"));
    while (clock.now() < 400_000) await nextAttempt(clock);
    expect(outageMessage(models, { ...toySpec, model: "lab/m" })).toMatch(
      /^Endpoint lab does not answer \(.+\); waiting [34] minutes more, then the run pauses$/,
    );
    state.away = false;
    await nextAttempt(clock);
    const chunks = await reading;
    expect(textOf(chunks)).toBe("there");
    expect(retriesOf(chunks).length).toBeGreaterThan(40);
    expect(outageMessage(models, { ...toySpec, model: "lab/m" })).toBeUndefined();
  });

  it("fails after that period, and is retried for a new period when the run is resumed", async () => {
    const state = { away: false };
    await using lab = await server(state, reset);
    const clock = openTestClock();
    const models = modelsAt(lab.url, patient, {}, clock);
    await chunksOf(models.model("lab/m"));
    state.away = true;
    const reading = chunksOf(models.model("lab/m")).catch((thrown: unknown) => thrown);
    const gone = chunksOf(models.model("lab/m")).catch((thrown: unknown) => thrown);
    while (clock.now() < 600_000) await nextAttempt(clock);
    for (const thrown of await Promise.all([reading, gone])) {
      expect(thrown).toBeInstanceOf(OutageProblem);
      expect((thrown as Error).message).toContain("has not answered for 10 minutes: no connection");
      expect(thrown).toMatchObject({ kind: "stopped" });
    }
    expect(clock.now()).toBe(600_000);
    waitAgain(models, { ...toySpec, model: "lab/m" });
    const again = chunksOf(models.model("lab/m"));
    await nextAttempt(clock);
    await nextAttempt(clock);
    state.away = false;
    await nextAttempt(clock);
    expect(textOf(await again)).toBe("there");
  });

  it("is considered reachable while it answers other requests, so an unanswered request fails after all its attempts", async () => {
    const state = { away: "poison" };
    await using lab = await server(state, refuses(502, {}));
    const clock = openTestClock();
    const models = modelsAt(lab.url, patient, {}, clock);
    const good = () => chunksOf(models.model("lab/m"));
    await good();
    const bad = failure(
      chunksOf(models.model("lab/m"), toyRequest({ messages: [{ role: "user", content: "poison" }] })),
    );
    for (let attempt = 0; attempt < 4; attempt++) {
      await until(() => expect(clock.due()[0]).toBeLessThanOrEqual(10_000));
      await good();
      await clock.advance(10_000);
    }
    expect(await bad).toMatchObject({ status: 502 });
  });
});

it("an endpoint that has not answered in this run is not retried for a period, because the address may be wrong", async () => {
  const state = { away: true };
  await using lab = await server(state, reset);
  const models = modelsAt(lab.url);
  expect((await failure(chunksOf(models.model("lab/m")))).message).toContain("after 4 attempts");
  state.away = false;
  const chunks: Chunk[] = await chunksOf(models.model("lab/m"));
  expect(textOf(chunks)).toBe("there");
  state.away = true;
  models.outage("lab/m").begin();
  expect((await failure(chunksOf(models.model("lab/m")))).message).toContain("after 4 attempts");
});
