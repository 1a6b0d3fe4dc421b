/**
 * Assembles the WebAssembly module with the inner loops of clustering: sums over two rows of 32-bit floats, four lanes at a time.
 * It is written as instructions rather than compiled, so that an installation needs no compiler. Results must not depend on the
 * processor: the only relaxed instruction returns the same on every processor for the operands used here.
 */

const op = {
  end: [0x0b],
  loop: [0x03, 0x40],
  branchIf: (depth: number) => [0x0d, ...unsigned(depth)],
  get: (local: number) => [0x20, ...unsigned(local)],
  set: (local: number) => [0x21, ...unsigned(local)],
  tee: (local: number) => [0x22, ...unsigned(local)],
  constant: (value: number) => [0x41, ...signed(value)],
  add: [0x6a],
  lessUnsigned: [0x49],
  load4: (offset: number) => [0xfd, 0x00, 0x04, ...unsigned(offset)],
  multiply4: [0xfd, 0xe6, 0x01],
  add4: [0xfd, 0xe4, 0x01],
  subtract4: [0xfd, 0xe5, 0x01],
  lane: (lane: number) => [0xfd, 0x1f, lane],
  addFloat: [0x92],
  storeFloat: (offset: number) => [0x38, 0x02, ...unsigned(offset)],
  /**
   * Products of sixteen pairs of bytes, added four by four to four 32-bit sums. The second of each pair has to be from 0 to
   * 127, and the first above -128: then the result is defined, and the same everywhere.
   */
  addByteProducts: [0xfd, 0x93, 0x02],
  /** Products of eight pairs of 16-bit integers, added two by two to four 32-bit ones. */
  multiplyPairs: [0xfd, 0xba, 0x01],
  addIntegers4: [0xfd, 0xae, 0x01],
  integerLane: (lane: number) => [0xfd, 0x1b, lane],
  storeInteger: (offset: number) => [0x36, 0x02, ...unsigned(offset)],
};
const type = { i32: 0x7f, f32: 0x7d, v128: 0x7b, function: 0x60 };

/** "\0asm", version 1. */
const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** Rows are padded with zeros to a multiple of this many numbers: one iteration of the loops below. */
export const numbersPerStep = 16;
/** Padding of rows of bytes. */
export const bytesPerStep = 64;
/** The most columns of bytes compared at once: their sums and the operands fit into the processor's registers. */
export const mostByteColumns = 10;
/** Number of rows, and of columns, of a tile: each loaded value is used this many times. */
export const tileSide = 4;

/**
 * The module. It imports `env.memory` (shared) and exports, with addresses in bytes:
 * `dots1` ... `dots5`: (row, column 1 ... column n, end of row, out) stores n dot products as floats at `out`;
 * `byteDots1` ... `byteDots10`: (row, columns, end of row, out) stores as many dot products of a row of bytes, as 32-bit
 * integers. The columns are bytes from 0 to 127 and lie together: `bytesPerStep` of each, then the next ones of each;
 * `tile`: (row 1 ... row 4, column 1 ... column 4, end of row 1, out) stores 16 dot products as floats, row after row;
 * `quantisedTile`: the same for rows and columns of 16-bit integers; stores 32-bit integers;
 * `squared`: (row, column, end of row) gives the squared Euclidean distance.
 */
export function clusteringModule(): Uint8Array<ArrayBuffer> {
  const functions = [
    ...[1, 2, 3, 4, 5].map((width) => {
      return { name: `dots${width}`, parameters: width + 3, results: [] as number[], body: dots(width) };
    }),
    ...Array.from({ length: mostByteColumns }, (_, index) => {
      return { name: `byteDots${index + 1}`, parameters: 4, results: [], body: byteDots(index + 1) };
    }),
    { name: "tile", parameters: 2 * tileSide + 2, results: [], body: tile(floats) },
    { name: "quantisedTile", parameters: 2 * tileSide + 2, results: [], body: tile(shorts) },
    { name: "squared", parameters: 3, results: [type.f32], body: squared() },
  ];
  return Uint8Array.from([
    ...header,
    ...section(
      1,
      functions.map(({ parameters, results }) => [
        type.function,
        ...vector(Array.from({ length: parameters }, () => [type.i32])),
        ...vector(results.map((result) => [result])),
      ]),
    ),
    ...section(2, [[...text("env"), ...text("memory"), 0x02, 0x03, ...unsigned(1), ...unsigned(65_536)]]),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(
      7,
      functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]),
    ),
    ...section(
      10,
      functions.map(({ body }) => [...unsigned(body.length), ...body]),
    ),
  ]);
}

/**
 * Computes `width` dot products at once: the row is loaded once for all columns; small widths use more sums to hide latency.
 */
function dots(width: number): number[] {
  const end = width + 1;
  const out = width + 2;
  const sums = width === 1 ? 4 : width <= 3 ? 2 : 1;
  const row = out + 1 + width * sums;
  const sum = (column: number, step: number) => out + 1 + column * sums + (step % sums);
  const steps = [0, 1, 2, 3].flatMap((step) => [
    ...op.get(0),
    ...op.load4(step * 16),
    ...op.set(row),
    ...Array.from({ length: width }, (_, column) => [
      ...op.get(sum(column, step)),
      ...op.get(row),
      ...op.get(column + 1),
      ...op.load4(step * 16),
      ...op.multiply4,
      ...op.add4,
      ...op.set(sum(column, step)),
    ]).flat(),
  ]);
  const stores = Array.from({ length: width }, (_, column) => [
    ...op.get(out),
    ...Array.from({ length: sums - 1 }, (_unused, step) => fold(sum(column, 0), sum(column, step + 1))).flat(),
    ...lanes(sum(column, 0)),
    ...op.storeFloat(column * 4),
  ]).flat();
  const moves = Array.from({ length: width + 1 }, () => numbersPerStep * 4);
  return [...locals(width * sums + 1), ...loop(steps, moves, end), ...stores, ...op.end];
}

