/** Workers sample each role as the cell says, because its settings are sent with the round. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { says, scriptedServer } from "../engine/models/scripted-server.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";
import { cell, execute, onlyRun, questions, WorkedSession } from "./worked-session.ts";

describeWithRedis("a run with workers whose judge has its own settings", () => {
  test("sends these settings in the judge's requests, and the run's settings in the model's requests", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using server = await scriptedServer((response, seen) =>
      (seen.body["model"] === "m" ? says("Some words.") : says("It is. Verdict: right"))(response, seen),
    );
    const lab = { name: "lab", baseUrl: server.url, concurrency: 2, idleTimeout: 30, identify: false };
    for (const settings of ["settings", "worker-settings"])
      (await openSettings(join(session.folder, settings))).change((now) => ({ ...now, endpoints: [lab] }));
    const judge = "judge: {model: lab/j, temperature: 0.3, maxTokens: 77, seed: 5}";
    const text = cell("model: lab/m", "check: judge", "temperature: 0.9", "maxTokens: 20", "stop: [END]", judge);
    session.write("away", text, { "questions.jsonl": questions(3) });
    const workbench = await session.open("away", redis.url);
    session.worker(redis.url);
    await execute(workbench);
    expect(onlyRun(workbench)).toMatchObject({ status: "done", counts: { right: 3 } });
    const sampling = (model: string) =>
      server.seen.flatMap(({ body: { model: asked, temperature, max_tokens, stop, seed } }) =>
        asked === model ? [{ temperature, max_tokens, stop, seed }] : [],
      );
    const ofModel = { temperature: 0.9, max_tokens: 20, stop: ["END"], seed: undefined };
    const ofJudge = { temperature: 0.3, max_tokens: 77, stop: undefined, seed: 5 };
    expect(sampling("m")).toEqual([ofModel, ofModel, ofModel]);
    expect(sampling("j")).toEqual([ofJudge, ofJudge, ofJudge]);
  });
});
