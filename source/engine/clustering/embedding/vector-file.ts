/** Vectors in files: 32-bit floats, little-endian, row-major, with a JSON file that gives the shape. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { DataProblem, readJson } from "../../text/json-lines.ts";
import type { Json } from "../../types.ts";
import { checkVectors, type Vectors } from "../methods/vectors.ts";

/**
 * Reads vectors. The shape file contains `shape: [rows, dims]`, and may contain `dtype` (float32), `byte_order` (little) and
 * `order` (row-major). Throws `DataProblem` if a file is absent, in another format or of another length, and `RangeError` for
 * numbers that are not finite.
 */
export async function readVectors(path: string, shapePath: string): Promise<Vectors> {
  const { rows, dims } = shapeIn(await readJson(shapePath), shapePath);
  if (!existsSync(path)) throw new DataProblem(`Expected a file at ${path}, found none`);
  const bytes = await readFile(path);
  if (bytes.length !== rows * dims * 4) {
    throw new DataProblem(
      `Expected ${path} to be ${rows} x ${dims} x 4 = ${rows * dims * 4} bytes long according to ${shapePath}, got ${bytes.length}`,
    );
  }
  const values = new Float32Array(rows * dims);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let index = 0; index < values.length; index++) values[index] = view.getFloat32(index * 4, true);
  const vectors = { rows, dims, values };
  checkVectors(vectors);
  return vectors;
}

function shapeIn(value: Json, path: string): { rows: number; dims: number } {
  const fields = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const field = new Map<string, Json>(fields);
  for (const [name, wanted] of [
    ["dtype", "float32"],
    ["byte_order", "little"],
    ["order", "row-major"],
  ] as const) {
    const written = field.get(name) ?? wanted;
    if (written !== wanted) {
      throw new DataProblem(`Expected \`${name}\` in ${path} to be ${wanted}, got ${JSON.stringify(written)}`);
    }
  }
  const shape = field.get("shape");
  const [rows, dims, ...rest] = Array.isArray(shape) ? (shape as readonly Json[]) : [];
  const whole = (size: Json | undefined): size is number =>
    typeof size === "number" && Number.isInteger(size) && size > 0;
  if (whole(rows) && whole(dims) && rest.length === 0) return { rows, dims };
  throw new DataProblem(`Expected \`shape\` in ${path} to be [rows, dims], got ${JSON.stringify(shape) ?? "nothing"}`);
}
