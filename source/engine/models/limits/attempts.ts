/** Applies limits, outages and retries to one attempt at a request. Each wrapper takes an attempt and returns an attempt. */
import type { Chunk, TokenUsage } from "../../types.ts";
import type { Connection } from "../connection.ts";
import { OutageProblem, withoutKeys } from "../problem.ts";
import { defaultOutageTimeout, timeInWords } from "./outage.ts";
import { receptionOf } from "./overload.ts";
import { pause } from "../../work/abort-listeners.ts";
import { nextWait, outageWait, type RequestFailure } from "./retry-policy.ts";

/** The result of an attempt. */
export type Tried = {
  readonly failure: RequestFailure | undefined;
  /** Usage of a failed attempt. */
  readonly usage?: TokenUsage | undefined;
  /** Settles once the server has ended its answer; undefined if it has ended already. */
  readonly rest?: Promise<void> | undefined;
};

/** Makes one attempt, and streams its chunks on request. Throws the signal's reason if it is aborted. */
type Attempt<T extends Tried> = () => AsyncGenerator<Chunk, T> | Promise<T>;

/** Attempts in a wrapper. Failed attempts are reported as `retry` chunks. */
type Wrapped<T extends Tried> = () => AsyncGenerator<Chunk, T>;

/** One request with all its attempts. */
export type Tries = {
  readonly connection: Connection;
  readonly signal: AbortSignal;
  /** Expected number of tokens. */
  readonly expected: number;
  /** Called when the request starts and stops waiting for its turn. */
  readonly waits?: ((isWaiting: boolean) => void) | undefined;
  /** Number of attempts made, and number of attempts that failed because of an outage; the latter are limited by time. */
  attempts: number;
  away: number;
  /** The endpoint's count of answers to any request when the last attempt failed. */
  answersBefore?: number;
};

/**
 * Waits for a permit of the endpoint's limiter and reports the attempt's outcome to it. The result corrects the expected tokens.
 */
export async function* limited<T extends Tried>(
  tries: Tries,
  once: Attempt<T>,
): AsyncGenerator<Chunk, T & { spent(tokens: number): void }> {
  const { connection, signal, expected, waits } = tries;
  waits?.(true);
  const permit = await connection.limiter.acquire(signal, expected, tries.attempts > 0);
  waits?.(false);
  tries.attempts += 1;
  let tried: T | undefined;
  try {
    const attempt = once();
    tried = "then" in attempt ? await attempt : yield* attempt;
    return { ...tried, spent: permit.spent };
  } finally {
    const reception = signal.aborted ? undefined : receptionOf(tried?.failure);
    // Until its answer has ended, the server counts a request as accepted.
    if (tried?.rest === undefined) permit.release(reception);
    else void tried.rest.then(() => permit.release(reception));
  }
}

/** Retries while an endpoint that had answered is unreachable. Throws `OutageProblem` if that lasts too long. */
export async function* outlasting<T extends Tried>(tries: Tries, once: Wrapped<T>): AsyncGenerator<Chunk, T> {
  const { endpoint, outage, policy, secrets } = tries.connection;
  for (;;) {
    const tried = yield* once();
    if (tried.failure === undefined) return tried;
    const error = withoutKeys(tried.failure.error, secrets);
    const left = tried.failure.away === true ? outage.failed(error) : undefined;
    // If others are answered meanwhile, the endpoint is reachable and only this request fails.
    const othersAnswered = outage.answers !== (tries.answersBefore ?? outage.answers);
    tries.answersBefore = outage.answers;
    if (left === undefined || othersAnswered) return tried;
    tries.away += 1;
    if (left === 0) {
      const time = timeInWords((endpoint.outageTimeout ?? defaultOutageTimeout) * 1000);
      throw new OutageProblem(
        `Endpoint \`${endpoint.name}\` (${endpoint.baseUrl}) has not answered for ${time}: ${error}`,
      );
    }
    yield* again(tries, tried, outageWait(policy, tried.failure, { asked: tries.away, left }));
  }
}

/** Retries according to the policy. Throws `problem` with the failure and the reason for giving up. */
export async function* retrying<T extends Tried>(
  tries: Tries,
  problem: (failure: RequestFailure, giveUp: string) => Error,
  once: Wrapped<T>,
): AsyncGenerator<Chunk, T> {
  const { policy } = tries.connection;
  let busy = 0;
  for (;;) {
    const tried = yield* once();
    const { failure } = tried;
    if (failure === undefined) return tried;
    if (failure.kind === "busy") busy += 1;
    const next = nextWait(policy, failure, { attempt: tries.attempts - tries.away, busy });
    if ("giveUp" in next) throw problem(failure, next.giveUp);
    yield* again(tries, tried, next.wait);
  }
}

/** Reports a failed attempt and waits for the next. */
export async function* again(
  { connection: { secrets, clock }, signal, attempts: attempt }: Tries,
  { failure, usage }: Tried,
  wait: number,
): AsyncGenerator<Chunk, void> {
  const error = withoutKeys(failure!.error, secrets);
  yield { type: "retry", attempt, status: failure!.status, error, wait, ...(usage === undefined ? {} : { usage }) };
  if (wait > 0) await pause(wait, signal, clock);
}
