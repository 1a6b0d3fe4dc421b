/** How long work is watched: it says how far it is, and can be ended. */

export type Monitor = {
  readonly signal: AbortSignal;
  /** What is being done, in words, such as `embedding 640 of 16,531 APIs`. Called often; must be cheap. */
  readonly progress: (doing: string) => void;
};

/** Work that nobody watches, ended by this signal where there is one. */
export function unmonitored(signal: AbortSignal = new AbortController().signal): Monitor {
  return { signal, progress: () => {} };
}
