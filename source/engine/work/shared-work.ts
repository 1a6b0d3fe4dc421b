/** Long work several may need at once: done once, told to all who wait for it, ended when none of them waits any more. */
import type { Monitor } from "./monitor.ts";

type Going<Value> = {
  readonly result: Promise<Value>;
  readonly watching: Set<Monitor>;
  readonly ending: AbortController;
  doing: string | undefined;
};

export class SharedWork<Value> {
  readonly #done = new Map<string, Value>();
  readonly #going = new Map<string, Going<Value>>();

  /** What was made under this name; undefined before. */
  known(name: string): Value | undefined {
    return this.#done.get(name);
  }

  /** Takes a result that was made elsewhere. */
  keep(name: string, value: Value): void {
    this.#done.set(name, value);
  }

  /**
   * The result of the work of this name, begun where nobody has begun it. Rejects with the reason of the watch's own signal as
   * soon as that is aborted, and with what the work throws; work that failed is begun anew the next time.
   */
  async do(name: string, monitor: Monitor, work: (monitor: Monitor) => Promise<Value>): Promise<Value> {
    monitor.signal.throwIfAborted();
    if (this.#done.has(name)) return this.#done.get(name)!;
    let going = this.#going.get(name);
    // Work that is being ended because all others left would fail for who comes now.
    if (going === undefined || going.ending.signal.aborted) going = this.#begin(name, work);
    else if (going.doing !== undefined) monitor.progress(going.doing);
    return this.#wait(going, monitor);
  }

  #begin(name: string, work: (monitor: Monitor) => Promise<Value>): Going<Value> {
    const watching = new Set<Monitor>();
    const ending = new AbortController();
    const progress = (doing: string) => {
      going.doing = doing;
      for (const each of watching) each.progress(doing);
    };
    const going: Going<Value> = {
      // Not before it is known here: the work may tell of its progress at once.
      result: Promise.resolve().then(() => work({ signal: ending.signal, progress })),
      watching,
      ending,
      doing: undefined,
    };
    this.#going.set(name, going);
    const ended = () => {
      if (this.#going.get(name) === going) this.#going.delete(name);
    };
    going.result.then(
      (value) => {
        this.#done.set(name, value);
        ended();
      },
      () => ended(),
    );
    return going;
  }

  async #wait({ result, watching, ending }: Going<Value>, monitor: Monitor): Promise<Value> {
    const { promise, reject } = Promise.withResolvers<never>();
    const left = () => reject(monitor.signal.reason);
    monitor.signal.addEventListener("abort", left, { once: true });
    watching.add(monitor);
    try {
      return await Promise.race([result, promise]);
    } finally {
      monitor.signal.removeEventListener("abort", left);
      watching.delete(monitor);
      if (watching.size === 0) ending.abort(monitor.signal.reason);
    }
  }
}
