/** A run given to workers at an address that is not the user's, and the password of a Redis on another machine, in the notebook. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ForeignSession } from "../doors/foreign-session.ts";
import { listeningStranger } from "../doors/listening-stranger.ts";
import { until } from "../until.ts";
import { RedisServer } from "../workers/redis-server.ts";
import { describeWithRedis, redisClient } from "../workers/with-redis.ts";
import { cell, onlyRun, questions, WorkedSession } from "../workers/worked-session.ts";
import { showProgram } from "./shown-program.ts";

const palette = "\u0010";
const notAmongYours = /tasks were given to workers at an address that your settings do not name/;

describeWithRedis("a run that was given to workers", () => {
  test("is taken over from the palette after the user types the address and confirms", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", cell("model: builtin/oracle"), { "questions.jsonl": questions(6) });
    const away = await session.open("away", redis.url);
    void away.run(away.cells()[0]!.id);
    const client = redisClient(redis);
    await until(async () => expect(await client.keys("planwright:queue:*:task-q*")).toHaveLength(6));
    await away.close();
    session.worker(redis.url);
    const screen = showProgram({ args: ["away"], folder: session.folder, columns: 140 });
    await screen.waitFor(notAmongYours);
    screen.type(`${palette}collect the`);
    await screen.waitFor(/Collect the results of the cell's tasks that workers have/);
    screen.type("\r");
    await screen.waitFor(/Address of the workers: type redis/);
    screen.type(`${redis.url}\r`);
    await screen.waitFor(/May the sessions of this folder use the workers at 127\.0\.0\.1:\d+\?/);
    screen.type("y");
    await screen.waitFor(/done[\s\S]*6\/6/);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect(onlyRun(await session.open("away"))).toMatchObject({ status: "done", calls: 6 });
  });
});

describe("a run that was given to workers of another address", () => {
  test("is abandoned from the palette, and the remaining tasks are executed on this machine", async () => {
    await using stranger = await listeningStranger();
    using session = await ForeignSession.made(stranger.url);
    const screen = showProgram({ args: ["theirs"], folder: session.folder, columns: 140 });
    await screen.waitFor(notAmongYours);
    screen.type(`j${palette}give up`);
    await screen.waitFor(/Give up the cell's tasks that workers have/);
    screen.type("\r");
    await screen.waitFor(/Give up the tasks that workers have\? Their unfinished work is lost/);
    screen.type("y");
    await screen.waitFor(/The workers' tasks are given up: r runs them here/);
    screen.type("r");
    await screen.waitFor(/done[\s\S]*6\/6/);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect(stranger.connections()).toBe(0);
  });
});

describe("the password of a Redis on another machine", () => {
  test("is sent unencrypted only after the user has agreed, and the consent is saved", async () => {
    await using stranger = await listeningStranger();
    using session = await ForeignSession.made("redis://lab");
    session.keep();
    const url = stranger.url.replace("127.0.0.1", "0.0.0.0");
    mkdirSync(join(session.folder, "settings"));
    writeFileSync(join(session.folder, "settings", "settings.json"), JSON.stringify({ workers: { url, use: true } }));
    const env = { PLANWRIGHT_REDIS_PASSWORD: "open-sesame" };
    const screen = showProgram({ args: ["theirs"], folder: session.folder, columns: 140, env });
    await screen.waitFor(/run fresh/);
    screen.type("jr");
    await screen.waitFor(/Send the password to 0\.0\.0\.0:\d+ unencrypted over the network\?/);
    screen.type("n");
    await screen.waitFor(/Nothing was sent/);
    expect(stranger.connections()).toBe(0);
    screen.type("r");
    await screen.waitFor(/Send the password/);
    screen.type("y");
    await until(() => expect(stranger.bytes()).toBeGreaterThan(0));
    screen.type("q");
    await screen.waitFor(/cannot be used|Quit/);
    screen.type("y");
    await screen.ended;
  });
});
