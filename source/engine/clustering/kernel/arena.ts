/** Allocates arrays in one memory, one after the other, each aligned to 64 bytes. */

export type Arena = {
  /** Allocates `count` elements of `size` bytes; returns the address. */
  allocate(count: number, size: number): number;
  /** Bytes allocated so far. */
  readonly bytes: number;
};

export function arena(): Arena {
  let bytes = 64;
  return {
    allocate(count, size) {
      const at = bytes;
      bytes += Math.ceil((count * size) / 64) * 64;
      return at;
    },
    get bytes() {
      return bytes;
    },
  };
}
