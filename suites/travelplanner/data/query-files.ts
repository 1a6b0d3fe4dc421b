/** Files of the trip requests, and the replacements for requests that an installed folder lacks. */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { StandIn } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";

/** Possible files of each split; the first existing one is used. */
export const QUERY_FILES: Readonly<Record<string, readonly string[]>> = {
  train: ["queries/train.jsonl", "queries/train.csv"],
  validation: ["queries/validation.jsonl", "queries/validation.csv", "queries/validation_reconstructed.jsonl"],
  test: ["queries/test.jsonl", "queries/test.csv"],
};

/** Returns whether the request contains the information for sole-planning; other strategies search for it. */
export const isGiven = ({ strategy, options }: RunSpec): boolean =>
  strategy !== "greedy" && options["mode"] !== "two-stage";

/**
 * Returns the requests that replace those of the split; undefined if the split's own requests can be used. Training requests,
 * which contain all information, replace validation requests that lack it. The sample replaces them if the folder has no requests
 * of the split, or no training requests either. Two-stage planning needs no information, but is compared with sole-planning on
 * the same requests.
 */
export function requestsFor(spec: RunSpec, folder: string): StandIn | undefined {
  const { split } = spec;
  const file = queryFile(split, folder);
  if (
    file !== undefined &&
    (split !== "validation" || spec.strategy === "greedy" || hasInformation(join(folder, file)))
  )
    return undefined;
  const add = `add the authors' ${split}.csv with \`planwright data add travelplanner --from DIR\``;
  const because =
    file === undefined
      ? `the installed data lack the ${split} requests: ${add}`
      : `the installed ${split} requests lack the reference information that sole-planning is given${isGiven(spec) ? "" : " (two-stage has the same requests)"}: ${add}`;
  return split === "validation" && queryFile("train", folder) !== undefined
    ? { field: "split", value: "train", because }
    : { field: "data", value: "sample", because };
}

/** Returns the file of a split in a folder; undefined if the folder does not have it. */
export const queryFile = (split: string, folder: string): string | undefined =>
  (QUERY_FILES[split] ?? []).find((name) => existsSync(join(folder, name)));

/** Bytes read at a time. */
const piece = 1 << 16;
/** Information or a human plan in a JSON record, which is not empty. */
const given = /"(?:reference_information|annotated_plan)"\s{0,9}:\s{0,9}"?\[\s{0,9}[^\s\]]/;
/** Characters of one piece to repeat before the next, so that a match on the border is found. */
const border = 99;

/** Returns whether a file of requests contains information for any of them. The hub's CSV always contains it. */
function hasInformation(path: string): boolean {
  if (path.endsWith(".csv")) return true;
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(piece);
    let before = "";
    for (;;) {
      const read = readSync(file, buffer);
      if (read === 0) return false;
      const text = before + buffer.toString("latin1", 0, read);
      if (given.test(text)) return true;
      before = text.slice(-border);
    }
  } finally {
    closeSync(file);
  }
}
