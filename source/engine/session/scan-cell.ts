/** `scan: {of: NAME, question, labels, quote}` in a run cell: the trajectories of saved runs are its tasks. */
import type { Json } from "../types.ts";
import type { CodeKind } from "../analysis.ts";
import { similarName } from "../text/similar-name.ts";
import { kindProblem } from "./codes/kinds-cell.ts";
import type { Fields } from "./fields/given-fields.ts";
import { shown } from "./fields/run-options.ts";

/** A run of another cell, by the name of its folder. */
export type ScannedRun = { readonly run: string; readonly label: string };

const known = ["of", "question", "labels", "induce", "quote", "method", "answer"];

/** The words of a scan without a method. */
const usualMethod = "rubric";

export type ScanFields = {
  readonly all: readonly { readonly label: string; readonly fields: Fields }[];
  /** Returns the fields of the run that merges these kinds, if the scan proposes kinds first. */
  readonly merging?: (kinds: string) => Fields;
};

type Problem = { readonly field: string; readonly message: string };

/**
 * Returns the fields of the runs of a scan, one for each run that it reads, or the problem with the scan. `runsOf` returns the
 * runs of the cells with a name; undefined if there is no such cell. `kinds` returns the kinds that were proposed before.
 */
export function scanFields(
  { scan, ...rest }: Fields,
  runsOf: (name: string) => readonly ScannedRun[] | undefined,
  kinds: () => readonly CodeKind[] | undefined = () => undefined,
): ScanFields | Problem {
  const fields = scan ?? null;
  if (fields === null || typeof fields !== "object" || Array.isArray(fields))
    return {
      field: "scan",
      message: `Expected \`scan\` to be a map, such as {of: plans, question: ..., labels: [a, b]}, got ${shown(scan ?? null)}`,
    };
  const given = fields as Fields;
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const similar = similarName(unknown, known);
    const hint = similar === undefined ? "" : ` (did you mean \`${similar}\`?)`;
    return {
      field: `scan.${unknown}`,
      message: `Expected \`scan\` to hold ${known.join(", ")}, got \`${unknown}\`${hint}`,
    };
  }
  const stray = ["suite", "split", "strategy", "from"].find((name) => rest[name] !== undefined);
  if (stray !== undefined)
    return { field: stray, message: `Expected no \`${stray}\` with \`scan\`, whose tasks are trajectories` };
  const names = [given["of"] ?? []].flat() as readonly Json[];
  const found = names.map((name) => ({ name, runs: typeof name === "string" ? runsOf(name) : undefined }));
  const missing = found.find(({ runs }) => runs === undefined);
  if (names.length === 0 || missing !== undefined)
    return {
      field: "scan.of",
      message: `Expected \`scan.of\` to name run cells of this notebook, got ${names.length === 0 ? "none" : shown(missing!.name)}`,
    };
  const options = optionsOf(given, kinds);
  if ("message" in options) return options;
  const all = found
    .flatMap(({ runs }) => runs!)
    .map(({ run, label }) => ({
      label,
      fields: { suite: `scan/${run}`, ...rest, ...options.fields },
    }));
  if (all.length === 0)
    return { field: "scan.of", message: "Expected `scan.of` to name cells with runs, got cells without any" };
  if (options.fields["strategy"] !== "open-codes") return { all };
  const { limit: _, ...own }: Fields = all[0]!.fields;
  return { all, merging: (named) => ({ ...own, split: "kinds", strategy: "merged-kinds", kinds: named }) };
}

function optionsOf(
  { method = usualMethod, question, labels, induce = false, quote, answer }: Fields,
  kinds: () => readonly CodeKind[] | undefined,
): { readonly fields: Fields } | Problem {
  if (method !== usualMethod) {
    const stray = Object.entries({ question, labels, quote }).find(([, value]) => value !== undefined);
    if (stray !== undefined)
      return {
        field: `scan.${stray[0]}`,
        message: `Expected \`${stray[0]}\` only without \`method\`, which has its own question`,
      };
    if (method === "merged-kinds")
      return { field: "scan.method", message: "Expected `induce: true`, which sets the method `merged-kinds`" };
    return { fields: { strategy: method, ...(answer !== undefined && { answer }) } };
  }
  if (typeof question !== "string" || question.trim() === "")
    return {
      field: "scan.question",
      message: `Expected \`scan.question\` to be a question about each trajectory, got ${shown(question ?? null)}`,
    };
  if (typeof induce !== "boolean" && induce !== "on" && induce !== "off")
    return { field: "scan.induce", message: `Expected \`scan.induce\` to be true or false, got ${shown(induce)}` };
  const isInduced = induce === true || induce === "on";
  if (isInduced && labels !== undefined)
    return { field: "scan.labels", message: "Expected `labels`, or `induce: true`, which proposes them, got both" };
  const proposed = isInduced ? kinds() : undefined;
  // Kinds are proposed first; the edited cell with these kinds is applied afterwards.
  if (isInduced && proposed === undefined) return { fields: { strategy: "open-codes", question } };
  const meanings = proposed?.map(({ name, meaning = "" }) => [name, meaning.replaceAll("|", "/")] as const);
  const read = labelsOf(meanings === undefined ? labels : Object.fromEntries(meanings));
  if (typeof read !== "string") return read;
  return { fields: { question, labels: read, ...(quote !== undefined && { quote }) } };
}

/** Returns labels with their meanings as one text; they are kinds of the codebook. */
function labelsOf(labels: Json | undefined): string | Problem {
  const isMap = labels !== null && typeof labels === "object" && !Array.isArray(labels);
  const entries: readonly (readonly [string, Json])[] = isMap
    ? Object.entries(labels as Fields)
    : ([labels ?? []].flat() as readonly Json[]).map((name) => [String(name), ""] as const);
  const wrong = entries.find(([name, meaning]) => kindProblem(name) !== undefined || String(meaning).includes("|"));
  if (entries.length === 0 || wrong !== undefined)
    return {
      field: "scan.labels",
      message: `Expected \`scan.labels\` to be names of kinds, or a map of names to meanings without \`|\`, got ${wrong === undefined ? "none" : shown(wrong[0])}`,
    };
  return entries.map(([name, meaning]) => (meaning === "" ? name : `${name}: ${String(meaning)}`)).join("|");
}
