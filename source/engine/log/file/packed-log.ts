/**
 * Packed logs: `events.jsonl.gz` is a sequence of gzip members, each a range of the log. Any gzip program can read it as a whole;
 * each member's header contains its length, so that a range can be read alone.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync } from "node:fs";
import { crc32, gunzipSync, gzipSync } from "node:zlib";
import { replaceFile } from "../../files/replace-file.ts";
import { Problem } from "../../problem.ts";

/** Bytes of the log per member. */
const stretch = 1024 * 1024;

/** Length of a gzip header without our extra field `PW`, which contains the packed and the unpacked length of the member. */
const plainHeader = 10;
const header = plainHeader + 14;
const hasExtraField = 4;

/** Positions of a member in the file and in the log, and both lengths. */
type Member = { readonly at: number; readonly length: number; readonly from: number; readonly size: number };

export const packedPath = (path: string): string => `${path}.gz`;

/** Returns the packed form of a log. Throws `Problem` if it does not unpack to the same bytes. */
export function packedBytes(path: string): Buffer {
  const log = readFileSync(path);
  const members: Buffer[] = [];
  for (let from = 0; from < log.length; from += stretch) members.push(member(log.subarray(from, from + stretch)));
  if (members.reduce((crc, each) => crc32(gunzipSync(each), crc), 0) !== crc32(log))
    throw new Problem("bug", `Expected ${path} to unpack to the same log`);
  return Buffer.concat(members);
}

/** Replaces a log by its packed form. Throws and keeps the log if the packed form cannot be written or is wrong. */
export function packLog(path: string): void {
  replaceFile(packedPath(path), packedBytes(path));
  rmSync(path);
}

/**
 * Restores a packed log; does nothing without a packed log. If both forms exist, the unpacked form is newer. Throws `Problem` if
 * the packed form is damaged or the log cannot be written.
 */
export function unpackLog(path: string): void {
  if (!existsSync(packedPath(path))) return;
  if (!existsSync(path)) {
    let damaged = false;
    const log = Buffer.concat([...packedStretches(path, 0, () => (damaged = true))]);
    const left = statSync(packedPath(path)).size - membersOf(path).reduce((sum, { length }) => sum + length, 0);
    if (damaged || left > 0) throw new Problem("tool", `${packedPath(path)} is damaged, so its run cannot continue`);
    replaceFile(path, log);
  }
  rmSync(packedPath(path));
}

/** Returns the unpacked length of a packed log. */
export function packedSize(path: string): number {
  const last = membersOf(path).at(-1);
  return last === undefined ? 0 : last.from + last.size;
}

/** Yields the bytes of a packed log from a position on; replaces damaged ranges by zeros and calls `damaged`. */
export function* packedStretches(path: string, from: number, damaged = () => {}): Generator<Buffer> {
  const file = openSync(packedPath(path), "r");
  try {
    for (const each of membersOf(path)) {
      if (each.from + each.size <= from) continue;
      const packed = Buffer.allocUnsafe(each.length);
      readSync(file, packed, 0, each.length, each.at);
      yield unpacked(packed, each.size, damaged).subarray(Math.max(0, from - each.from));
    }
  } finally {
    closeSync(file);
  }
}

function unpacked(packed: Buffer, size: number, damaged: () => void): Buffer {
  try {
    const bytes = gunzipSync(packed, { maxOutputLength: stretch });
    if (bytes.length === size) return bytes;
  } catch {
    // Reported below.
  }
  damaged();
  return Buffer.alloc(size);
}

function member(bytes: Buffer): Buffer {
  const packed = gzipSync(bytes, { level: 9 });
  const extra = Buffer.alloc(header - plainHeader);
  extra.writeUInt16LE(extra.length - 2, 0);
  extra.write("PW", 2, "latin1");
  extra.writeUInt16LE(8, 4);
  extra.writeUInt32LE(packed.length + extra.length, 6);
  extra.writeUInt32LE(bytes.length, 10);
  const whole = Buffer.concat([packed.subarray(0, plainHeader), extra, packed.subarray(plainHeader)]);
  whole[3] = whole[3]! | hasExtraField;
  return whole;
}

/** Returns the members up to the first that this program did not write. */
function membersOf(path: string): readonly Member[] {
  const members: Member[] = [];
  const file = openSync(packedPath(path), "r");
  try {
    const { size: end } = statSync(packedPath(path));
    const start = Buffer.alloc(header);
    for (let at = 0, from = 0; at < end;) {
      const isWhole = readSync(file, start, 0, header, at) === header && start.toString("latin1", 12, 14) === "PW";
      const [length, size] = [start.readUInt32LE(16), start.readUInt32LE(20)];
      if (!isWhole || length <= header || at + length > end || size === 0 || size > stretch) break;
      members.push({ at, length, from, size });
      at += length;
      from += size;
    }
  } finally {
    closeSync(file);
  }
  return members;
}
