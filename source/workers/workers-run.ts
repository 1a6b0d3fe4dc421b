/**
 * A run that workers execute, at its coordinator: gives its tasks away, writes what comes back into the session's log, whose only
 * writer it is, and steers. The log says how far it has come: what the stream brings again is passed over, so that another
 * coordinator goes on wherever this one ends, and the stream is trimmed only after the disk has the log.
 */
import type { NewEvent } from "../engine/log/log.ts";
import { longestTimer, Meter, usedUp, usedUpText } from "../engine/run/budget.ts";
import { FailureTally } from "../engine/run/failure-tally.ts";
import type { RunEnd } from "../engine/run/runner.ts";
import { savedForTask } from "../engine/run/saved-for-task.ts";
import { solutionOf } from "../engine/run/solutions.ts";
import { failedTask, type TaskEnd } from "../engine/run/task-end.ts";
import { roleModels } from "../engine/run/run-models.ts";
import type { TaskRunner } from "../engine/run/task-runner.ts";
import { failureOf, Problem } from "../engine/problem.ts";
import type { RunEnding } from "../engine/log/rows.ts";
import { packageVersion } from "../engine/settings/package-folder.ts";
import type { Step, TaskEvent } from "../engine/types.ts";
import { type Clock, machineClock, type Timer } from "../engine/work/clock.ts";
import type { GivenAway } from "../engine/workbench/elsewhere.ts";
import { readRedisUrl, redisName } from "../engine/settings/redis-place.ts";
import { FollowedAttempt } from "./followed-attempt.ts";
import type { Manifest, Shipment, TaskJob } from "./messages.ts";
import { livingWorkers, type WorkerPresence } from "./presence.ts";
import type { Round } from "./round.ts";
import { removeRoundFile, type RoundFile, writeRoundFile } from "./round-file.ts";
import type { RoundFiles } from "./round-world.ts";
import { takenUp } from "./taken-up.ts";

/** Milliseconds between two looks at the workers, and between two times the log is kept for good. */
const beat = 1000;

export class WorkersRun implements TaskRunner {
  readonly #given: GivenAway;
  readonly #round: Round;
  readonly #file: RoundFile;
  readonly #files: () => RoundFiles;
  readonly #clock: Clock;
  readonly #meter: Meter;
  readonly #failures: FailureTally;
  readonly #name: string;
  /** Tasks that have not come back. */
  #left: Set<string>;
  /** Those among them that have a score already: what the round brings is taken, and they are given to nobody again. */
  #awaited: ReadonlySet<string> = new Set();
  /** The present attempt at each of them, where one was begun. */
  readonly #attempts = new Map<string, FollowedAttempt>();
  /** Attempts that count no more. */
  readonly #past = new Set<string>();
  #last = "0";
  #kept = "0";
  #keptAt = 0;
  #workers: readonly WorkerPresence[] = [];
  #concurrency: number | undefined;
  #isStopping = false;
  #isPaused = false;
  /** True where tasks may not have been given, as Redis took nothing. */
  #owes = false;
  /** Settles when what is being given to Redis is there. */
  #giving: Promise<unknown> = Promise.resolve();
  /** True once the round is taken away: what is given then would lie there for ever. */
  #isOver = false;
  #isLeaving = false;
  readonly #gone = Promise.withResolvers<"left">();
  #ending: RunEnding | undefined;
  #bugs = 0;
  #pauseReason: string | undefined;
  #isAway = false;
  #refused: string | undefined;
  #refusals: string | undefined;
  #dangers: string | undefined;
  #timer: Timer | undefined;

