/**
 * Patches the parser's core to read UTF-8.
 *
 * The official scripts pass the bytes of a reply to tree-sitter. `web-tree-sitter` passes UTF-16 because JavaScript
 * strings are UTF-16. The trees differ for replies that are not Python: error recovery charges for every skipped line,
 * token, and *byte*, so with two bytes per letter a different recovery can be the cheapest. The copy of the core that
 * is loaded therefore has its thin binding layer changed from "UTF-16, a position is two bytes" to "UTF-8, a position
 * is one byte". The core itself supports both encodings and is unchanged.
 */

/**
 * Functions of the binding layer that convert between bytes and positions, with the number of shifts in the known
 * release.
 */
const converting = [
  { name: "ts_tree_root_node_wasm", shifts: 2 },
  { name: "ts_node_children_wasm", shifts: 6 },
  { name: "ts_node_end_index_wasm", shifts: 3 },
] as const;
/** `i32.const 1` then `i32.shr_u`, or `i32.shl`. */
const shiftRight = [0x41, 0x01, 0x76];
const shiftLeft = [0x41, 0x01, 0x74];
/** `i32.const 1` (UTF-16; UTF-8 is 0) then `i32.store offset=24`, the encoding in the input of `parse`. */
const encoding = [0x41, 0x01, 0x36, 0x02, 0x18];
/**
 * Maximum length of the callback that requests more text; the parse function, which also contains this call, is longer.
 */
const longestLayer = 120;

type Body = readonly [from: number, to: number];

/**
 * Patches the core of web-tree-sitter 0.20.8 to read bytes; `parse` then needs a function from `inBytes`. Throws for a
 * core of another release, in which the places to patch are not certain.
 */
export function readingBytes(core: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(core);
  const { exported, callback, bodies } = layoutOf(bytes);
  const parse = exported.get("ts_parser_parse_wasm");
  const places = parse === undefined ? [] : found(bytes, parse, encoding);
  const ask = bodies.filter(
    (body) => body[1] - body[0] < longestLayer && found(bytes, body, [0x10, callback]).length > 0,
  );
  expectCount("encodings", places.length, 1);
  expectCount("functions that ask for text", ask.length, 1);
  bytes[places[0]! + 1] = 0;
  unshift(bytes, ask[0]!, 3);
  for (const { name, shifts } of converting) unshift(bytes, exported.get(name) ?? [0, 0], shifts);
  return bytes;
}

/** Bytes passed per request. The parser's buffer has 10,240 bytes, and strings are written with two bytes per unit. */
const chunk = 4096;

/**
 * Returns the text callback for `parse`. For a byte offset it returns a string as long as the remaining bytes, with the
 * bytes packed two per unit in its first half, so that they are contiguous in the parser's memory.
 */
export const inBytes =
  (text: Uint8Array): ((from: number) => string) =>
  (from) => {
    const part = text.subarray(from, from + chunk);
    const units = Array.from(part, (_, unit) => (part[2 * unit] ?? 0) | ((part[2 * unit + 1] ?? 0) << 8));
    return String.fromCharCode(...units);
  };

function unshift(bytes: Uint8Array, body: Body, expected: number): void {
  const places = [...found(bytes, body, shiftRight), ...found(bytes, body, shiftLeft)];
  expectCount("conversions of positions", places.length, expected);
  for (const place of places) bytes[place + 1] = 0;
}

function expectCount(what: string, got: number, expected: number): void {
  if (got !== expected)
    throw new Error(`Expected the parser's WebAssembly module to have ${expected} ${what}, got ${got}`);
}

function found(bytes: Uint8Array, [from, to]: Body, pattern: readonly number[]): readonly number[] {
  const places: number[] = [];
  for (let at = from; at <= to - pattern.length; at++)
    if (pattern.every((byte, offset) => bytes[at + offset] === byte)) places.push(at);
  return places;
}

/** Reads the byte ranges of a module's function bodies and the index of the imported callback that requests text. */
function layoutOf(bytes: Uint8Array) {
  const read = new Reader(bytes, 8);
  const bodies: Body[] = [];
  const numbers = new Map<string, number>();
  const imports: string[] = [];
  while (read.at < bytes.length) {
    const section = read.byte();
    const end = read.number() + read.at;
    if (section === 2) imports.push(...importedFunctions(read));
    if (section === 7) {
      for (let left = read.number(); left > 0; left--) {
        const name = read.name();
        const isFunction = read.byte() === 0;
        const number = read.number();
        if (isFunction) numbers.set(name, number);
      }
    }
    if (section === 10) {
      for (let left = read.number(); left > 0; left--) {
        const to = read.number() + read.at;
        bodies.push([read.at, to]);
        read.at = to;
      }
    }
    read.at = end;
  }
  const exported = new Map(
    [...numbers].map(([name, number]) => [name, bodies[number - imports.length] ?? ([0, 0] as Body)]),
  );
  return { exported, bodies, callback: imports.indexOf("tree_sitter_parse_callback") };
}

function importedFunctions(read: Reader): readonly string[] {
  const names: string[] = [];
  for (let left = read.number(); left > 0; left--) {
    read.name();
    const name = read.name();
    const kind = read.byte();
    if (kind === 0) names.push(name);
    // A function import has a type; a global has a type and a mutability flag; a table has a type and limits; a memory
    // has limits.
    if (kind !== 2) read.number();
    if (kind === 3) read.byte();
    if (kind !== 1 && kind !== 2) continue;
    const bounded = read.number() % 2 === 1;
    read.number();
    if (bounded) read.number();
  }
  return names;
}

class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Error("Expected the parser's core to be a complete WebAssembly module");
    return byte;
  }

  /** Reads an unsigned LEB128 number. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  name(): string {
    const length = this.number();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}
