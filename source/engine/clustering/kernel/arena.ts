/** Where arrays lie in a shared memory: one after the other, each beginning at a multiple of 64 bytes. */

export type Arena = {
  /** Sets aside room for `count` elements of `size` bytes; gives its address. */
  take(count: number, size: number): number;
  /** Bytes set aside so far. */
  readonly bytes: number;
};

export function arena(): Arena {
  let bytes = 64;
  return {
    take(count, size) {
      const at = bytes;
      bytes += Math.ceil((count * size) / 64) * 64;
      return at;
    },
    get bytes() {
      return bytes;
    },
  };
}
