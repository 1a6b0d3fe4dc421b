import { unfinished } from "./think-tags.ts";

/** Cuts an answer before the first stop string, where the server takes none, or would apply them to the thinking. */
export class StopCut {
  readonly #stop: readonly string[];
  #held = "";
  /** True once a stop string was met: nothing after it belongs to the answer. */
  met = false;

  constructor(stop: readonly string[]) {
    this.#stop = stop.filter((word) => word !== "");
  }

  /** The text that is certain by now; what may be the beginning of a stop string is held back. */
  take(text: string): string {
    if (this.met) return "";
    this.#held += text;
    const found = this.#stop.map((word) => this.#held.indexOf(word)).filter((at) => at !== -1);
    this.met = found.length > 0;
    const end = this.met ? Math.min(...found) : this.#held.length - unfinished(this.#held, this.#stop);
    const certain = this.#held.slice(0, end);
    this.#held = this.met ? "" : this.#held.slice(end);
    return certain;
  }

  /** What was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}
