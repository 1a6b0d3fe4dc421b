/**
 * Estimates how many requests a server accepts at a time from the share that it refuses. Requests are counted in windows. If a
 * window has too many refusals, the limit becomes the mean number of requests that the server processed in it (Little's law: time
 * in flight without that of refused requests, over the time of the window), but no less than the number that worked in the last
 * minute. If a window has few refusals, the limit grows by half. A single refusal changes nothing, so refusals independent of the
 * load leave the limit unchanged.
 *
 * The rule is a pure function, so that a limiter in this program and the limit that workers share in Redis follow the same rule.
 */
import type { RequestFailure } from "./retry-policy.ts";

/** Evidence of the server's load from a request; undefined for aborted requests and requests that reached no server. */
export type Reception = "taken" | "refused";

/** Measurements of a server's load. Times are milliseconds of one clock. */
export type Tally = {
  /** Limit of requests in flight; undefined for the configured one. */
  readonly allowed: number | undefined;
  /** The most recent receptions, latest last: `1` for a refusal, `0` for an accepted request. */
  readonly receptions: string;
  /** Start of the window, and the receptions since. */
  readonly since: number;
  readonly fresh: number;
  /**
   * The time when requests in flight were last counted; `held`: their time in flight in the window until then, without refused
   * requests.
   */
  readonly at: number;
  readonly held: number;
  /** Maximum number of simultaneous requests in the window. */
  readonly peak: number;
  /** Maximum number of simultaneous requests in a window with few refusals, and its time. */
  readonly worked: number;
  readonly workedAt: number;
  /** When the limit was last lowered. */
  readonly loweredAt: number;
};

/** Share of a window's requests above which the limit is lowered. */
const tooMany = 0.25;
/** Number of receptions in a window for each request in flight, with a minimum and a maximum. */
const perPlace = 2;
const fewest = 4;
export const mostReceptions = 100;
/** Milliseconds for which the last working limit is remembered. For the same time after a reduction, the limit does not grow. */
const minute = 60_000;
const rest = 10_000;

/** Returns the evidence that the end of a request gives; `failure` is undefined if the request got its reply. */
export function receptionOf(failure: RequestFailure | undefined): Reception | undefined {
  if (failure?.kind === "busy") return "refused";
  return failure?.away === true ? undefined : "taken";
}

/** A server without measurements. */
export function newTally(now: number): Tally {
  const window = { since: now, fresh: 0, at: now, held: 0, peak: 0 };
  return { allowed: undefined, receptions: "", ...window, worked: 0, workedAt: -Infinity, loweredAt: -Infinity };
}

/** Returns the tally after a request was sent; `flying`: requests in flight before it was sent. */
export function afterStart(tally: Tally, flying: number, now: number): Tally {
  return { ...tally, ...heldUntil(tally, flying, now), peak: Math.max(tally.peak, flying + 1) };
}

/**
 * Returns the tally after a request sent at `from` ended; `flying`: requests in flight, including this request; `reception`:
 * undefined without evidence.
 */
export function afterEnd(
  tally: Tally,
  flying: number,
  now: number,
  { from, reception }: { readonly from: number; readonly reception: Reception | undefined },
): Tally {
  const { at, held } = heldUntil(tally, flying, now);
  if (reception === undefined) return { ...tally, at, held };
  const refused = reception === "refused";
  return {
    ...tally,
    at,
    held: refused ? held - (now - Math.max(from, tally.since)) : held,
    fresh: tally.fresh + 1,
    receptions: `${tally.receptions}${refused ? 1 : 0}`.slice(-mostReceptions),
  };
}

const heldUntil = ({ at, held }: Tally, flying: number, now: number) => ({ at: now, held: held + flying * (now - at) });

/**
 * Returns the tally with a new window and the limit that follows from the complete previous window; undefined while that window
 * is incomplete. `most`: the configured limit; `flying`: requests in flight.
 */
export function nextWindow(tally: Tally, most: number, flying: number, now: number): Tally | undefined {
  const limit = limitOf(tally, most);
  const wanted = Math.min(mostReceptions, Math.max(fewest, perPlace * limit));
  const refused = refusals(tally.receptions.slice(Math.max(0, tally.receptions.length - tally.fresh)));
  const isOverloaded = refused > tooMany * wanted;
  if (!isOverloaded && tally.fresh < wanted) return undefined;
  const floor = now - tally.workedAt < minute ? tally.worked : 1;
  const worked = isOverloaded || tally.peak < floor ? {} : { worked: tally.peak, workedAt: now };
  const lower = Math.max(floor, isOverloaded ? leastAfter(tally, { limit, refused, now }) : tally.peak);
  // While requests are refused, an unused limit would let new requests take the places that refused ones wait for.
  const isIdle = refused > 0 && 2 * tally.peak <= limit;
  const window = { since: now, fresh: 0, at: now, held: 0, peak: flying };
  if ((isOverloaded || isIdle) && lower < limit)
    return { ...tally, ...window, ...worked, allowed: lower, loweredAt: now };
  const grows = isOverloaded ? now - tally.loweredAt >= minute : tally.peak >= limit && now - tally.loweredAt >= rest;
  const next = grows ? limit + Math.ceil(limit / 2) : limit;
  return { ...tally, ...window, ...worked, allowed: next < most ? next : undefined };
}

/**
 * Returns the mean number of requests that the server processed, but at least half the previous limit, because a window may be
 * short, and less than before if it refused most requests, because a server may count a request for a moment after its reply.
 */
function leastAfter(
  { held, since, fresh }: Tally,
  { limit, refused, now }: Record<"limit" | "refused" | "now", number>,
) {
  const least = Math.max(Math.round(held / Math.max(1, now - since)), Math.floor(limit / 2));
  return Math.max(1, 2 * refused > fresh ? Math.min(least, limit - 1) : least);
}

/** Returns the tally after a person set the limit; the configured value counts as proven in the last minute. */
export function afterSetting(tally: Tally, most: number, now: number): Tally {
  return { ...tally, allowed: undefined, worked: most, workedAt: now };
}

/** Returns the maximum number of requests in flight. */
export const limitOf = ({ allowed = Infinity }: Pick<Tally, "allowed">, most: number) => Math.min(most, allowed);

/**
 * Returns text such as `6 of 32 requests at a time: the server refuses 12 %`, computed from the last requests; undefined while the limit
 * is the configured limit.
 */
export function overloadText({ allowed, receptions }: Pick<Tally, "allowed" | "receptions">, most: number) {
  if (allowed === undefined || allowed >= most) return undefined;
  const share = refusals(receptions) / Math.max(1, receptions.length);
  return `${allowed} of ${most} requests at a time: the server refuses ${Math.round(100 * share)} %`;
}

const refusals = (receptions: string): number => receptions.replaceAll("0", "").length;
