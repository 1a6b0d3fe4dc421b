/** Whether a model calls tools at all: one that never does would be asked hundreds of times for nothing. */

/** Requests with tools, from the first on, that may go without a call. */
const most = 10;

/** Ends a task before its strategy has: it is scored as it stands. */
export class EarlyEnd extends Error {
  override readonly name = "EarlyEnd";
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export class ToolUse {
  #without = 0;
  #called = false;

  /** After every reply to a request with tools. Throws `EarlyEnd` where none of the first ten brought a call. */
  take(calls: number): void {
    if (calls > 0) this.#called = true;
    if (this.#called) return;
    this.#without += 1;
    if (this.#without >= most)
      throw new EarlyEnd("no-tool-call", `The first ${most} requests with tools brought no call: the task ends here`);
  }
}
