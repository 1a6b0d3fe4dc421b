/** Long work several may need at once: done once, told to all who wait for it, ended when none of them waits any more. */
import type { Watch } from "./watch.ts";

type Going<Value> = {
  readonly result: Promise<Value>;
  readonly watching: Set<Watch>;
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
  async do(name: string, watch: Watch, work: (watch: Watch) => Promise<Value>): Promise<Value> {
    watch.signal.throwIfAborted();
    if (this.#done.has(name)) return this.#done.get(name)!;
    let going = this.#going.get(name);
    // Work that is being ended because all others left would fail for who comes now.
    if (going === undefined || going.ending.signal.aborted) going = this.#begin(name, work);
    else if (going.doing !== undefined) watch.progress(going.doing);
    return this.#wait(going, watch);
  }

  #begin(name: string, work: (watch: Watch) => Promise<Value>): Going<Value> {
    const watching = new Set<Watch>();
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

  async #wait({ result, watching, ending }: Going<Value>, watch: Watch): Promise<Value> {
    const { promise, reject } = Promise.withResolvers<never>();
    const left = () => reject(watch.signal.reason);
    watch.signal.addEventListener("abort", left, { once: true });
    watching.add(watch);
    try {
      return await Promise.race([result, promise]);
    } finally {
      watch.signal.removeEventListener("abort", left);
      watching.delete(watch);
      if (watching.size === 0) ending.abort(watch.signal.reason);
    }
  }
}
