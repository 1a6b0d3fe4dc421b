/** What a coordinator gives to its round, one thing after the other: manifest, tasks, how many at a time, and whether they wait. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathInside } from "../../engine/files/inside.ts";
import { roleModels } from "../../engine/run/run-models.ts";
import { savedForTask } from "../../engine/run/execute-task.ts";
import { packageVersion } from "../../engine/settings/package-folder.ts";
import { programHash } from "../../engine/settings/program-hash.ts";
import type { Steering } from "../../engine/run/steering.ts";
import type { RunSpec } from "../../engine/types.ts";
import type { GivenAway } from "../../engine/workbench/runs/run-context.ts";
import type { Round } from "./round.ts";
import type { RoundFiles } from "./round-world.ts";

export class RoundGiving {
  readonly #given: GivenAway;
  readonly #round: Round;
  readonly #left: Set<string>;
  /** Those among them that have a score already: what the round brings is taken, and they are given to nobody again. */
  #awaited: ReadonlySet<string> = new Set();
  /** Tasks at a time, if somebody has chosen. */
  concurrency: number | undefined;
  isPaused = false;
  /** True if tasks may not have been given, because Redis took nothing. */
  owes = false;
  /** Tasks to be given once more, though their jobs may still be there. */
  readonly #again = new Set<string>();
  #isStopping = false;
  /** True once the round is taken away: what is given then would lie there for ever. */
  #isOver = false;
  /** Settles when what is being given to Redis is there. */
  #giving: Promise<unknown> = Promise.resolve();

  /** `left` are the tasks that have not come back. */
  constructor(given: GivenAway, round: Round, left: Set<string>) {
    this.#given = given;
    this.#round = round;
    this.#left = left;
    this.concurrency = given.concurrency;
  }

  /** Stopping cuts the tasks in flight at once, and gives no further ones. Everything else waits its turn, and holds for what is given. */
  steer(request: Steering): Promise<void> {
    if (request.do === "stop") {
      this.#isStopping = true;
      return this.#round.steer(request);
    }
    if (request.do !== "concurrency") {
      this.isPaused = request.do === "pause";
      return this.inTurn(() => this.#round.steer(request));
    }
    this.concurrency = request.to;
    return this.inTurn(async () => {
      await this.#round.steer(request);
      // What a person chooses is tried, whatever servers refused before.
      await this.#round.restoreLimits();
    });
  }

  /** These tasks have a score: they are given to nobody again, and a round that is begun anew is not to bring them. */
  await(tasks: ReadonlySet<string>): void {
    this.#awaited = tasks;
  }

  /** Gives nothing any more; resolves when nothing is being given: the queue must stay as it is while it is taken away. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#giving;
  }

  /** Resolves when nothing is being given. */
  async settled(): Promise<void> {
    await this.#giving;
  }

  /** One after the other, and nothing once the round is over. */
  inTurn(give: () => Promise<void>): Promise<void> {
    const given = this.#giving.then(() => (this.#isOver ? undefined : give()));
    this.#giving = given.catch(() => {});
    return given;
  }

  /** Begins the round. Throws `RoundTaken`. */
  async begin(): Promise<void> {
    for (const task of this.#awaited) this.#left.delete(task);
    const { run, spec, cache, prices, prepared } = this.#given;
    const known = roleModels(spec).flatMap((name) => {
      const price = prices(name);
      return price === undefined ? [] : [[name, price] as const];
    });
    const manifest = {
      run,
      spec,
      version: packageVersion(),
      program: await programHash(),
      tasks: this.#left.size,
      cache,
      prices: Object.fromEntries(known),
      toolkits: await prepared(),
    };
    await this.#round.begin(manifest, shippedFiles(this.#given));
  }

  /** Gives all there is to give. Where Redis takes nothing now, as it is full, `refused` is told, and it is owed. */
  async all(refused: (error: Error) => void): Promise<void> {
    this.owes = true;
    try {
      if (this.concurrency !== undefined) await this.#round.steer({ do: "concurrency", to: this.concurrency });
      await this.#round.steer({ do: this.isPaused ? "pause" : "resume" });
      await this.next();
      this.owes = false;
    } catch (error) {
      refused(error as Error);
    }
  }

  /** Gives away what has not come back; tasks that build on others one at a time. */
  async next(): Promise<void> {
    const open = this.#open();
    await this.#add(
      open.filter((task) => !this.#again.has(task)),
      (jobs) => this.#round.add(jobs),
    );
    await this.#repeat(open);
  }

  /** Tasks that were given already are executed once more, as soon as `all` or `next` gives them. */
  repeat(tasks: Iterable<string>): void {
    for (const task of tasks) this.#again.add(task);
    // Its score went with the attempt that was begun.
    this.#awaited = new Set([...this.#awaited].filter((task) => !this.#again.has(task)));
  }
  /** The same at once. */
  async repeatNow(task: string): Promise<void> {
    this.repeat([task]);
    try {
      await this.#repeat(this.#open());
    } catch (error) {
      this.owes = true;
      throw error;
    }
  }

  async #repeat(open: readonly string[]): Promise<void> {
    if (this.#again.size === 0) return;
    const tasks = open.filter((task) => this.#again.has(task));
    await this.#add(tasks, (jobs) => this.#round.addAgain(jobs));
    for (const task of tasks) this.#again.delete(task);
  }

  #open(): readonly string[] {
    const { strategy, spec } = this.#given;
    const tasks = [...this.#left].filter((task) => !this.#awaited.has(task));
    return strategy.sequential?.(spec) === true ? tasks.slice(0, 1) : tasks;
  }

  async #add(tasks: readonly string[], add: Round["add"]): Promise<void> {
    if (this.#isStopping || tasks.length === 0) return;
    await add(tasks.map((task) => ({ task, saved: savedForTask(this.#given, task) })));
  }
}

/** The files of a session that executing a run needs: they are given to the workers with it. */
export function shippedFiles({ spec, folder }: Pick<GivenAway, "spec" | "folder">): RoundFiles {
  const within = new Map([[folder.path, "the folder of the session"]]);
  const named = [...questionFile(spec), ...replayedLogs(spec, folder.path)].map((path) => pathInside(path, within));
  return Object.fromEntries(
    named.filter(existsSync).map((path) => [relative(folder.path, path), readFileSync(path)] as const),
  );
}

/** The file a run's tasks are read from (`from: FILE`). */
function questionFile({ suite, data }: RunSpec): readonly string[] {
  return data === "own" && suite.includes("/") ? [suite.slice(suite.indexOf("/") + 1)] : [];
}

/** Logs of runs whose replies a built-in model gives again. */
function replayedLogs(spec: RunSpec, folder: string): readonly string[] {
  return roleModels(spec).flatMap((name) => {
    const run = /^builtin\/replay\?(?:.*&)?log=([\w-]+)/.exec(name)?.[1];
    return run === undefined ? [] : ["events.jsonl", "events.jsonl.gz"].map((log) => join(folder, "runs", run, log));
  });
}
