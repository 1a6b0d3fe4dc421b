/** SIGTERM while Redis is away: whoever executes a run with workers ends soon, and what was done is taken up once Redis is back. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { openProgram } from "../../test/stories/pseudo-terminal.ts";
import { questions } from "../../test/workers/worked-session.ts";
import { RedisServer } from "../../test/workers/redis-server.ts";
import { amount, type Line, type Torture } from "./part.ts";
import { Scene, scoredOnce, scoredTasks, type Started, wait } from "./program.ts";
import { cell, ifRedis } from "./worked-run.ts";

/** Seconds that each has to end. */
const limits = { run: 5, notebook: 5, worker: 20 } as const;
type Who = keyof typeof limits;
const tasks = 24;
/** Programs of each kind that two cores can run without delaying their end. */
const atOnce = 3;

type Left = { readonly took: Readonly<Record<Who, number>>; readonly broken: readonly string[] };

export const leaving = (torture: Torture): AsyncGenerator<Line> =>
  ifRedis(async function* () {
    yield* await Promise.all([allLeft(torture, "stopped"), allLeft(torture, "killed")]);
  });

async function allLeft(torture: Torture, how: "stopped" | "killed"): Promise<Line> {
  const tries = amount(torture, 1, 10, 20);
  const random = randomFrom(`${torture.seed} leaving ${how}`);
  const moments = Array.from({ length: tries }, () => random() * 6000);
  const all: Left[] = [];
  while (moments.length > 0)
    all.push(...(await Promise.all(moments.splice(0, atOnce).map((moment) => left(how, moment)))));
  const most = (who: Who) => Math.max(...all.map(({ took }) => took[who])).toFixed(1);
  return {
    what: `SIGTERM to \`run\`, a notebook and a worker up to 6 s after Redis was ${how}; \`run\` again`,
    tries: 3 * tries,
    broken: all.flatMap(({ broken }) => broken),
    note: `at most ${most("run")}, ${most("notebook")} and ${most("worker")} s`,
  };
}

async function left(how: "stopped" | "killed", moment: number): Promise<Left> {
  await using redis = await RedisServer.start();
  using scene = new Scene();
  mkdirSync(scene.at("settings"));
  writeFileSync(
    scene.at("settings/settings.json"),
    JSON.stringify({ endpoints: [], data: {}, workers: { url: redis.url, use: true } }),
  );
  const files = { "questions.jsonl": questions(tasks) };
  for (const name of ["mine", "theirs"]) scene.session(cell(150), files, name);
  const work = () => scene.start(["worker", redis.url, "--concurrency", "6", "--lock", "3"]);
  const screen = openProgram({ args: ["theirs"], folder: scene.folder, columns: 100, rows: 30 });
  await screen.waitFor(/run main/);
  const worker = work();
  const run = scene.start(["run", "mine"]);
  screen.type("r");
  await screen.waitFor(new RegExp(`\\b[1-9]\\d*/${tasks}`));
  while (scoredTasks(scene).length === 0) await wait(50);
  if (how === "stopped") redis.suspend();
  else await redis.kill();
  await wait(moment);
  const early = Object.entries({ worker, run }).filter(([, { child }]) => child.exitCode !== null);
  const seconds = secondsSince(performance.now());
  for (const { child } of [worker, run]) child.kill("SIGTERM");
  screen.kill("SIGTERM");
  const gone = (started: Started) => started.ended.then(seconds);
  const [ranFor, openFor, workedFor] = await Promise.all([gone(run), screen.ended.then(seconds), gone(worker)]);
  const took = { run: ranFor, notebook: openFor, worker: workedFor };
  const locked = ["mine", "theirs"].filter((name) => existsSync(scene.at("sessions", name, "session.lock")));
  if (how === "stopped") redis.resume();
  else await redis.restart();
  work();
  const again = await scene.run("run", "mine");
  const late = (Object.keys(limits) as Who[]).filter((who) => took[who] > limits[who]);
  const broken = [
    ...early.map(([who, { printed }]) => `${who}: ended before: ${printed.err.slice(-300)}`),
    ...late.map((who) => `${who}: ended after ${took[who].toFixed(1)} s`),
    ...locked.map((name) => `the lock of ${name} was left behind`),
    ...(again.status === 0 ? [] : [`run again: status ${again.status}: ${again.err.slice(-300)}`]),
    ...scoredOnce(scene, tasks),
  ];
  return { took, broken: broken.map((each) => `Redis ${how} ${(moment / 1000).toFixed(1)} s before: ${each}`) };
}

const secondsSince = (from: number) => () => (performance.now() - from) / 1000;
