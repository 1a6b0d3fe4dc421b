/**
 * A run that workers execute, at its coordinator: gives its tasks away, writes what comes back into the session's log, whose only
 * writer it is, and steers. The log says how far it has come: what the stream brings again is passed over, so that another
 * coordinator goes on wherever this one ends, and the stream is trimmed only after the disk has the log.
 */
import { longestTimer, Meter, usedUp, usedUpText } from "../engine/run/budget.ts";
import type { RunEnd, TaskRunner } from "../engine/run/runner.ts";
import { solutionOf } from "../engine/run/solutions.ts";
import { failedTask, type TaskEnd, FailureTally } from "../engine/run/task-end.ts";
import { failureOf, Problem } from "../engine/problem.ts";
import type { RunEnding } from "../engine/log/rows/rows.ts";
import type { Step, TaskEvent } from "../engine/types.ts";
import { type Clock, machineClock, type Timer } from "../engine/work/clock.ts";
import type { GivenAway } from "../engine/workbench/runs/run-context.ts";
import type { SessionFolder } from "../engine/session/session-folder.ts";
import { readRedisUrl, redisName } from "../engine/settings/redis-place.ts";
import { type Reader, RoundTaken } from "./coordinator.ts";
import type { FollowedAttempt } from "./followed-attempt.ts";
import { FollowedAttempts } from "./followed-attempts.ts";
import { RedisPulse } from "./redis-pulse.ts";
import { livingWorkers, type WorkerPresence } from "./presence.ts";
import type { Round } from "./rounds/round.ts";
import { removeRoundFile, type RoundFile, writeRoundFile } from "./rounds/round-file.ts";
import { RoundGiving } from "./rounds/round-giving.ts";
import type { RoundFiles } from "./rounds/round-world.ts";
import { lostTasks } from "./lost-tasks.ts";
import { takenUp } from "./taken-up.ts";

/** Milliseconds between two looks at the workers, and between two times the log is kept for good. */
const beat = 1000;

export class WorkersRun implements TaskRunner {
  readonly #given: GivenAway;
  readonly #round: Round;
  readonly #file: RoundFile;
  readonly #clock: Clock;
  readonly #meter: Meter;
  readonly #failures: FailureTally;
  readonly #giving: RoundGiving;
  readonly #name: string;
  /** Tasks that have not come back. */
  readonly #left: Set<string>;
  readonly #attempts: FollowedAttempts;
  #last = "0";
  #kept = "0";
  #keptAt = 0;
  #workers: readonly WorkerPresence[] = [];
  #isStopping = false;
  #isLeaving = false;
  readonly #gone = Promise.withResolvers<"left">();
  #ending: RunEnding | undefined;
  #bugs = 0;
  #pauseReason: string | undefined;
  readonly #pulse: RedisPulse;
  #refused: string | undefined;
  /** Who coordinates the round, while it is waited for whether that one lives. */
  #former: Reader | undefined;
  #refusals: string | undefined;
  #dangers: string | undefined;
  overload: string | undefined;
  #timer: Timer | undefined;
  completesStop = false;

