import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { roundsText, workersText } from "../../source/commands/session/workers.ts";
import { packageVersion } from "../../source/engine/settings/package-folder.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { Presence, type WorkerPresence } from "../../source/workers/presence.ts";
import type { RoundPresence } from "../../source/workers/rounds/rounds-at.ts";
import { until } from "../until.ts";
import { RedisServer } from "../workers/redis-server.ts";
import { describeWithRedis, redisClient } from "../workers/with-redis.ts";
import { temporaryFolder, typed } from "./typed.ts";
import { builtProgram } from "../built-program.ts";

// The hash of the program is computed once per process, and equals the build's.
beforeAll(() => void builtProgram());

const at = temporaryFolder();

const task = (name: string) => ({ run: "r1", task: name });
const busy: WorkerPresence = {
  id: "a",
  name: "node1/17",
  host: "node1",
  pid: 17,
  version: packageVersion(),
  program: "abc",
  concurrency: 8,
  since: 1_790_000_000_000,
  load: 0.514,
  tokensPerSecond: 120.4,
  ended: 51,
  failed: 2,
  tasks: ["t1", "t2", "t3", "t4", "t5"].map(task),
  endpoints: [],
};
const idle = { ...busy, id: "b", name: "node2/9", load: 0, tokensPerSecond: 0, ended: 0, failed: 0, tasks: [] };

describe("the list of workers", () => {
  it("shows each worker's runs and failures, and the load of its machine", () => {
    expect(workersText([busy, idle], "redis://lab", "abc"))
      .toBe(`2 workers at lab:6379: 5 of at most 16 tasks running, 120 tokens/s

worker    running  load  tokens/s  ended  failed  version  executes
node1/17   5 of 8  0.51       120     51       2  ${packageVersion()}    t1, t2, t3, 2 more
node2/9    0 of 8  0.00         0      0       0  ${packageVersion()}
`);
  });

  it("warns of workers that will reject the runs of this program", () => {
    const others = [idle, { ...busy, version: "9.9.9" }, { ...busy, program: "def" }];
    expect(workersText(others, "redis://lab", "abc")).toContain(
      `2 workers of another version or build than this program (${packageVersion()}) will reject runs of this program\n`,
    );
  });

  it("explains how to start a worker if there is none", () => {
    expect(workersText([], "rediss://lab:7000", "abc")).toBe(
      "No worker is connected to lab:7000; start one with `planwright worker rediss://lab:7000`\n",
    );
  });

  it("contains no escape sequences of workers' names", () => {
    expect(workersText([{ ...busy, name: "\u001b[2Jnode" }], "redis://lab", "abc")).not.toContain("\u001b");
  });
});

const waiting: RoundPresence = {
  round: "r1-0a",
  run: "r1",
  age: 61,
  tasks: 200,
  left: 16,
  requests: 1084,
  tokens: 5_000_000,
  reader: { host: "node1", folder: "/home/me/mine", heard: 1 },
};
const unread = { ...waiting, round: "r2-0b", run: null, age: 90_000, tasks: null, left: null, reader: null };

describe("the list of rounds of runs", () => {
  it("shows each round's age, remaining tasks, usage and reader", () => {
    expect(roundsText([unread, waiting], "redis://lab"))
      .toBe(`2 rounds at lab:6379, 1 of them without a reader (end one with \`planwright workers redis://lab --end ROUND\`)

round   age       left  requests   tokens  read by
r2-0b  25 h          ?      1084  5000000  nobody
r1-0a  61 s  16 of 200      1084  5000000  node1: /home/me/mine
`);
  });

  it("contains no escape sequences of a run's names", () => {
    const hostile = { ...waiting, round: "\u001b[2J", reader: { ...waiting.reader!, folder: "\u001b]0;t" } };
    expect(roundsText([hostile], "redis://lab")).not.toContain("\u001b");
  });
});

