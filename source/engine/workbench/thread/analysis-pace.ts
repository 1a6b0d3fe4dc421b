/** How many rows an analysis may look at before a screen is seen to wait: measured where it runs, by what was worked out last. */

/** Milliseconds of work that no key press notices. */
const unnoticed = 8;
/** Rows that are never too many, and those that always are, however fast the last few were. */
const [least, largest] = [500, 20_000];
/** Fewer rows measure how a figure is laid out, not how rows are looked at. */
const telling = 200;

export class AnalysisPace {
  /** More rows than that are worked out in a thread. */
  most = 1_000;

  /** So many rows took so many milliseconds in the thread of the screen. */
  add(rows: number, milliseconds: number): void {
    if (rows < telling || milliseconds <= 0) return;
    const measured = (rows * unnoticed) / milliseconds;
    this.most = Math.max(least, Math.min(largest, (this.most + measured) / 2));
  }
}
