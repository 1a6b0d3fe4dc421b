/**
 * What is left of a run if its server fails and refuses: each kind of fault alone and all together, and a server that takes only some
 * of the requests. Each is measured for the same time, so that the last tasks, which may wait for long, decide nothing.
 */
import { writeFileSync } from "node:fs";
import { redisInstalled, RedisServer } from "../test/workers/redis-server.ts";
import type { OwnRedis } from "../source/engine/settings/own-redis.ts";
import { workersAt } from "../source/workers/presence.ts";
import { startServer } from "./child-program.ts";
import type { Bench, Compared } from "./measurement.ts";
import { Scene, type Started, wait } from "./torture/program.ts";

/** Tasks at a time. */
const width = 32;
/** Requests the server takes at a time. */
const places = 8;
/** Workers of the run that is not executed by one process. */
const workers = 2;
/** Seconds after which each run is stopped. */
const seconds = 9;
/** Seconds after which a silent request is cut. */
const silence = 5;

/** Shares of requests, as in the soak of `npm run torture`. */
const faults = { "429": 0.1, "500": 0.05, cut: 0.02, stall: 0.01, malformed: 0.01 };
const [tokens, latency, pace] = [10, 500, 25];
const replies = ["--lorem", "--tokens", String(tokens), "--latency", String(latency), "--pace", String(pace)];
/** Seconds of a request that is answered: after its tokens come the reason why it ended, its usage and the end. */
const requestTime = (latency + (tokens + 3) * pace) / 1000;

type Load = {
  /** Seconds of a hundred tasks. */
  readonly hundred: number;
  /** Share of requests that the server refused. */
  readonly refused: number;
};

export const bench: Bench = async function* () {
  const calm = await load([]);
  const alone = new Map<string, Load>();
  for (const [kind, rate] of Object.entries(faults)) alone.set(kind, await load([`--rate-${kind}`, String(rate)]));
  const all = await load(Object.entries(faults).flatMap(([kind, rate]) => [`--rate-${kind}`, String(rate)]));
  const [slowest, least] = [...alone].reduce((one, other) => (other[1].hundred > one[1].hundred ? other : one));
  const bound = { of: "its requests without any wait", value: (100 * requestTime) / width };
  const line = (what: string, measured: Load, of: string, beside: Load): Compared => ({
    what: `100 tasks, ${width} at a time, ${what}`,
    ours: measured.hundred,
    unit: "s",
    beside: { of, value: beside.hundred },
    goal: 2,
    bound,
  });
  yield line("10 % 429", alone.get("429")!, "without faults", calm);
  const together = "10 % 429, 5 % 500, 2 % cut, 1 % silent for 5 s, 1 % malformed";
  yield line(together, all, `the slowest alone (${slowest})`, least);
  yield* refusing("one process", await load(["--concurrency", String(places)]));
  if (redisInstalled) yield* refusing(`${workers} workers`, await loadOfWorkers(["--concurrency", String(places)]));
  else yield { of: "workers whose server refuses requests", leftOut: "no redis-server" };
};

/** Simulates a server that refuses requests beyond its capacity. */
function* refusing(who: string, measured: Load): Generator<Compared> {
  const unknown = { unknown: "the share follows from how often more is tried" };
  const what = `${width} at a time by ${who}, to a server that takes ${places} and refuses the rest`;
  const full = {
    of: `${places} places busy all the time`,
    value: (100 * requestTime) / places,
  };
  yield { what: `100 tasks, ${what}`, ours: measured.hundred, unit: "s", beside: full, goal: 1.25, bound: full };
  const half = { of: "half of what is sent", value: 50 };
  yield { what: `refused, ${what}`, ours: 100 * measured.refused, unit: "%", beside: half, goal: 1, bound: unknown };
}

/** A run of its own at a server with these options, executed by the program itself or by workers at this Redis. */
async function load(options: readonly string[], redis?: OwnRedis): Promise<Load> {
  const server = await startServer([...replies, "--seed", "1", ...options]);
  using scene = new Scene();
  try {
    const lab = ["lab", "--base-url", server.url, "--concurrency", String(width), "--silence", String(silence)];
    await scene.run("endpoint", "add", ...lab);
    scene.session("```run main\nsuite: own\nfrom: questions.jsonl\nmodel: lab/lorem\n```\n");
    // More than there is time for.
    const questions = Array.from({ length: (2 * width * seconds) / requestTime }, (_, index) =>
      JSON.stringify({ id: `q${index}`, question: `What is number ${index}?`, answer: "none" }),
    );
    writeFileSync(scene.at("sessions/mine/questions.jsonl"), questions.join("\n"));
    const hands = redis === undefined ? [] : await startWorkers(scene, redis);
    const args = ["run", "mine", "--until", `${seconds}s`];
    const { err } = await scene.run(...args, ...(redis === undefined ? [] : ["--workers", redis]));
    for (const { child } of hands) child.kill("SIGTERM");
    await Promise.all(hands.map(({ ended }) => ended));
    const reply = await fetch(`${server.url}/planwright/faults`);
    const counts = (await reply.json()) as { readonly requests: number; readonly "429": number };
    return { hundred: timeOfHundred(scene, err), refused: counts["429"] / counts.requests };
  } finally {
    server.stop();
  }
}

/** From the first task that begins to the last that is scored, as replies may come in batches. */
function timeOfHundred(scene: Scene, err: string): number {
  const events = scene.events() as readonly { readonly type: string; readonly at: number }[];
  const begun = events.find(({ type }) => type === "started")?.at ?? 0;
  const scored = events.flatMap(({ type, at }) => (type === "scored" ? [at] : []));
  if (scored.length === 0) throw new Error(`Expected tasks to be executed: ${err.slice(-300)}`);
  return (Math.max(...scored) - begun) / 10 / scored.length;
}

async function loadOfWorkers(options: readonly string[]): Promise<Load> {
  await using redis = await RedisServer.start({ appendfsync: "everysec" });
  return await load(options, redis.url as OwnRedis);
}

/** Resolves once they are there. */
async function startWorkers(scene: Scene, redis: OwnRedis): Promise<readonly Started[]> {
  const args = ["worker", redis, "--concurrency", String(width / workers)];
  const started = Array.from({ length: workers }, () => scene.start(args));
  while ((await workersAt(redis)).length < workers) await wait(100);
  return started;
}