describe("planwright workers", () => {
  test("prints the documented fields with --rounds --json", () => {
    const line = /^\| `workers --rounds --json` .*$/m.exec(readFileSync("documentation/exports.md", "utf8"))?.[0];
    for (const field of [waiting, waiting.reader!].flatMap((each) => Object.keys(each)))
      expect(line).toContain(`\`${field}\``);
  });

  test("prints the documented fields with --json", () => {
    const line = /^\| `workers --json` .*$/m.exec(readFileSync("documentation/exports.md", "utf8"))?.[0];
    for (const field of [busy, ...busy.tasks].flatMap((each) => Object.keys(each)))
      expect(line).toContain(`\`${field}\``);
  });

  test.each([
    [[], "Expected the address of a Redis server, such as redis://HOST:6379, got none"],
    [["redis://a", "redis://b"], "Expected one address, got 2"],
    [["http://a"], "Expected the address of a Redis server, such as redis://HOST:6379, got `http://a`"],
  ])("rejects %j", async (args, why) => {
    const { status, err } = await typed("workers", ...args);
    expect(status).toBe(2);
    expect(err).toContain(why);
  });

  test("never shows a password in an address", async () => {
    for (const url of ["redis://me:hidden@lab:6379", "http://me:hidden@lab"]) {
      const { status, out, err } = await typed("workers", url);
      expect(status).toBe(2);
      expect(out + err).not.toContain("hidden");
    }
  });

  test("uses the address from the settings unless `--workers` is given", async () => {
    const document = "```run main\nsuite: appbench\nsplit: ss\nlimit: 2\nmodel: builtin/oracle\n```\n";
    mkdirSync(at("s"));
    writeFileSync(at("s", "session.md"), document);
    // No server listens there, and the error of the run names the address that was used.
    const [own, other] = ["redis://127.0.0.1:1", "redis://127.0.0.1:2"];
    const choose = async (use: boolean) =>
      (await openSettings()).change((settings) => ({ ...settings, workers: { url: own, use } }));
    await choose(true);
    const chosen = await typed("run", at("s"));
    expect(chosen).toMatchObject({ status: 1 });
    expect(chosen.out).toContain("Redis at 127.0.0.1:1 cannot be used");
    expect((await typed("run", at("s"), "--workers", other)).out).toContain("Redis at 127.0.0.1:2 cannot be used");
    expect((await typed("run", at("s"), "--workers", "http://lab")).err).toContain(
      "Expected the address of a Redis server",
    );
    await choose(false);
    expect((await typed("run", at("s"), "--workers", other)).out).toContain("Redis at 127.0.0.1:2 cannot be used");
    const here = await typed("run", at("s"), "--json");
    expect(here).toMatchObject({ status: 0 });
    // The executing program is not part of a run's id, so it is the same run, which the earlier commands have not begun.
    expect(readdirSync(at("s", "runs"))).toEqual([JSON.parse(here.out).cells[0].runs[0].run]);
    expect(readFileSync(at("s", "session.md"), "utf8")).toBe(document);
  });

  describeWithRedis("the list of workers at a Redis", () => {
    test("contains the live workers, as text and as JSON, with the password from the environment", async () => {
      const password = "open-sesame";
      await using server = await RedisServer.start({ password });
      vi.stubEnv("PLANWRIGHT_REDIS_PASSWORD", "wrong");
      const refused = await typed("workers", server.url);
      expect(refused.status).toBe(2);
      expect(refused.err).toMatch(/^planwright: Redis at 127\.0\.0\.1:\d+ cannot be used: .*PLANWRIGHT_REDIS_PASSWORD/);
      vi.stubEnv("PLANWRIGHT_REDIS_PASSWORD", password);
      expect((await typed("workers", server.url)).out).toMatch(/^No worker is connected to 127\.0\.0\.1:\d+/);
      const presence = new Presence(redisClient(server, { password }), () => busy);
      onTestFinished(() => presence.end());
      await until(async () => expect((await typed("workers", server.url)).out).toContain("node1/17"));
      expect(JSON.parse((await typed("workers", server.url, "--json")).out)).toEqual([busy]);
      // Without an address the settings' address is used.
      (await openSettings()).change((settings) => ({ ...settings, workers: { url: server.url, use: false } }));
      expect((await typed("workers", "--json")).out).toContain("node1/17");
    });
  });
});
