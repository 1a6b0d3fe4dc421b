/** A worker decides once per round whether to take part. */
import { appendFileSync, cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { programHash } from "../../source/engine/settings/program-hash.ts";
import { packageVersion } from "../../source/engine/settings/package-folder.ts";
import { roundKeys } from "../../source/workers/rounds/round-keys.ts";
import { bareSpec } from "../bare-spec.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { cell, execute, onlyRun, questions, WorkedSession } from "./worked-session.ts";

const root = join(import.meta.dirname, "..", "..");
const refusalsOf = (printed: string) =>
  printed.split("\n").filter((line) => line.startsWith("This worker does not take part"));

describeWithRedis("a worker with several rounds", () => {
  it("takes part in a valid round among invalid entries, and rejects each invalid entry once", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const client = redisClient(redis);
    const whole = { run: "r", spec: bareSpec("appbench"), version: packageVersion(), cache: false };
    const manifest = { ...whole, program: await programHash(), prices: {}, toolkits: {} };
    const texts = {
      junk: "}{",
      list: "[]",
      fields: JSON.stringify({ ...manifest, spec: "none" }),
      "a:b": JSON.stringify({ ...manifest, spec: bareSpec("own/questions.jsonl") }),
      older: JSON.stringify({ ...manifest, version: "0.0.1" }),
      escaping: JSON.stringify(manifest),
    };
    for (const [id, text] of Object.entries(texts)) await client.set(roundKeys(id).manifest, text);
    await client.hset(roundKeys("escaping").files, "../../escaped.txt", "");
    await client.rpush(roundKeys("kind").manifest, "none");
    const ids = [...Object.keys(texts), "kind"];
    for (const [index, id] of ids.entries()) await client.zadd("planwright:rounds", index, id);
    const worker = session.worker(redis.url);
    // With two runs in sequence, the worker checks many times.
    for (const name of ["one", "two"]) {
      session.write(name, cell("model: builtin/oracle"), { "questions.jsonl": questions(12) });
      const away = await session.open(name, redis.url);
      await execute(away);
      expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 12 } });
    }
    const refusals = refusalsOf(worker.printed.err);
    expect(refusals.map((line) => /part in (.+?): /.exec(line)![1]).toSorted()).toEqual(ids.toSorted());
    expect(refusals).toContainEqual(expect.stringMatching(/in junk: Expected the round's manifest to be JSON/));
    expect(refusals).toContainEqual(expect.stringMatching(/in escaping: Expected a path inside/));
    expect(await client.hget(roundKeys("older").refused, `${await hostOf(client)}`)).toMatch(
      /^the worker is Planwright .* \(build [0-9a-f]{12}\), but the run needs 0\.0\.1 \(build [0-9a-f]{12}\)$/,
    );
  });

  it("rejects the runs of another build of its version, and reports both builds", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const other = join(session.folder, "other");
    mkdirSync(other);
    for (const name of ["dist", "package.json"]) cpSync(join(root, name), join(other, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(other, "node_modules"));
    const part = readdirSync(join(other, "dist")).find((name) => /^agent-process-.*\.js$/.test(name))!;
    appendFileSync(join(other, "dist", part), "\n");
    session.write("away", cell("model: builtin/oracle"), { "questions.jsonl": questions(3) });
    const away = await session.open("away", redis.url);
    const running = execute(away);
    const worker = session.workerOf(join(other, "dist", "cli.js"), redis.url);
    const own = (await programHash()).slice(0, 12);
    await until(() =>
      expect(onlyRun(away).message).toMatch(
        new RegExp(
          `does not take part in the run: the worker is Planwright .* \\(build (?!${own})[0-9a-f]{12}\\), .* \\(build ${own}\\)$`,
        ),
      ),
    );
    expect(refusalsOf(worker.printed.err)).toHaveLength(1);
    session.worker(redis.url);
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 3 } });
  });
});

/** Resolves to the name of the worker that refused. */
async function hostOf(client: ReturnType<typeof redisClient>): Promise<string> {
  const [name] = await client.hkeys(roundKeys("junk").refused);
  return name!;
}
