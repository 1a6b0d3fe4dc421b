/**
 * Published data sets and expected values are outside this repository (licences). Tests that need them search PLANWRIGHT_SHARED,
 * otherwise ../shared; if neither exists they are skipped by name, unless PLANWRIGHT_REQUIRE_SHARED is set, which makes their absence
 * an error.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, test } from "vitest";

const folder = resolve(process.env["PLANWRIGHT_SHARED"] ?? "../shared");
const present = existsSync(join(folder, "conformance"));
if (!present && process.env["PLANWRIGHT_REQUIRE_SHARED"] !== undefined) {
  throw new Error(
    `Expected published data and conformance files in ${folder}; set PLANWRIGHT_SHARED to where they are`,
  );
}

/** A path below the shared folder, such as `data/appbench`. */
export function shared(...path: string[]): string {
  return join(folder, ...path);
}

/** The parsed JSON of a shared file, unzipped if its name ends in `.gz`. */
export function sharedJson<Value>(...path: string[]): Value {
  return JSON.parse(sharedText(...path)) as Value;
}

/** The parsed lines of a shared JSON Lines file. */
export function sharedLines<Value>(...path: string[]): Value[] {
  return sharedText(...path)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Value);
}

function sharedText(...path: string[]): string {
  const bytes = readFileSync(shared(...path));
  return (path.at(-1)!.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** A `describe` that is skipped by name if the published data is absent: nothing in it is read then. */
export const describePublished = (name: string, body: () => void): void =>
  void describe.skipIf(!present)(name, present ? body : () => test("needs published data"));
