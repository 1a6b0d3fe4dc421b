/** Gives back at once what a collection of garbage gives back some day: by then the same is there several times. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes from which on that matters. Shorter ones may share their memory with others. */
export const longBytes = 4 * 1024 * 1024;

/** Gives back the memory of bytes that nobody reads again; they are empty then. Short ones stay as they are. */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer.byteLength > longBytes && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Letters of a text from which on a collection is worth its time, which every screen waits for. */
const worthCollecting = 32 * 1024 * 1024;

let collect: ((how: { readonly type: "major"; readonly flavor: "last-resort" }) => void) | undefined;

/** Collects garbage once a text of this length is no longer needed. Shorter ones than 32 MB wait for a collection. */
export function releaseText(length: number): void {
  if (length <= worthCollecting) return;
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as NonNullable<typeof collect>;
  }
  // By this flavour its pages go back to the system before it returns.
  collect({ type: "major", flavor: "last-resort" });
}

/** A line with its end. To put the end behind a long text would copy it. */
export function lineBytes(text: string): Buffer {
  if (text.length <= longBytes) return Buffer.from(`${text}\n`, "utf8");
  const length = Buffer.byteLength(text, "utf8");
  const bytes = Buffer.allocUnsafeSlow(length + 1);
  bytes.write(text, "utf8");
  bytes[length] = 10;
  return bytes;
}
