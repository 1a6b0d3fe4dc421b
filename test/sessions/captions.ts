/** The papers' captions and claims in our words, and what a figure contains of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "../../source/engine/figure.ts";
import { packageFolder } from "../../source/engine/settings/package-folder.ts";
import type { Reported } from "../../source/engine/suite.ts";
import { suites } from "../../suites/index.ts";

type Section = {
  readonly caption: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly measures: readonly string[];
  readonly decimals?: number;
  /** Printed texts without decimals. */
  readonly bare?: readonly string[];
  /** Set if each figure has one measure. */
  readonly figures?: string;
  readonly differs?: string;
};
type Side = Partial<Pick<Reported, "row" | "measure" | "where" | "setting" | "source">>;
type Printed = {
  readonly measure?: string;
  readonly scale?: string;
  /** Number of models for which the claim holds if it names none. */
  readonly holds?: number;
  readonly more: Side;
  readonly less: Side;
};
type PaperClaim = {
  readonly claim: string;
  readonly model: string;
  readonly sentence: string;
  readonly values?: readonly string[];
  readonly printed?: Printed;
};
export type Captions = {
  readonly suite: string;
  readonly notebook: string;
  readonly source: string;
  readonly sections: Readonly<Record<string, Section>>;
  readonly claims: readonly PaperClaim[];
  /** Scales of measures that share one; other measures are only compared with themselves. */
  readonly scales?: Readonly<Record<string, string>>;
};

const papers = ["appbench", "planningarena", "ultratool", "travelplanner", "apibench", "toolbench"];

export function captionsOf(notebook: string): readonly Captions[] {
  return papers
    .map((suite): Captions => {
      const file = join(packageFolder(), "suites", suite, "paper", "captions.json");
      return { suite, ...(JSON.parse(readFileSync(file, "utf8")) as Omit<Captions, "suite">) };
    })
    .filter((captions) => captions.notebook === notebook);
}

/** Returns the titles of a figure's rows, the outer heads of its columns, and the inner ones, each once. */
export function shapeOf(
  figures: readonly Figure[],
  { figures: each, measures: wanted }: Pick<Section, "figures" | "measures">,
): Pick<Section, "rows" | "columns" | "measures"> {
  const [first] = figures;
  if (first?.kind === "grid")
    return { rows: [first.y.label], columns: [first.x.label], measures: [first.title.replace(/ by .*/, "")] };
  if (first?.kind === "lines")
    return { rows: [first.y.replace(/, .*/, "")], columns: [first.x.replace(/,.*/, "")], measures: [] };
  if (first?.kind !== "table") throw new Error(`Expected a table, a map or lines, got ${first?.kind}`);
  const rows = first.columns.filter(({ align }) => align === "left").map(({ title }) => title);
  if (each !== undefined) {
    const tables = figures.filter(({ kind, title }) => kind === "table" && !title.startsWith("Claim:"));
    return { rows, columns: [], measures: tables.map(({ title }) => title.replace(/:.*/, "")) };
  }
  const numbers = first.columns.filter(({ align, title }) => align === "right" && title !== "n");
  const heads = [...new Set(numbers.flatMap(({ under }) => under?.slice(0, 1) ?? []))];
  const titles = [...new Set(numbers.map(({ title }) => title))];
  if (heads.length > 0) return { rows, columns: heads, measures: titles };
  return wanted.length === 0 ? { rows, columns: titles, measures: [] } : { rows, columns: [], measures: titles };
}

/** Returns why the printed cells do not support a claim; undefined if they do or if none are printed. */
export async function claimProblem({ printed, values }: PaperClaim, captions: Captions): Promise<string | undefined> {
  if (printed === undefined) return undefined;
  const [more, less] = [printed.more, printed.less].map((side): Side => ({
    ...(printed.measure !== undefined && { measure: printed.measure }),
    ...side,
  }));
  const scaleOf = (measure: string | undefined) => captions.scales?.[measure ?? ""] ?? measure;
  if (scaleOf(more!.measure) !== scaleOf(less!.measure)) return "two measures or scales";
  const suite = suites.find(({ name }) => name === captions.suite)!;
  const all = (await suite.reported!()).values.flatMap(({ value, ...each }) =>
    value === undefined ? [] : [{ ...each, value }],
  );
  const one = all.filter((value) => isOf(value, more!));
  const other = all.filter((value) => isOf(value, less!));
  const pairs = one.flatMap((value) => {
    const rows = printed.more.row === undefined ? other.filter(({ row }) => row === value.row) : other;
    return rows.map((second) => [value, second] as const);
  });
  if (pairs.length === 0) return "no printed cells";
  const holding = pairs.filter(([a, b]) => a.value > b.value).length;
  if (holding !== (printed.holds ?? pairs.length)) return `holds for ${holding} of ${pairs.length}`;
  const texts = pairs.flat().map(({ value, digits = 2 }) => (value * 100).toFixed(digits));
  return values === undefined || texts.map(Number).join() === values.map(Number).join()
    ? undefined
    : `printed: ${texts.join(", ")}`;
}

/** Facets must be equal, so a cell without facets is the average over all. */
function isOf(value: Reported, side: Side): boolean {
  const where = Object.entries(side.where ?? {});
  const own: Readonly<Record<string, unknown>> = value.where;
  const isThere = where.length === Object.keys(own).length && where.every(([name, each]) => own[name] === each);
  return (
    value.measure === side.measure &&
    (side.row === undefined || value.row === side.row) &&
    (side.source === undefined || (value.source.endsWith(side.source) && isThere))
  );
}
