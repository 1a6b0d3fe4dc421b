/**
 * Coordinates a run that workers execute: queues its tasks, records results in the session's log as its only writer, and controls
 * it. The log determines the progress. Repeated entries of the stream are skipped, so that another coordinator can continue from
 * any point, and the stream is trimmed only after the log is on disk.
 */
import { keepHeapLean } from "../engine/work/lean-heap.ts";
import { RunCourse, type RunEnd } from "../engine/run/run-course.ts";
import { solutionOf } from "../engine/run/solutions.ts";
import type { TaskEnd } from "../engine/run/task-end.ts";
import type { TaskRunner } from "../engine/run/runner.ts";
import { Problem } from "../engine/problem.ts";
import type { RunEnding } from "../engine/log/rows/rows.ts";
import type { LiveStream } from "../engine/log/live-stream.ts";
import type { Step, TaskEvent } from "../engine/types.ts";
import { type Clock, machineClock, type Timer } from "../engine/work/clock.ts";
import type { GivenAway } from "../engine/workbench/runs/run-context.ts";
import type { SessionFolder } from "../engine/session/session-folder.ts";
import { readRedisUrl, redisName } from "../engine/settings/redis-place.ts";
import { RoundTaken } from "./coordinator.ts";
import { type FollowedAttempt, FollowedAttempts } from "./followed-attempts.ts";
import { RedisPulse } from "./redis-pulse.ts";
import { livingWorkers, type WorkerPresence } from "./presence.ts";
import { type Round, steeringOf } from "./rounds/round.ts";
import { removeRoundFile, type RoundFile, writeRoundFile } from "./rounds/round-file.ts";
import { RoundGiving } from "./rounds/round-giving.ts";
import { takenUp } from "./taken-up.ts";

/** Milliseconds between two checks of the workers, and between two flushes of the log to disk. */
const beat = 1000;

export class WorkersRun implements TaskRunner {
  readonly #given: GivenAway;
  readonly #round: Round;
  readonly #file: RoundFile;
  readonly #clock: Clock;
  readonly #course: RunCourse;
  readonly #giving: RoundGiving;
  readonly #name: string;
  /** Tasks without a result yet. */
  readonly #left: Set<string>;
  readonly #attempts: FollowedAttempts;
  #last = "0";
  #kept = "0";
  #keptAt = 0;
  #workers: readonly WorkerPresence[] = [];
  #isStopping = false;
  #isLeaving = false;
  readonly #gone = Promise.withResolvers<"left">();
  readonly #pulse: RedisPulse;
  #refused: string | undefined;
  /** A text about the previous coordinator, while it may still be running. */
  #former: string | undefined;
  #refusals: string | undefined;
  #dangers: string | undefined;
  overload: string | undefined;
  #timer: Timer | undefined;
  completesStop = false;

