/** Workers, Redis and the coordinator are killed or cut off in the middle of a run: each task is scored once, and nobody has to do anything. */
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { amount, type Line, type Torture } from "./part.ts";
import { wait } from "./program.ts";
import { SilentWay } from "./silent-way.ts";
import { ifRedis, WorkedRun } from "./worked-run.ts";

/** Tasks for each kill, so that the run does not end before it. */
const perKill = 20;
/** Seconds after which a run says that Redis does not answer: three, and two until the next line of its progress. */
const noticed = 5;

export const workers = (torture: Torture): AsyncGenerator<Line> =>
  ifRedis(async function* () {
    // Side by side, as they wait most of the time.
    for (const seconds of amount(torture, [5], [5, 15, 45])) {
      const kills = seconds === 5 ? [killed(torture)] : [];
      yield* await Promise.all([
        ...kills,
        cutOff("Redis", seconds),
        cutOff("worker", seconds),
        cutOff("coordinator", seconds),
      ]);
    }
  });

async function killed(torture: Torture): Promise<Line> {
  const kills = amount(torture, 6, 30, 90);
  const random = randomFrom(`${torture.seed} workers`);
  const tasks = kills * perKill;
  const workers = 3;
  await using run = await WorkedRun.begin({ tasks, workers });
  for (let index = 0; index < kills; index++) {
    await run.scored((tasks * (index + random())) / (kills + 1));
    const one = Math.floor(random() * workers);
    const gone = random() * 1000;
    if (index % 3 === 0) {
      await run.killWorker(one);
      await wait(gone);
      run.workAgain(one);
    } else if (index % 3 === 1) {
      await run.redis.kill();
      await wait(gone);
      await run.redis.restart();
    } else {
      await run.killCoordinator();
      await wait(gone);
      run.coordinateAgain();
    }
  }
  const { broken, calls } = await run.ended();
  const what = `SIGKILL of a worker, Redis and the coordinator in turn, ${tasks} tasks`;
  return { what, tries: kills, broken, note: `${calls - tasks} requests were sent again` };
}

/** For so many seconds nothing passes between Redis and everybody, one of two workers, or the coordinator. */
async function cutOff(whom: "Redis" | "worker" | "coordinator", seconds: number): Promise<Line> {
  const ways: SilentWay[] = [];
  const cuttable = async (own: WorkedRun["redis"]["url"]) => {
    const way = await SilentWay.to(own);
    ways.push(way);
    return way.url;
  };
  const tasks = 160;
  await using run = await WorkedRun.begin({
    tasks,
    workers: 2,
    ...(whom === "worker" && { workerUrl: async (own, index) => (index === 0 ? cuttable(own) : own) }),
    ...(whom === "coordinator" && { coordinatorUrl: cuttable }),
  });
  try {
    await run.scored(tasks / 4);
    const before = run.coordinator.printed.err.length;
    const from = performance.now();
    if (whom === "Redis") run.redis.suspend();
    for (const way of ways) way.silence();
    const isSaid = () => /does not answer/.test(run.coordinator.printed.err.slice(before));
    let said: number | undefined;
    while (performance.now() - from < seconds * 1000) {
      await wait(20);
      if (isSaid()) said ??= (performance.now() - from) / 1000;
    }
    if (whom === "Redis") run.redis.resume();
    for (const way of ways) way.resume();
    const { broken, calls } = await run.ended();
    const unsaid = whom !== "worker" && (said ?? Infinity) > noticed;
    return {
      what: `nothing passes for ${seconds} s between Redis and ${{ Redis: "everybody", worker: "one of two workers", coordinator: "the coordinator" }[whom]}`,
      tries: 1,
      broken: [...broken, ...(unsaid ? [`the run said after ${said?.toFixed(1)} s that Redis does not answer`] : [])],
      note: `${whom === "worker" ? "" : `reported after ${said?.toFixed(1)} s; `}${calls - tasks} requests were sent again`,
    };
  } finally {
    for (const way of ways) way[Symbol.dispose]();
  }
}
