/** Pairs of runs that differ only in one option, and their tables. */
import type { RunRows } from "../analysis.ts";
import type { TableFigure } from "../figure.ts";
import type { Measure } from "../suite.ts";
import { ledPairsTable, type LedPair, pairedTable } from "./paired-table.ts";
import { fieldNames, fieldTitle, fieldValue } from "./run-field.ts";

export type RunPair = readonly [RunRows, RunRows];

/** Returns the pairs of runs that differ only in this option, in the order of the runs. */
export function pairsBy(runs: readonly RunRows[], option: string): readonly RunPair[] {
  const rest = ({ spec }: RunRows) => JSON.stringify({ ...spec, options: { ...spec.options, [option]: "" } });
  return runs.flatMap((before, index) =>
    runs
      .slice(index + 1)
      .flatMap((after) =>
        valueOf(before, option) !== valueOf(after, option) && rest(before) === rest(after)
          ? [[before, after] as const]
          : [],
      ),
  );
}

/**
 * Returns one table per two values of the option. Two models with two promptings share a table, with at least one row per model.
 */
export function tablesOfPairs(pairs: readonly RunPair[], option: string, measure: Measure, by: string) {
  const alike = Map.groupBy(pairs, (pair) => JSON.stringify(pair.map((run) => valueOf(run, option)).toSorted()));
  return [...alike.values()].map((own) =>
    own.length === 1 ? pairedTable(...own[0]!, measure, by) : tableOf(own, option, measure, by),
  );
}

/** The first value is that of the first run of the first pair, regardless of the order in other pairs. */
function tableOf(given: readonly RunPair[], option: string, measure: Measure, by: string): TableFigure {
  const [one, other] = given[0]!.map((run) => valueOf(run, option));
  const pairs = given.map(([before, after]) =>
    valueOf(before, option) === one ? { before, after } : { before: after, after: before },
  );
  const sides = [String(one ?? "none"), String(other ?? "none")];
  const { leads, led } = ledPairs(pairs);
  const title = `${measure.title} by ${leads.join(" and ").toLowerCase()}: ${sides.join(" against ")}`;
  return ledPairsTable(led, { title, leads, sides }, measure, by);
}

/** Names each pair by the settings in which the pairs differ, or by the first run's label if these are not distinct. */
function ledPairs(pairs: readonly Omit<LedPair, "lead">[]) {
  const runs = pairs.map(({ before }) => before);
  const textOf = (run: RunRows, name: string) => String(fieldValue(run, name) ?? "-");
  const names = [...new Set(runs.flatMap(fieldNames))].filter(
    (name) => new Set(runs.map((run) => textOf(run, name))).size > 1,
  );
  const leadOf = (run: RunRows) => names.map((name) => textOf(run, name));
  const isTold = new Set(runs.map((run) => JSON.stringify(leadOf(run)))).size === runs.length;
  return {
    leads: isTold ? names.map((name) => fieldTitle(runs, name)) : ["Run"],
    led: pairs.map((pair) => ({ ...pair, lead: isTold ? leadOf(pair.before) : [pair.before.label] })),
  };
}

const valueOf = ({ spec }: RunRows, option: string): string | number | undefined => spec.options[option];
