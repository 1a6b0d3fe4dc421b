/**
 * The parser's core, changed to read UTF-8.
 *
 * The official scripts hand tree-sitter the bytes of a reply. `web-tree-sitter` hands it UTF-16, because strings are that
 * here. The trees differ where a reply is no Python: error recovery has a cost for every skipped line, token, and *byte*, and
 * with two bytes a letter another recovery can be the cheapest. So in the copy of the core that is loaded, the thin layer
 * between it and the program is changed from "UTF-16, a position is two bytes" to "UTF-8, a position is one byte". The core
 * itself, which knows both, is not touched.
 */

/** Functions of that layer which turn bytes into positions or back, with the number of such shifts in the known release. */
const converting = [
  { name: "ts_tree_root_node_wasm", shifts: 2 },
  { name: "ts_node_children_wasm", shifts: 6 },
  { name: "ts_node_end_index_wasm", shifts: 3 },
] as const;
/** `i32.const 1` then `i32.shr_u`, or `i32.shl`. */
const shiftRight = [0x41, 0x01, 0x76];
const shiftLeft = [0x41, 0x01, 0x74];
/** `i32.const 1` (UTF-16; UTF-8 is 0) then `i32.store offset=24`, the encoding in what `parse` is given. */
const encoding = [0x41, 0x01, 0x36, 0x02, 0x18];
/** The function that asks the program for more text is this short; the one that parses, which also holds it, is not. */
const longestLayer = 120;

type Body = readonly [from: number, to: number];

/**
 * The core of web-tree-sitter 0.20.8 as it must be loaded to read bytes; give `parse` a function made by `inBytes`. Throws
 * where the core is another release's, in which these places cannot be told for certain.
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

/** Bytes handed over at once; the parser's buffer takes 10,240, of which strings are written with two for each unit. */
const chunk = 4096;

/**
 * The text for `parse`: asked for from a byte, it gives a string as long as the bytes that follow, in whose first half they
 * are packed two to a unit, which is how they come to lie one after the other in the parser's memory.
 */
export function inBytes(text: Uint8Array): (from: number) => string {
  return (from) => {
    const part = text.subarray(from, from + chunk);
    const units = Array.from(part, (_, unit) => (part[2 * unit] ?? 0) | ((part[2 * unit + 1] ?? 0) << 8));
    return String.fromCharCode(...units);
  };
}

function unshift(bytes: Uint8Array, body: Body, expected: number): void {
  const places = [...found(bytes, body, shiftRight), ...found(bytes, body, shiftLeft)];
  expectCount("conversions of positions", places.length, expected);
  for (const place of places) bytes[place + 1] = 0;
}

function expectCount(what: string, got: number, expected: number): void {
  if (got !== expected) throw new Error(`Expected the parser's core to have ${expected} ${what} there, got ${got}`);
}

function found(bytes: Uint8Array, [from, to]: Body, pattern: readonly number[]): readonly number[] {
  const places: number[] = [];
  for (let at = from; at <= to - pattern.length; at++)
    if (pattern.every((byte, offset) => bytes[at + offset] === byte)) places.push(at);
  return places;
}

/** Where the bodies of a module's functions lie, and the number of the function that is imported to ask for text. */
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
    // A function has a type; a global a type and whether it changes; a table a type and limits; a memory limits.
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
    if (byte === undefined) throw new Error("Expected the parser's core to be a whole WebAssembly module");
    return byte;
  }

  /** An unsigned number in seven bits a byte. */
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
