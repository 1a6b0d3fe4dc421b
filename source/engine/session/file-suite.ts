/** Suites of files in a session: `suite: own` with `from: questions.csv` is the suite `own/questions.csv`. */
import { existsSync, readdirSync } from "node:fs";
import type { Suite } from "../suite.ts";
import type { OwnData } from "../run-settings.ts";
import type { DataKind, Json } from "../types.ts";

/** The answer in a file of questions that were recorded without an answer, because every question must have one. */
export const unrecordedAnswer = "none is recorded";

/** Maximum number of bytes of a file of questions. Larger files are data sets, and reading them at once would block the screen. */
export const largestQuestionFile = 20 * 1024 * 1024;

/** Returns, for a name such as `own/questions.csv`, the suite made from files, and the file; no suite for any other name. */
export function fileSuite(name: string, suites: readonly Suite[]) {
  const end = name.indexOf("/");
  const family = suites.find((suite) => suite.ofFile !== undefined && suite.name === name.slice(0, Math.max(0, end)));
  return { family, file: name.slice(end + 1) };
}

/** Returns true for the suite of a file. */
export const isOfFile = ({ name }: Pick<Suite, "name">): boolean => name.includes("/");

/** Returns the suite of this name; for a suite made from a file, the part common to all files. */
export const suiteNamed = (name: string | undefined, suites: readonly Suite[]): Suite | undefined =>
  suites.find((suite) => suite.name === familyName(name));

/** Returns `own` of `own/questions.csv`, and any other suite's whole name. */
export const familyName = (name: string | undefined): string | undefined => name?.split("/", 1)[0];

/** Returns files in the session's folder that may contain questions, sorted by name. */
export function questionFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(csv|jsonl|json)$/i.test(entry.name) && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}

/** Returns whether the user's data may have this name, which must not be a name of other data. */
export const isOwnName = (text: string): boolean =>
  /^[A-Za-z0-9][\w.-]{0,63}$/.test(text) && !["sample", "published", "own"].includes(text);

export const ownData = (name: string): OwnData => `own/${name}`;

/** Returns the name of the user's data; undefined for other data. */
export const ownName = (data: DataKind) => (data.startsWith("own/") ? data.slice("own/".length) : undefined);

/** Reads a cell's `data`, as in a cell or as in a run; undefined if it is not a name of the user's data. */
export function ownDataIn(written: Json): OwnData | undefined {
  const name = typeof written === "string" ? written.replace(/^own\//, "") : "";
  return isOwnName(name) ? ownData(name) : undefined;
}
