/** Seeded random numbers: the same seed gives the same run on every machine. */
import { firstHash, nextHash } from "../work/hash.ts";

/** Returns the 32-bit FNV-1a hash of the UTF-16 units of `text`: turns names into seeds. */
export function seedOf(text: string): number {
  let hash = firstHash;
  for (let index = 0; index < text.length; index++) hash = nextHash(hash, text.charCodeAt(index));
  return hash >>> 0;
}

/** Returns a generator of numbers uniform in [0, 1), with 32 bits of state and resolution (the mulberry32 recurrence). */
export function randomFrom(seed: number | string): () => number {
  let state = (typeof seed === "string" ? seedOf(seed) : seed) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a function that fills `words` with the same numbers as 32 bits each, which is several times as fast for millions of
 * numbers.
 */
export function randomWordsFrom(seed: number | string): (words: Int32Array) => void {
  let next = (typeof seed === "string" ? seedOf(seed) : seed) | 0;
  return (words) => {
    let state = next;
    for (let index = 0; index < words.length; index++) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      words[index] = mixed ^ (mixed >>> 14);
    }
    next = state;
  };
}

/** Returns a new array with the same items in random order (Fisher-Yates). */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const order = [...items];
  for (let index = order.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}

/** Returns one item, all equally likely. Throws on an empty list. */
export function pick<Item>(items: readonly Item[], random: () => number): Item {
  if (items.length === 0) throw new RangeError("Expected at least one item to pick from, got none");
  return items[Math.floor(random() * items.length)]!;
}
