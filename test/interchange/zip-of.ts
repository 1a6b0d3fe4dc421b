/** Hand-written zip archives, even those that no honest program writes (PKWARE's APPNOTE 6.3.10). */
import { crc32, deflateRawSync, zstdCompressSync } from "node:zlib";

const methods = { stored: 0, deflated: 8, zstd: 93 } as const;

/** Some fields of every file can be set to false values. */
type Lies = { readonly size?: number; readonly crc?: number; readonly method?: number; readonly flags?: number };

export function zipOf(files: Readonly<Record<string, string>>, by: keyof typeof methods, lies: Lies = {}): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const data = by === "stored" ? bytes : by === "zstd" ? zstdCompressSync(bytes) : deflateRawSync(bytes);
    const told = { size: bytes.length, crc: crc32(bytes), method: methods[by], flags: 0, ...lies };
    const fields = fieldsOf(told, data.length, name);
    parts.push(Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), data]));
    const where = Buffer.alloc(14);
    where.writeUInt32LE(at, 10);
    list.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), fields, where, Buffer.from(name)]));
    at += parts.at(-1)!.length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(list.length, 4);
  end.writeUInt16LE(list.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\u0005\u0006"), end]);
}

/** Fields in front of a file and in the list: version, flags, method, time, checksum, sizes, lengths. */
function fieldsOf({ size, crc, method, flags }: Required<Lies>, packed: number, name: string): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}
