/** What a coordinator gives to its round, one thing after the other: manifest, tasks, how many at a time, and whether they wait. */
import { roleModels } from "../../engine/run/run-models.ts";
import { savedForTask } from "../../engine/run/execute-task.ts";
import { packageVersion } from "../../engine/settings/package-folder.ts";
import { programHash } from "../../engine/settings/program-hash.ts";
import type { GivenAway } from "../../engine/workbench/runs/run-context.ts";
import type { Round } from "./round.ts";
import type { RoundFiles } from "./round-world.ts";

export class RoundGiving {
  readonly #given: GivenAway;
  readonly #round: Round;
  readonly #files: () => RoundFiles;
  readonly #left: Set<string>;
  /** Those among them that have a score already: what the round brings is taken, and they are given to nobody again. */
  #awaited: ReadonlySet<string> = new Set();
  #concurrency: number | undefined;
  #isPaused = false;
  /** True where tasks may not have been given, as Redis took nothing. */
  #owes = false;
  /** Tasks to be given once more, though their jobs may still be there. */
  readonly #again = new Set<string>();
  #isStopping = false;
  /** True once the round is taken away: what is given then would lie there for ever. */
  #isOver = false;
  /** Settles when what is being given to Redis is there. */
  #giving: Promise<unknown> = Promise.resolve();

  /** `files` are made when they are needed; `left` are the tasks that have not come back. */
  constructor(given: GivenAway, round: Round, files: () => RoundFiles, left: Set<string>) {
    this.#given = given;
    this.#round = round;
    this.#files = files;
    this.#left = left;
    this.#concurrency = given.concurrency;
  }

  /** Tasks at a time, where somebody has chosen. */
  get concurrency(): number | undefined {
    return this.#concurrency;
  }
  get isPaused(): boolean {
    return this.#isPaused;
  }
  get owes(): boolean {
    return this.#owes;
  }

  setConcurrency(concurrency: number): Promise<void> {
    this.#concurrency = concurrency;
    return this.inTurn(() => this.#round.chooseConcurrency(concurrency));
  }
  pause(): Promise<void> {
    this.#isPaused = true;
    return this.inTurn(() => this.#round.pause());
  }
  resume(): Promise<void> {
    this.#isPaused = false;
    return this.inTurn(() => this.#round.resume());
  }

  /** These tasks have a score: they are given to nobody again, and a round that is begun anew is not to bring them. */
  await(tasks: ReadonlySet<string>): void {
    this.#awaited = tasks;
  }

  /** Gives no further tasks. */
  stop(): void {
    this.#isStopping = true;
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
    await this.#round.begin(manifest, this.#files());
  }

  /** Gives all there is to give. Where Redis takes nothing now, as it is full, `refused` is told, and it is owed. */
  async all(refused: (error: Error) => void): Promise<void> {
    this.#owes = true;
    try {
      if (this.#concurrency !== undefined) await this.#round.setConcurrency(this.#concurrency);
      await (this.#isPaused ? this.#round.pause() : this.#round.resume());
      await this.next();
      this.#owes = false;
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
      this.#owes = true;
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
