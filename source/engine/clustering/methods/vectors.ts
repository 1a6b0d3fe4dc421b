/** Rows of numbers, made by embeddings and read by clustering. */

export type Vectors = {
  readonly rows: number;
  readonly dims: number;
  /** Row-major, `rows * dims` long. */
  readonly values: Float32Array;
};

/** Joins equally long rows. Throws naming the first row that is longer or shorter than the first one. */
export function vectorsFrom(rows: readonly ArrayLike<number>[]): Vectors {
  const dims = rows[0]?.length ?? 0;
  const values = new Float32Array(rows.length * dims);
  rows.forEach((row, index) => {
    if (row.length !== dims) {
      throw new RangeError(`Expected vectors of equal length (${dims}), got ${row.length} in row ${index}`);
    }
    values.set(row, index * dims);
  });
  return { rows: rows.length, dims, values };
}

/** Throws unless there is at least one row and one column, the length fits and every number is finite. */
export function checkVectors({ rows, dims, values }: Vectors): void {
  if (rows < 1 || dims < 1) throw new RangeError(`Expected at least one vector with one number, got ${rows} x ${dims}`);
  if (values.length !== rows * dims) {
    throw new RangeError(`Expected ${rows} x ${dims} = ${rows * dims} numbers, got ${values.length}`);
  }
  for (let index = 0; index < values.length; index++) {
    if (!Number.isFinite(values[index]!)) {
      const where = `row ${Math.floor(index / dims)}, column ${index % dims}`;
      throw new RangeError(`Expected finite numbers, got ${values[index]} in ${where}`);
    }
  }
}

/** Returns one row, as a view on the same memory. */
export const rowOf = ({ dims, values }: Vectors, index: number) => values.subarray(index * dims, (index + 1) * dims);