/** Computes `width` dot products of a row of bytes at once. */
function byteDots(width: number): number[] {
  const row = 4;
  const sum = (column: number) => row + 1 + column;
  const columns = Array.from({ length: width }, (_, column) => column);
  const steps = Array.from({ length: bytesPerStep / 16 }, (_, step) => [
    ...op.get(0),
    ...op.load4(step * 16),
    ...op.set(row),
    ...columns.flatMap((column) => [
      ...op.get(row),
      ...op.get(1),
      ...op.load4(column * bytesPerStep + step * 16),
      ...op.get(sum(column)),
      ...op.addByteProducts,
      ...op.set(sum(column)),
    ]),
  ]).flat();
  const stores = columns.flatMap((column) => [
    ...op.get(3),
    ...integerLanes(sum(column)),
    ...op.storeInteger(column * 4),
  ]);
  return [...locals(width + 1), ...loop(steps, [bytesPerStep, width * bytesPerStep], 2), ...stores, ...op.end];
}

/** How the products of two vectors are added to a sum, and the four lanes of the stored sum. */
type Sums = {
  readonly bytes: number;
  readonly addProducts: readonly number[];
  store(sum: number, at: number): number[];
};
const floats: Sums = {
  bytes: 4,
  addProducts: [...op.multiply4, ...op.add4],
  store: (sum, at) => [...lanes(sum), ...op.storeFloat(at)],
};
const shorts: Sums = {
  bytes: 2,
  addProducts: [...op.multiplyPairs, ...op.addIntegers4],
  store: (sum, at) => [...integerLanes(sum), ...op.storeInteger(at)],
};

/** Computes the dot products of four rows with four columns. */
function tile({ addProducts, bytes, store }: Sums): number[] {
  const side = Array.from({ length: tileSide }, (_, index) => index);
  const end = 2 * tileSide;
  const out = end + 1;
  const row = out + 1;
  const column = (index: number) => row + 1 + index;
  const sum = (down: number, across: number) => column(tileSide) + down * tileSide + across;
  const steps = Array.from({ length: (numbersPerStep * bytes) / 16 }, (_, step) => [
    ...side.flatMap((across) => [...op.get(tileSide + across), ...op.load4(step * 16), ...op.set(column(across))]),
    ...side.flatMap((down) => [
      ...op.get(down),
      ...op.load4(step * 16),
      ...op.set(row),
      ...side.flatMap((across) => [
        ...op.get(sum(down, across)),
        ...op.get(row),
        ...op.get(column(across)),
        ...addProducts,
        ...op.set(sum(down, across)),
      ]),
    ]),
  ]).flat();
  const stores = side.flatMap((down) =>
    side.flatMap((across) => [...op.get(out), ...store(sum(down, across), (down * tileSide + across) * 4)]),
  );
  const moves = Array.from({ length: 2 * tileSide }, () => numbersPerStep * bytes);
  return [...locals(tileSide * tileSide + tileSide + 1), ...loop(steps, moves, end), ...stores, ...op.end];
}

/** Computes the squared distance by differences: slower than dot products, but without their cancellation for close rows. */
function squared(): number[] {
  const sum = 3;
  const difference = 7;
  const steps = [0, 1, 2, 3].flatMap((step) => [
    ...op.get(sum + step),
    ...op.get(0),
    ...op.load4(step * 16),
    ...op.get(1),
    ...op.load4(step * 16),
    ...op.subtract4,
    ...op.tee(difference),
    ...op.get(difference),
    ...op.multiply4,
    ...op.add4,
    ...op.set(sum + step),
  ]);
  const folds = [1, 2, 3].flatMap((step) => fold(sum, sum + step));
  return [
    ...locals(5),
    ...loop(steps, [numbersPerStep * 4, numbersPerStep * 4], 2),
    ...folds,
    ...lanes(sum),
    ...op.end,
  ];
}

/** Repeats `steps`, advancing pointer 0, 1, ... by this many bytes, until pointer 0 reaches the local `end`. */
function loop(steps: readonly number[], bytes: readonly number[], end: number): number[] {
  const moves = bytes.flatMap((count, local) => [...op.get(local), ...op.constant(count), ...op.add, ...op.set(local)]);
  const again = [...op.get(0), ...op.get(end), ...op.lessUnsigned, ...op.branchIf(0)];
  return [...op.loop, ...steps, ...moves, ...again, ...op.end];
}

const fold = (into: number, from: number): number[] => [...op.get(into), ...op.get(from), ...op.add4, ...op.set(into)];

const lanes = (local: number): number[] =>
  [0, 1, 2, 3].flatMap((lane) => [...op.get(local), ...op.lane(lane), ...(lane === 0 ? [] : op.addFloat)]);

const integerLanes = (local: number): number[] =>
  [0, 1, 2, 3].flatMap((lane) => [...op.get(local), ...op.integerLane(lane), ...(lane === 0 ? [] : op.add)]);

const locals = (count: number): number[] => [0x01, ...unsigned(count), type.v128];

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = vector(items);
  return [id, ...unsigned(content.length), ...content];
}

const vector = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];

function text(name: string): number[] {
  const bytes = new TextEncoder().encode(name);
  return [...unsigned(bytes.length), ...bytes];
}

/** LEB128 of a non-negative number. */
function unsigned(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >>> 7;
  return rest === 0 ? [low] : [low | 0x80, ...unsigned(rest)];
}

/** Signed LEB128. */
function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const last = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return last ? [low] : [low | 0x80, ...signed(rest)];
}
