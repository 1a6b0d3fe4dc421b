/** Long work that several callers may need at once: done once for all of them, and cancelled if none of them waits any more. */
import type { Monitor } from "./monitor.ts";

type Running<Value> = {
  readonly result: Promise<Value>;
  readonly monitors: Set<Monitor>;
  readonly ending: AbortController;
  doing: string | undefined;
};

export class SharedWork<Value> {
  readonly #done = new Map<string, Value>();
  readonly #running = new Map<string, Running<Value>>();

  /** Returns the result under this name; undefined before. */
  known(name: string): Value | undefined {
    return this.#done.get(name);
  }

  /** Takes over a result made elsewhere. */
  keep(name: string, value: Value): void {
    this.#done.set(name, value);
  }

  /**
   * Returns the result of the work of this name, starting it if necessary. Rejects with the reason of the monitor's own signal as
   * soon as it is aborted, and with the work's errors; failed work is started again the next time.
   */
  async do(name: string, monitor: Monitor, work: (monitor: Monitor) => Promise<Value>): Promise<Value> {
    monitor.signal.throwIfAborted();
    if (this.#done.has(name)) return this.#done.get(name)!;
    let running = this.#running.get(name);
    // Work in cancellation would fail for a caller who joins now.
    if (running === undefined || running.ending.signal.aborted) running = this.#begin(name, work);
    else if (running.doing !== undefined) monitor.progress(running.doing);
    return this.#wait(running, monitor);
  }

  #begin(name: string, work: (monitor: Monitor) => Promise<Value>): Running<Value> {
    const monitors = new Set<Monitor>();
    const ending = new AbortController();
    const progress = (doing: string) => {
      running.doing = doing;
      for (const each of monitors) each.progress(doing);
    };
    const running: Running<Value> = {
      // Started only after it is in the map, because the work may report progress at once.
      result: Promise.resolve().then(() => work({ signal: ending.signal, progress })),
      monitors,
      ending,
      doing: undefined,
    };
    this.#running.set(name, running);
    const ended = () => {
      if (this.#running.get(name) === running) this.#running.delete(name);
    };
    running.result.then(
      (value) => {
        this.#done.set(name, value);
        ended();
      },
      () => ended(),
    );
    return running;
  }

  async #wait({ result, monitors, ending }: Running<Value>, monitor: Monitor): Promise<Value> {
    const { promise, reject } = Promise.withResolvers<never>();
    const left = () => reject(monitor.signal.reason);
    monitor.signal.addEventListener("abort", left, { once: true });
    monitors.add(monitor);
    try {
      return await Promise.race([result, promise]);
    } finally {
      monitor.signal.removeEventListener("abort", left);
      monitors.delete(monitor);
      if (monitors.size === 0) ending.abort(monitor.signal.reason);
    }
  }
}
