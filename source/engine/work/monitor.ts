/** How long-running work reports its progress and is cancelled. */

export type Monitor = {
  readonly signal: AbortSignal;
  /** What is being done, as text, such as `embedding 640 of 16,531 APIs`. Called often; must be cheap. */
  readonly progress: (doing: string) => void;
};

/** For work whose progress nobody follows, cancelled by this signal where there is one. */
export function unmonitored(signal: AbortSignal = new AbortController().signal): Monitor {
  return { signal, progress: () => {} };
}
