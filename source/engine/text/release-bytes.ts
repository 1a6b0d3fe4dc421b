/** Gives back at once what a collection of garbage gives back some day: by then the same is there several times. */

/** Bytes from which on that matters. Shorter ones may share their memory with others. */
export const longBytes = 4 * 1024 * 1024;

/** Gives back the memory of bytes that nobody reads again; they are empty then. Short ones stay as they are. */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer.byteLength > longBytes && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
