/**
 * Numbers of the formats that this program writes. A number rises if an older program would read a file wrongly. It does not
 * rise for an additional field, because readers ignore unknown fields. A file without a number has format 1. Beside a number
 * above 1, `planwright` is the oldest version that reads it.
 */
import { Problem } from "../problem.ts";
import { packageVersion } from "./package-folder.ts";

/** `run` covers the log, its index and its rows; `output` is what `--json` and exported rows print. */
export const formats = { run: 1, notebook: 1, settings: 1, bundle: 1, index: 1, output: 1 } as const;

export type FormatName = keyof typeof formats;

/** Throws `Problem` if a file has a higher format than this version reads. */
export function requireFormat(name: FormatName, file: string, value: unknown): void {
  const newer = newerFormat(name, file, value);
  if (newer !== undefined) throw new Problem("parse", newer);
}

/**
 * Returns why a file cannot be read if its format is higher than this version reads; any other value than a number is left to the
 * file's own check. `file` is its name in the message.
 */
export function newerFormat(name: FormatName, file: string, value: unknown): string | undefined {
  const { format, planwright } = (value ?? {}) as { readonly format?: unknown; readonly planwright?: unknown };
  const most: number = formats[name];
  if (typeof format !== "number" || !(format > most)) return undefined;
  const version = packageVersion();
  const named =
    typeof planwright === "string" && /^\d+\.\d+\.\d+$/.test(planwright) && planwright !== version
      ? planwright
      : undefined;
  const needed = named === undefined ? `a version after ${version}` : `Planwright ${named} or later`;
  return `Expected ${file} in format ${most} or below, which Planwright ${version} reads, got format ${format}: use ${needed}`;
}