  /** `files` are made when they are needed. */
  constructor(given: GivenAway, round: Round, file: RoundFile, files: () => RoundFiles) {
    this.#given = given;
    this.#round = round;
    this.#file = file;
    this.#clock = given.clock ?? machineClock;
    this.#meter = new Meter(given.spec.budget.run, "run", this.#clock, given.used);
    this.#failures = new FailureTally(given.tasks.length);
    this.#name = redisName(readRedisUrl(round.url));
    this.#left = new Set(given.tasks.map(({ id }) => id));
    this.#giving = new RoundGiving(given, round, files, this.#left);
    this.#attempts = new FollowedAttempts({
      ...given,
      round: round.id,
      left: this.#left,
      asking: () => this.#checkLimits(),
      written: (event, attempt) => this.#count(event, attempt),
      ended: (task, attempt, end) => this.#end(task, attempt, end),
      again: (task) => this.#tell(this.#giving.repeatNow(task)),
    });
    const connectedAnew = () => void this.#again().catch((error: Error) => this.#note(error));
    this.#pulse = new RedisPulse(round.redis, { changed: given.changed, connectedAnew, clock: this.#clock });
  }

  get concurrency(): number {
    return (
      this.#giving.concurrency ??
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
    return this.#awayText ?? this.#formerText ?? this.#refused ?? this.#refusals ?? nobody ?? this.#dangers;
  }
  get #formerText(): string | undefined {
    if (this.#former === undefined) return undefined;
    const { folder, host } = this.#former;
    return `${folder} on ${host} coordinated this run's workers a moment ago: waits whether it still does`;
  }
  get #awayText(): string | undefined {
    if (this.unheard === undefined) return undefined;
    const then = this.#isStopping
      ? "the run stops as soon as it is back. Leaving now leaves the run to its workers, which go on"
      : "workers go on with what they have, and it comes when Redis is back";
    return `${this.unheard}: ${then}`;
  }
  get unheard(): string | undefined {
    return this.#pulse.isSilent ? `Redis at ${this.#name} does not answer` : undefined;
  }

  running(): readonly string[] {
    return this.#attempts.running();
  }
  live(task: string): FollowedAttempt | undefined {
    return this.#attempts.get(task);
  }
  unlogged() {
    return this.#attempts.unlogged();
  }

  setConcurrency(concurrency: number): void {
    this.#tell(this.#giving.setConcurrency(concurrency));
  }
  pause(): void {
    this.#tell(this.#giving.pause());
  }
  resume(): void {
    this.#pauseReason = undefined;
    this.#tell(this.#giving.resume());
  }
  /** Cuts the tasks in flight; where Redis is away, as soon as it is back. */
  stop(reason?: RunEnding): void {
    const message = this.#pauseReason;
    this.#ending ??= reason ?? { reason: "stopped", ...(message !== undefined && { message }) };
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#giving.stop();
    this.#given.stopping?.();
    this.#tell(this.#round.cut());
  }
  /** The workers go on; whoever opens the session next takes up what they have done. */
  leave(): void {
    this.#isLeaving = true;
    this.#round.release();
    this.#pulse.end();
    this.#round.disconnect();
    // What a Redis that is away was asked is never answered.
    this.#gone.resolve("left");
  }

  #tell(said: Promise<void>): void {
    said.catch((error: Error) => this.#note(error));
    this.#given.changed();
  }

  #note(error: Error | undefined): void {
    // A token that was lost ends the run, which says so.
    if (this.#isLeaving || error instanceof RoundTaken) return;
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
      if (this.#isLeaving) return "left";
      await Promise.race([this.#giveUp(), this.#gone.promise]);
      throw error;
    } finally {
      this.#given.log.flush();
      this.#clock.clearTimeout(limit);
      this.#clock.clearTimeout(this.#timer);
      this.#isLeaving = true;
      this.#pulse.end();
      this.#round.disconnect();
    }
  }

  async #execute(): Promise<RunEnd> {
    await this.#begin();
    void this.#look();
    await this.#follow();
    await this.#giving.close();
    await this.#round.remove();
    removeRoundFile(this.#given.store.folder);
    return { ...(this.#ending ?? { reason: "done" }), bugs: this.#bugs };
  }

  /**
   * A run that fails is executed for nobody: its round is cut and taken away, unless another program coordinates it or has the session
   * by now. Never rejects.
   */
  async #giveUp(): Promise<void> {
    this.#isStopping = true;
    this.#given.stopping?.();
    await this.#giving.close();
    try {
      if (isTakenOver(this.#given.folder)) return;
      // Before it is taken away, which takes a while for many tasks.
      await this.#round.cut();
      await this.#round.remove();
    } catch (error) {
      this.#note(error as Error);
    }
    const isThere = await this.#round.isThere().catch(() => true);
    if (!isThere) removeRoundFile(this.#given.store.folder);
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
      await this.#giving.begin();
    } else if (await this.#round.isThere()) await this.#takeUp();
    else throw new Problem("tool", `Redis at ${this.#name} no longer has what workers were given`);
    await this.#giveAll();
    this.#given.roomLeft?.();
  }

  #giveAll(): Promise<void> {
    return this.#giving.inTurn(() => this.#giving.all((error) => this.#note(error)));
  }

  /** Finds out what of the round is in the log. Throws `RoundTaken`. */
  async #takeUp(): Promise<void> {
    const isOther = await this.#round.claim((former) => {
      this.#former = former;
      this.#given.changed();
      return !this.#isStopping;
    });
    this.#former = undefined;
    // The one before may have been killed while it stopped.
    if (this.#isStopping) await this.#round.cut();
    else if (await this.#round.isCut()) {
      this.completesStop = true;
      this.stop();
    }
    const { left, awaited, attempts, past, refused } = await takenUp(this.#round, this.#given.store, this.#left);
    for (const task of this.#left) if (!left.has(task)) this.#left.delete(task);
    this.#giving.await(awaited);
    const lost = isOther === true ? await lostTasks(this.#round, this.#left, attempts) : new Map<string, string>();
    for (const task of lost.keys()) if (awaited.has(task)) this.#left.delete(task);
    for (const [task, attempt] of attempts) if (!lost.has(task)) this.#attempts.follow(task, attempt);
    for (const attempt of [...past, ...lost.values()]) this.#attempts.pass(attempt);
    this.#giving.repeat([...lost.keys(), ...refused]);
  }

  /** Redis is back; it may have lost the last it was told, or all. */
  async #again(): Promise<void> {
    await this.#giving.inTurn(async () => {
      if (this.#isStopping) return this.#round.cut();
      if (!(await this.#round.isThere())) await this.#giving.begin();
      await this.#giving.all((error) => this.#note(error));
    });
  }

  /** Who is there, every second. */
  async #look(): Promise<void> {
    try {
      await this.#round.watch();
      this.#refused = undefined;
      if (this.#giving.owes) await this.#giveAll();
      this.#workers = await livingWorkers(this.#round.redis);
      this.overload = await this.#round.overload();
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
      // What came is not written down by a coordinator that lost the round meanwhile.
      if (!(await this.#hold())) break;
      for (const { id, came } of arrived) {
        this.#last = id;
        if (!this.#isLeaving) this.#attempts.take(came);
      }
      if (arrived.length > 0) this.#given.changed();
      await this.#keep();
      if (flying?.length === 0 && arrived.length === 0) break;
    }
    const failure = { kind: "stopped", message: "Stopped" } as const;
    for (const task of this.running()) this.#given.log.append({ type: "failed", task, failure });
    this.#given.log.keep();
  }

  /** Resolves to whether the round is still there. Throws `RoundTaken`. */
  async #hold(): Promise<boolean> {
    let hold = await this.#round.check();
    if (hold === "gone") {
      // Redis may have lost it, and be given it anew now.
      await this.#giving.settled();
      hold = await this.#round.check();
    }
    if (hold !== "held" && !this.#isStopping)
      this.stop({ reason: "stopped", message: "Its round was ended at Redis: run it again for the rest" });
    return hold !== "gone";
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
    if (strategy.sequential?.(spec) === true) this.#tell(this.#giving.next());
  }

  /** Keeps a task for later, and the run with it, as its endpoint stays away. */
  #waitFor(task: string, worker: string, message: string): void {
    this.#pauseReason = `${message} (worker ${worker})`;
    if (!this.#giving.isPaused) {
      this.pause();
      this.#given.pausing?.();
    }
    this.#tell(this.#giving.repeatNow(task));
  }
}

/** Whether another program has the session by now: it goes on with its runs. */
function isTakenOver(folder: SessionFolder): boolean {
  try {
    folder.check();
    return false;
  } catch {
    return folder.isHeld() !== false;
  }
}
