/** How long-running work reports its progress and is cancelled. */

export type Monitor = {
  readonly signal: AbortSignal;
  /** Receives the current activity as text, such as `embedding 640 of 16,531 APIs`. Called often; must be cheap. */
  readonly progress: (doing: string) => void;
};

/** Returns a monitor for work without progress display, cancelled by this signal if given. */
export const unmonitored = (signal: AbortSignal = new AbortController().signal) => ({ signal, progress: () => {} });