  constructor(given: GivenAway, round: Round, file: RoundFile) {
    this.#given = given;
    this.#round = round;
    this.#file = file;
    this.#clock = given.clock ?? machineClock;
    this.#course = new RunCourse(given, (reason) => this.stop(reason));
    this.#name = redisName(readRedisUrl(round.url));
    const { interleaved } = given;
    const ids = given.tasks.map(({ id }) => id);
    this.#left = new Set(interleaved ? ids.toSorted((a, b) => interleaved.placeOf(a) - interleaved.placeOf(b)) : ids);
    this.#giving = new RoundGiving(given, round, this.#left, undefined, (tasks) => this.#noteHanded(tasks));
    this.#attempts = new FollowedAttempts({
      ...given,
      round: round.id,
      left: this.#left,
      asking: () => this.#course.checkLimits(),
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
    return this.#isStopping ? undefined : this.#course.pauseReason;
  }
  get notice(): string | undefined {
    const none = `No workers: start one with \`planwright worker ${this.#round.url}\``;
    const nobody = this.#workers.length === 0 && this.#attempts.size === 0 ? none : undefined;
    return this.#awayText ?? this.#former ?? this.#refused ?? this.#refusals ?? nobody ?? this.#dangers;
  }
  get #awayText(): string | undefined {
    if (this.unheard === undefined) return undefined;
    const then = this.#isStopping
      ? "the run stops when Redis is back. If you leave now, the run's workers continue"
      : "workers continue with their tasks, and results arrive when Redis is back";
    return `${this.unheard}: ${then}`;
  }
  get unheard(): string | undefined {
    return this.#pulse.isSilent ? `Redis at ${this.#name} does not answer` : undefined;
  }

  running(): readonly string[] {
    return this.#attempts.running();
  }
  live(task: string): LiveStream | undefined {
    return this.#attempts.get(task)?.stream;
  }

  setConcurrency(concurrency: number): void {
    this.#tell(this.#giving.steer({ do: "concurrency", to: concurrency }));
  }
  pause(): void {
    this.#tell(this.#giving.steer({ do: "pause" }));
  }
  resume(): void {
    this.#course.pauseReason = undefined;
    this.#tell(this.#giving.steer({ do: "resume" }));
  }
  /** Aborts the tasks in flight; during an outage, as soon as Redis is back. */
  stop(reason?: RunEnding): void {
    this.#course.endFor(reason);
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#given.stopping?.();
    this.#tell(this.#giving.steer({ do: "stop" }));
  }
  /**
   * Records the tasks that workers have, so that the program that opens the session next collects their results, although the run
   * may be decided without other tasks.
   */
  #noteHanded(tasks: readonly string[]): void {
    if (this.#given.interleaved !== undefined) writeRoundFile(this.#given.store.folder, { ...this.#file, tasks });
  }

  /** Queues the tasks that may start now. If the comparison is decided, queues no more and waits for those that workers have. */
  #heed(): void {
    const ending = this.#given.interleaved?.ending;
    if (ending === undefined) return this.#tell(this.#giving.more());
    this.#course.endFor(ending);
    this.#giving.endEarly();
  }

  /** The workers continue; the next program that opens the session records their results. */
  leave(): void {
    this.#isLeaving = true;
    this.#round.release();
    this.#pulse.end();
    this.#round.disconnect();
    // Commands sent to a Redis that is away are never answered.
    this.#gone.resolve("left");
  }

  #tell(said: Promise<void>): void {
    said.catch((error: Error) => this.#note(error));
    this.#given.changed();
  }

  #note(error: Error | undefined): void {
    // A lost token ends the run, which reports it.
    if (this.#isLeaving || error instanceof RoundTaken) return;
    this.#refused =
      error && `Redis at ${this.#name} rejects writes (${error.message}): workers wait until Redis accepts writes`;
    this.#given.changed();
  }

  async run(): Promise<RunEnd | "left"> {
    keepHeapLean(this.#given.tasks.length);
    this.#course.watchTime();
    const leave = this.#given.interleaved?.join(() => this.#heed());
    try {
      return await Promise.race([this.#execute(), this.#gone.promise]);
    } catch (error) {
      if (this.#isLeaving) return "left";
      await Promise.race([this.#giveUp(), this.#gone.promise]);
      throw error;
    } finally {
      leave?.();
      this.#given.log.flush();
      this.#course.unwatch();
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
    return this.#course.end;
  }

  /** Aborts and removes the round of a failed run, unless another program coordinates it or holds the session. Never rejects. */
  async #giveUp(): Promise<void> {
    this.#isStopping = true;
    this.#given.stopping?.();
    await this.#giving.close();
    try {
      if (isTakenOver(this.#given.folder)) return;
      // Removing a round with many tasks takes a while, so its workers are stopped first.
      await this.#round.steer({ do: "stop" });
      await this.#round.remove();
    } catch (error) {
      this.#note(error as Error);
    }
    const isThere = await this.#round.isThere().catch(() => true);
    if (!isThere) removeRoundFile(this.#given.store.folder);
  }

  async #begin(): Promise<void> {
    this.#dangers = (await this.#round.dangers()).join(". ") || undefined;
    this.#course.checkLimits();
    if (!this.#given.isOut) {
      const { interleaved, store } = this.#given;
      writeRoundFile(store.folder, interleaved === undefined ? this.#file : { ...this.#file, tasks: [] });
      await this.#giving.begin();
    } else if (await this.#round.isThere()) await this.#takeUp();
    else throw new Problem("tool", `Redis at ${this.#name} no longer has the tasks given to workers`);
    await this.#giveAll();
    this.#given.roomLeft?.();
  }

  #giveAll(): Promise<void> {
    return this.#giving.inTurn(() => this.#giving.all((error) => this.#note(error)));
  }

  /** True if other runs are compared with this run, so that its last task may not be the last one that decides. */
  get #awaitsOthers(): boolean {
    const { interleaved } = this.#given;
    return interleaved !== undefined && interleaved.ending === undefined && !this.#isStopping;
  }

  /** Determines how much of the round is already in the log. Throws `RoundTaken`. */
  async #takeUp(): Promise<void> {
    const isOther = await this.#round.coordinator.claim(({ folder, host }) => {
      this.#former = `${folder} on ${host} coordinated this run's workers a moment ago: waiting to learn if that session has ended`;
      this.#given.changed();
      return !this.#isStopping;
    });
    this.#former = undefined;
    // The previous coordinator may have been killed while it stopped the run.
    if (this.#isStopping) await this.#round.steer({ do: "stop" });
    else if ((await steeringOf(this.#round.redis, this.#round.keys)).isStopped) {
      this.completesStop = true;
      this.stop();
    }
    const { left, awaited, attempts, past, again } = await takenUp(
      this.#round,
      this.#given.store,
      this.#left,
      isOther === true,
    );
    for (const task of this.#left) if (!left.has(task)) this.#left.delete(task);
    this.#giving.await(awaited);
    for (const [task, attempt] of attempts) this.#attempts.follow(task, attempt);
    for (const attempt of past) this.#attempts.pass(attempt);
    this.#giving.repeat(again);
  }

  /** Restores the round after an outage, in which Redis may have lost the last writes or everything. */
  async #again(): Promise<void> {
    await this.#giving.inTurn(async () => {
      if (this.#isStopping) return this.#round.steer({ do: "stop" });
      if (!(await this.#round.isThere())) await this.#giving.begin();
      await this.#giving.all((error) => this.#note(error));
    });
  }

  /** Updates the list of workers every second. */
  async #look(): Promise<void> {
    try {
      await this.#round.steer({ do: "follow" });
      this.#refused = undefined;
      if (this.#giving.owes) await this.#giveAll();
      this.#workers = await livingWorkers(this.#round.redis);
      this.#giving.places = this.concurrency;
      if (this.#given.interleaved !== undefined) this.#heed();
      this.overload = await this.#round.overload();
      const refusals = [...(await this.#round.refusals())].map(
        ([worker, why]) => `Worker ${worker} does not take part in the run: ${why}`,
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
    while (this.#left.size > 0 || this.#awaitsOthers) {
      const flying = this.#isStopping ? await this.#round.inFlight() : undefined;
      const arrived = await this.#round.read(this.#last);
      // A coordinator that lost the round meanwhile must not record these events.
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

  /** Resolves to whether the round still exists. Throws `RoundTaken`. */
  async #hold(): Promise<boolean> {
    let hold = await this.#round.coordinator.check();
    if (hold === "gone") {
      // Redis may have lost the round, which is then being written again.
      await this.#giving.settled();
      hold = await this.#round.coordinator.check();
    }
    if (hold !== "held" && !this.#isStopping)
      this.stop({
        reason: "stopped",
        message: "The run was ended in Redis: run it again to execute the remaining tasks",
      });
    return hold !== "gone";
  }

  /** Flushes the log and trims the stream up to it. */
  async #keep(): Promise<void> {
    const now = this.#clock.now();
    if (this.#kept === this.#last || now - this.#keptAt < beat) return;
    this.#keptAt = now;
    this.#given.log.keep();
    this.#kept = this.#last;
    await this.#round.trim(this.#kept);
  }

  #count(event: TaskEvent, followed: FollowedAttempt): void {
    if (event.type !== "prompt" && event.type !== "usage") return;
    const prompt = event.type === "prompt" ? event : followed.stream.prompt(event.request);
    if (prompt?.saved === undefined) this.#course.meter.take(event as Step, prompt && this.#given.prices(prompt.model));
  }

  #end(task: string, followed: FollowedAttempt, end: TaskEnd): void {
    if (end.outage !== undefined && !this.#isStopping) return this.#waitFor(task, followed.worker, end.outage);
    this.#left.delete(task);
    this.#course.learnFrom(task, end, this.#left.size === 0);
    const { solutions } = this.#given;
    const solution = solutionOf(followed.stream.events, followed.score);
    if (solution !== undefined) solutions?.set(task, solution);
    this.#given.interleaved?.taskEnded();
    this.#giving.ended(task).catch((error: Error) => this.#note(error));
  }

  /** Pauses the run and repeats the task later, because its endpoint stays away. */
  #waitFor(task: string, worker: string, message: string): void {
    this.#course.pauseReason = `${message} (worker ${worker})`;
    if (!this.#giving.isPaused) {
      this.pause();
      this.#given.pausing?.();
    }
    this.#tell(this.#giving.repeatNow(task));
  }
}

/** Returns whether another program has the session now and thus continues its runs. */
function isTakenOver(folder: SessionFolder): boolean {
  try {
    folder.check();
    return false;
  } catch {
    return folder.isHeld() !== false;
  }
}
