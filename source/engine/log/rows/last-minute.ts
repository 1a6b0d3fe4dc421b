/** Amounts of the last minute, such as tasks that ended: their rate needs little memory, however many there are. */

/** Milliseconds of the past used for the rate. */
const window = 60_000;
/** Amounts within this many milliseconds are joined. */
const joined = 100;

/** An amount with its times in milliseconds since 1970: `from` is the start of the first attempt that led to it. */
type Span = { from: number; readonly first: number; to: number; amount: number };

export class LastMinute {
  /** The latest last. */
  readonly #spans: Span[] = [];

  /** The number of joined amounts in memory. */
  get length(): number {
    return this.#spans.length;
  }

  /** Adds an amount at the time `to`, from an attempt that started at `from`. */
  add(from: number, to: number, amount: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && to >= last.to && to - last.first < joined) {
      last.to = to;
      last.from = Math.min(last.from, from);
      last.amount += amount;
      return;
    }
    // Without a screen nobody asks for the rate.
    this.#forget(to);
    this.#spans.push({ from, first: to, to, amount });
  }

  /**
   * Returns the amount per so many seconds in the last minute, or since the first of its attempts started, but at least half a
   * second; undefined if nothing was added in the last minute.
   */
  perSecond(now: number, seconds = 1): number | undefined {
    this.#forget(now);
    if (this.#spans.length === 0) return undefined;
    let [amount, first] = [0, now];
    for (const span of this.#spans) {
      amount += span.amount;
      first = Math.min(first, span.from);
    }
    return (amount / Math.min(window, Math.max(500, now - first))) * (1000 * seconds);
  }

  #forget(now: number): void {
    // Removed in one step, because there may be many.
    const late = this.#spans.findIndex(({ to }) => now - to <= window);
    this.#spans.splice(0, late < 0 ? this.#spans.length : late);
  }
}
