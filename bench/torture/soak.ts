/** Thousands of tasks against a server of which one request in five fails, with a kill and a restart in between. */
import { readFileSync } from "node:fs";
import { startServer } from "../child-program.ts";
import { amount, type Line, type Torture } from "./part.ts";
import { Scene, scoredTasks, type Started, wait } from "./program.ts";

/** Shares of requests that fail, one way each. */
const faults = ["429", "0.10", "500", "0.05", "cut", "0.02", "stall", "0.01", "malformed", "0.01"];
const rates = faults.flatMap((word, index) => (index % 2 === 0 ? [`--rate-${word}`, faults[index + 1]!] : []));
/** Tasks of the sample. */
const sample = 31;

export async function* soak(torture: Torture): AsyncGenerator<Line> {
  const trials = amount(torture, 6, 65, 200);
  const tasks = sample * trials;
  const server = await startServer([...rates, "--seed", String(torture.seed), "--retry-after", "0.2"]);
  using scene = new Scene();
  try {
    const lab = ["lab", "--base-url", server.url, "--identify", "--concurrency", "24", "--silence", "3"];
    await scene.run("endpoint", "add", ...lab);
    const cell = `suite: appbench\nsplit: all\ndata: sample\nmodel: lab/oracle\nrepeats: ${trials}\n`;
    scene.session(`\`\`\`run main\n${cell}\`\`\`\n`);
    const first = scene.start(["run", "mine"]);
    while (scoredTasks(scene).length < tasks * 0.4) await wait(1000);
    first.child.kill("SIGKILL");
    await first.ended;
    const samples = await memoryOf(scene.start(["run", "mine"]));
    // Tasks that failed after all retries are executed by running the same command again, as a user would.
    let last = await scene.run("run", "mine", "--json");
    for (let round = 0; last.status !== 0 && round < 3; round++) last = await scene.run("run", "mine", "--json");
    const done = scoredTasks(scene);
    const perTask = new Map<string | undefined, number>();
    for (const task of done) perTask.set(task, (perTask.get(task) ?? 0) + 1);
    const unequal = [...perTask].filter(([, count]) => count !== trials);
    const right = [...last.out.matchAll(/"right":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    yield {
      what: `${tasks} tasks, 10 % 429, 5 % 500, 2 % cut, 1 % stalled, 1 % malformed, a kill and a restart`,
      tries: tasks,
      broken: [
        ...(last.status === 0 ? [] : [`status ${last.status}: ${last.err.slice(-200)}`]),
        ...unequal.map(([task, count]) => `${task} was scored ${count} times in ${trials} trials`),
        ...(right === tasks ? [] : [`${right} of ${tasks} are right, though the model always is`]),
      ],
    };
    if (torture.size !== "short") yield bounded(samples);
  } finally {
    server.stop();
  }
}

/** The memory of a program while it runs, in megabytes, some times a second. */
async function memoryOf({ child, ended }: Started): Promise<readonly number[]> {
  const samples: number[] = [];
  let over = false;
  void ended.then(() => (over = true));
  while (!over) {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(statusOf(child.pid));
    if (found !== null) samples.push(Number(found[1]) / 1024);
    await wait(250);
  }
  return samples;
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function bounded(samples: readonly number[]): Line {
  const what = "memory: the most of the last quarter of the soak at most 1.15 times that of the second";
  if (samples.length < 40) return { what, tries: 0, broken: [], skipped: "too few samples" };
  const quarter = (number: number) =>
    Math.max(...samples.slice(((number - 1) * samples.length) / 4, (number * samples.length) / 4));
  const ratio = quarter(4) / quarter(2);
  const note = `${quarter(2).toFixed(0)} MB, then ${quarter(4).toFixed(0)} MB: ${ratio.toFixed(2)}`;
  return { what, tries: 1, broken: ratio <= 1.15 ? [] : [note], note };
}
