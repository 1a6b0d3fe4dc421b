/** FNV-1a with 32 bits (Fowler, Noll and Vo, 1991), which needs one multiplication for each unit of a text. Not for security. */

export const firstHash = 0x811c9dc5;

/** Returns the hash after one more unit, with a sign; `>>> 0` removes the sign. */
export const nextHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