  /** `files` are made when they are needed. */
  constructor(given: GivenAway, round: Round, file: RoundFile, files: () => RoundFiles) {
    this.#given = given;
    this.#round = round;
    this.#file = file;
    this.#files = files;
    this.#clock = given.clock ?? machineClock;
    this.#meter = new Meter(given.spec.budget.run, "run", this.#clock, given.used);
    this.#failures = new FailureTally(given.tasks.length);
    this.#name = redisName(readRedisUrl(round.url));
    this.#left = new Set(given.tasks.map(({ id }) => id));
    this.#concurrency = given.concurrency;
    round.redis.on("close", () => this.#lose());
    round.redis.on("ready", () => void this.#again().catch((error: Error) => this.#note(error)));
  }

  get concurrency(): number {
    return (
      this.#concurrency ??
      Math.max(
        1,
        this.#workers.reduce((sum, worker) => sum + worker.concurrency, 0),
      )
    );
  }
  get pauseReason(): string | undefined {
    return this.#isStopping ? undefined : this.#pauseReason;
  }
  get notice(): string | undefined {
    const none = `No worker is there: \`planwright worker ${this.#round.url}\` starts one`;
    const nobody = this.#workers.length === 0 && this.#attempts.size === 0 ? none : undefined;
    return this.#awayText ?? this.#refused ?? this.#refusals ?? nobody ?? this.#dangers;
  }
  get #awayText(): string | undefined {
    if (!this.#isAway) return undefined;
    const then = this.#isStopping
      ? "the run stops as soon as it is back. Leaving now leaves the run to its workers, which go on"
      : "workers go on with what they have, and it comes when Redis is back";
    return `Redis at ${this.#name} does not answer: ${then}`;
  }

  running(): readonly string[] {
    return [...this.#attempts].flatMap(([task, attempt]) => (attempt.isOver ? [] : [task]));
  }
  live(task: string): FollowedAttempt | undefined {
    return this.#attempts.get(task);
  }
  unlogged() {
    return [...this.#attempts].flatMap(([task, attempt]) => attempt.unlogged().map((step) => ({ task, ...step })));
  }

  setConcurrency(concurrency: number): void {
    this.#concurrency = concurrency;
    this.#tell(this.#inTurn(() => this.#round.setConcurrency(concurrency)));
  }
  pause(): void {
    this.#isPaused = true;
    this.#tell(this.#inTurn(() => this.#round.pause()));
  }
  resume(): void {
    this.#isPaused = false;
    this.#pauseReason = undefined;
    this.#tell(this.#inTurn(() => this.#round.resume()));
  }
  /** Cuts the tasks in flight; where Redis is away, as soon as it is back. */
  stop(reason?: RunEnding): void {
    const message = this.#pauseReason;
    this.#ending ??= reason ?? { reason: "stopped", ...(message !== undefined && { message }) };
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#given.stopping?.();
    this.#tell(this.#round.cut());
  }
  /** The workers go on; whoever opens the session next takes up what they have done. */
  leave(): void {
    this.#isLeaving = true;
    this.#round.disconnect();
    // What a Redis that is away was asked is never answered.
    this.#gone.resolve("left");
  }

  #tell(said: Promise<void>): void {
    said.catch((error: Error) => this.#note(error));
    this.#given.changed();
  }

  #note(error: Error | undefined): void {
    if (this.#isLeaving) return;
    this.#refused = error && `Redis at ${this.#name} takes nothing more (${error.message}): workers wait until it does`;
    this.#given.changed();
  }

  async run(): Promise<RunEnd | "left"> {
    const seconds = this.#given.spec.budget.run?.seconds;
    const over = () => this.stop(usedUp(usedUpText("run", seconds, "seconds")));
    const left = seconds === undefined ? undefined : (seconds - (this.#given.used?.seconds ?? 0)) * 1000;
    const limit =
      left === undefined ? undefined : this.#clock.setTimeout(over, Math.min(Math.max(0, left), longestTimer));
    try {
      return await Promise.race([this.#execute(), this.#gone.promise]);
    } catch (error) {
      if (!this.#isLeaving) throw error;
      return "left";
    } finally {
      this.#given.log.flush();
      this.#clock.clearTimeout(limit);
      this.#clock.clearTimeout(this.#timer);
      this.#isLeaving = true;
      this.#round.disconnect();
    }
  }

  async #execute(): Promise<RunEnd> {
    await this.#begin();
    void this.#look();
    await this.#follow();
    this.#isOver = true;
    await this.#giving;
    await this.#round.remove();
    removeRoundFile(this.#given.store.folder);
    return { ...(this.#ending ?? { reason: "done" }), bugs: this.#bugs };
  }

  async #begin(): Promise<void> {
    this.#dangers = (await this.#round.dangers()).join(". ") || undefined;
    try {
      this.#meter.check();
    } catch (problem) {
      this.stop(usedUp(failureOf(problem).message));
    }
    if (!this.#given.isOut) {
      writeRoundFile(this.#given.store.folder, this.#file);
      await this.#giveAnew();
    } else if (await this.#round.isThere()) await this.#takeUp();
    else throw new Problem("tool", `Redis at ${this.#name} no longer has what workers were given`);
    await this.#inTurn(() => this.#giveAll());
    this.#given.roomLeft?.();
  }

  /** One after the other, and nothing once the round is over: its queue must stay as it is while it is taken away. */
  #inTurn(give: () => Promise<void>): Promise<void> {
    const given = this.#giving.then(() => (this.#isOver ? undefined : give()));
    this.#giving = given.catch(() => {});
    return given;
  }

  /** Where Redis takes nothing now, as it is full, it is asked again later. */
  async #giveAll(): Promise<void> {
    this.#owes = true;
    try {
      if (this.#concurrency !== undefined) await this.#round.setConcurrency(this.#concurrency);
      await (this.#isPaused ? this.#round.pause() : this.#round.resume());
      await this.#give();
      this.#owes = false;
    } catch (error) {
      this.#note(error as Error);
    }
  }

  async #giveAnew(): Promise<void> {
    for (const task of this.#awaited) this.#left.delete(task);
    const { run, spec, cache, prices, prepared } = this.#given;
    const known = roleModels(spec).flatMap((name) => {
      const price = prices(name);
      return price === undefined ? [] : [[name, price] as const];
    });
    const manifest: Manifest = {
      run,
      spec,
      version: packageVersion(),
      cache,
      prices: Object.fromEntries(known),
      toolkits: await prepared(),
    };
    await this.#round.begin(manifest, this.#files());
  }

  async #takeUp(): Promise<void> {
    const { left, awaited, attempts, past } = await takenUp(this.#round, this.#given.store, this.#left);
    this.#left = left;
    this.#awaited = awaited;
    for (const [task, attempt] of attempts) this.#attempts.set(task, attempt);
    for (const attempt of past) this.#past.add(attempt);
  }

  /** Gives away what has not come back; tasks that build on others one at a time. */
  async #give(): Promise<void> {
    const { strategy, spec } = this.#given;
    const tasks = [...this.#left].filter((task) => !this.#awaited.has(task));
    const next = strategy.sequential?.(spec) === true ? tasks.slice(0, 1) : tasks;
    if (!this.#isStopping) await this.#round.add(next.map((task): TaskJob => this.#job(task)));
  }
  #job(task: string): TaskJob {
    return { task, saved: savedForTask(this.#given, task) };
  }

  #lose(): void {
    if (this.#isLeaving) return;
    this.#isAway = true;
    this.#given.changed();
  }

  /** Redis is back; it may have lost the last it was told, or all. */
  async #again(): Promise<void> {
    this.#isAway = false;
    this.#given.changed();
    await this.#inTurn(async () => {
      if (this.#isStopping) return this.#round.cut();
      if (!(await this.#round.isThere())) await this.#giveAnew();
      await this.#giveAll();
    });
  }

  /** Who is there, every second. */
  async #look(): Promise<void> {
    try {
      await this.#round.watch();
      this.#refused = undefined;
      if (this.#owes) await this.#inTurn(() => this.#giveAll());
      this.#workers = await livingWorkers(this.#round.redis);
      const refusals = [...(await this.#round.refusals())].map(
        ([worker, why]) => `Worker ${worker} does not take part: ${why}`,
      );
      this.#refusals = refusals.length === 0 ? undefined : refusals.join(". ");
    } catch (error) {
      this.#note(error as Error);
    }
    if (this.#isLeaving) return;
    this.#given.changed();
    this.#timer = this.#clock.setTimeout(() => void this.#look(), beat);
  }

  async #follow(): Promise<void> {
    while (this.#left.size > 0) {
      const flying = this.#isStopping ? await this.#round.inFlight() : undefined;
      const arrived = await this.#round.read(this.#last);
      for (const { id, shipment } of arrived) {
        this.#last = id;
        if (shipment !== undefined) this.#take(shipment);
      }
      if (arrived.length > 0) this.#given.changed();
      await this.#keep();
      if (flying?.length === 0 && arrived.length === 0) break;
    }
    const failure = { kind: "stopped", message: "Stopped" } as const;
    for (const task of this.running()) this.#given.log.append({ type: "failed", task, failure });
    this.#given.log.keep();
  }

  /** The stream need not hold any more what the disk has. */
  async #keep(): Promise<void> {
    const now = this.#clock.now();
    if (this.#kept === this.#last || now - this.#keptAt < beat) return;
    this.#keptAt = now;
    this.#given.log.keep();
    this.#kept = this.#last;
    await this.#round.trim(this.#kept);
  }

  #take({ task, attempt, worker, from, entries, end }: Shipment): void {
    if (this.#isLeaving || !this.#left.has(task) || this.#past.has(attempt)) return;
    let present = this.#attempts.get(task);
    if (present?.attempt !== attempt) {
      if (present !== undefined) this.#past.add(present.attempt);
      present = new FollowedAttempt(attempt, worker);
      this.#attempts.set(task, present);
    }
    const followed = present;
    followed.take(from, entries, (event) => {
      if (event.type === "prompt" && event.saved === undefined) this.#checkLimits();
      const written = this.#given.log.append({ ...event, task } as NewEvent);
      this.#count(written as TaskEvent, followed);
      return written;
    });
    if (end !== undefined) this.#end(task, followed, end);
  }

  #checkLimits(): void {
    try {
      this.#meter.check();
    } catch (problem) {
      this.stop(usedUp(failureOf(problem).message));
    }
  }

  #count(event: TaskEvent, followed: FollowedAttempt): void {
    if (event.type !== "prompt" && event.type !== "usage") return;
    const prompt = event.type === "prompt" ? event : followed.prompt(event.request);
    if (prompt?.saved === undefined) this.#meter.take(event as Step, prompt && this.#given.prices(prompt.model));
  }

  #end(task: string, followed: FollowedAttempt, end: TaskEnd): void {
    this.#attempts.delete(task);
    this.#past.add(followed.attempt);
    const { failure } = end;
    if (end.outage !== undefined && !this.#isStopping) return this.#waitFor(task, followed.worker, end.outage);
    this.#left.delete(task);
    if (failure?.kind === "bug") this.#bugs += 1;
    const verdict = this.#failures.take(failedTask(end));
    if (verdict === "end") this.stop({ reason: "failed", message: failure!.message });
    if (verdict === "ask" && this.#left.size > 0) this.#given.failingAlike?.(failure!.message);
    const { solutions, strategy, spec } = this.#given;
    const solution = solutionOf(followed.events, followed.score);
    if (solution !== undefined) solutions?.set(task, solution);
    if (strategy.sequential?.(spec) === true) this.#tell(this.#give());
  }

  /** Keeps a task for later, and the run with it, as its endpoint stays away. */
  #waitFor(task: string, worker: string, message: string): void {
    this.#pauseReason = `${message} (worker ${worker})`;
    if (!this.#isPaused) {
      this.pause();
      this.#given.pausing?.();
    }
    this.#tell(this.#round.reopen(task).then(() => this.#round.add([this.#job(task)])));
  }
}
