/** Codes of tasks as facets: `code` for all kinds of a task, `code.NAME` for each kind. */
import type { Row, RowCodes } from "../types.ts";
import type { Codebook } from "../analysis.ts";
import { filtered, keyByName } from "../work/growing-list.ts";

const codeFacet = "code";
const prefix = `${codeFacet}.`;

/** The value of `code` for a task without codes. */
const noCodes = "none";

/** Returns the facets of a row with these codes. */
export function codeFacets({ given, has }: RowCodes): Readonly<Record<string, string>> {
  const each = Object.entries(has).map(([name, present]) => [prefix + name, present ? "yes" : "no"] as const);
  return { [codeFacet]: given.join("|") || noCodes, ...Object.fromEntries(each) };
}

export const isCodeFacet = (name: string): boolean => name === codeFacet || name.startsWith(prefix);

/** True if a facet groups tasks by their codes and has a value that means that a code is present. */
export function isUsedCodeFacet(facet: string, values: ReadonlyMap<string | number, number>): boolean {
  if (facet === codeFacet) return values.size > (values.has(noCodes) ? 1 : 0);
  return facet.startsWith(prefix) && values.has("yes");
}

/** For each facet of codes, the values that select rows; a row must have one of them for each facet. */
type WantedCodes = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the problem with the requested values of a facet of codes: `code` has the kinds of the codebook and `none`, `code.NAME`
 * has `yes` and `no`. Undefined if there is no problem.
 */
function codeProblem(codebook: Codebook | undefined, name: string, values: readonly string[]): string | undefined {
  const kinds = codebook?.kinds.map((kind) => kind.name) ?? [];
  if (name !== codeFacet && !kinds.includes(name.slice(prefix.length)))
    return `Expected \`only\` to name a kind (${kinds.map((kind) => prefix + kind).join(", ") || "no kind exists"}), got \`${name}\``;
  const known = name === codeFacet ? [...kinds, noCodes] : ["yes", "no"];
  const unknown = values.find((value) => !known.includes(value));
  return unknown === undefined
    ? undefined
    : `Expected \`only\` to pick \`${name}\` from ${known.join(", ")}, got \`${unknown}\``;
}

/** Returns the rows that have one of the requested values of each facet; all rows if no value is requested. */
function rowsWithCodes(rows: readonly Row[], wanted: WantedCodes): readonly Row[] {
  const codes = Object.entries(wanted).filter(([name]) => isCodeFacet(name));
  return codes.length === 0 ? rows : filtered(hasCodes(codes), rows);
}

const hasCodes = keyByName(
  (wanted: readonly (readonly [name: string, values: readonly string[]])[]) =>
    ({ facets, codes: own }: Row) =>
      wanted.every(([name, values]) =>
        values.some((value) =>
          name === codeFacet && value !== noCodes ? own?.has[value] === true : facets[name] === value,
        ),
      ),
);

/** Returns the runs with the rows that have one of the wanted values of each facet of codes. */
export const withWantedCodes = <Run extends { readonly rows: readonly Row[] }>(
  runs: readonly Run[],
  wanted: WantedCodes,
): readonly Run[] => runs.map((run) => ({ ...run, rows: rowsWithCodes(run.rows, wanted) }));

/** Returns the problems with wanted values of facets of codes. */
export function codeProblems(
  codebook: Codebook | undefined,
  wanted: WantedCodes,
): readonly { readonly message: string }[] {
  return Object.entries(wanted).flatMap(([name, values]) => {
    const message = isCodeFacet(name) ? codeProblem(codebook, name, values) : undefined;
    return message === undefined ? [] : [{ message }];
  });
}
