/** Releases memory at once that garbage collection would release late, after several copies exist. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Size in bytes from which on releasing is worthwhile. Smaller arrays may share their memory with others. */
export const longBytes = 4 * 1024 * 1024;

/** Releases the memory of bytes that are no longer needed and leaves them empty; small arrays stay unchanged. */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer.byteLength > longBytes && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Characters of a text from which a collection is worth its time, which blocks every screen. */
const worthCollecting = 32 * 1024 * 1024;

let collect: ((how: { readonly type: "major"; readonly flavor: "last-resort" }) => void) | undefined;

/** Collects garbage once a text of this length is no longer needed. Texts under 32 MB wait for the usual collection. */
export function releaseText(length: number): void {
  if (length > worthCollecting) releaseGarbage();
}

/** Collects all garbage and returns its memory to the system before the call ends. */
export function releaseGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as NonNullable<typeof collect>;
  }
  collect({ type: "major", flavor: "last-resort" });
}

/** Returns a line with its end, because appending the end to a long text would copy it. */
export function lineBytes(text: string): Buffer {
  if (text.length <= longBytes) return Buffer.from(`${text}\n`, "utf8");
  const length = Buffer.byteLength(text, "utf8");
  const bytes = Buffer.allocUnsafeSlow(length + 1);
  bytes.write(text, "utf8");
  bytes[length] = 10;
  return bytes;
}
