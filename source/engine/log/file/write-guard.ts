/** Throws `Problem` where nothing may be written any more: into files that are open, and by their paths. */
export type WriteGuard = { check(): void; checkInPlace(): void };

export const unguarded: WriteGuard = { check: () => {}, checkInPlace: () => {} };
