/** What the runs of a cell are together. */
import { columnsToTellApart } from "../../engine/figures/drawing/told-apart.ts";
import { fitMiddle, pad, width } from "../../engine/text/printable.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";

const gap = "  ";
/** Of a value something is seen in so few columns. */
const leastOfValue = 5;

/**
 * The values that tell runs apart, one below the other, in as few as `room` columns: those that can spare most are cut in their
 * middles, as far as they are told apart. Labels that are not made of as many values stay as they are.
 */
export function alignedLabels(labels: readonly string[], room: number): readonly string[] {
  const parts = labels.map((label) => label.split(", "));
  const [count = 0] = parts.map(({ length }) => length);
  if (count < 2 || parts.some(({ length }) => length !== count)) return labels;
  const values = Array.from({ length: count }, (_, place) => parts.map((each) => each[place]!));
  const widths = values.map((texts) => Math.max(...texts.map(width)));
  const spare = values.map((texts, place) => widths[place]! - columnsToTellApart(texts, leastOfValue));
  let over = widths.reduce((sum, columns) => sum + columns + gap.length, -gap.length) - room;
  for (; over > 0 && Math.max(...spare) > 0; over--) {
    const most = spare.indexOf(Math.max(...spare));
    widths[most]! -= 1;
    spare[most]! -= 1;
  }
  const cut = (part: string, place: number) => pad(fitMiddle(part, widths[place]!), widths[place]!);
  return parts.map((each) => each.map(cut).join(gap).trimEnd());
}

/** All runs as one: sums, no score; what is left at the rate of those that are running. */
export function totalOf(runs: readonly RunState[]): RunState {
  const sum = (of: (run: RunState) => number) => runs.reduce((all, run) => all + of(run), 0);
  const count = (mark: keyof RunState["counts"]) => sum(({ counts }) => counts[mark]);
  const rates = runs.flatMap(({ rate }) => rate ?? []);
  const rate = rates.length === 0 ? undefined : rates.reduce((all, each) => all + each, 0);
  const [waiting, running] = [count("waiting"), count("running")];
  const begun = runs.filter(({ calls }) => calls > 0);
  const { score: _, requests: __, ...first } = runs[0]!;
  return {
    ...first,
    run: "",
    label: "total",
    status: statusOf(runs),
    preparing: undefined,
    total: sum(({ total }) => total),
    counts: {
      waiting,
      running,
      right: count("right"),
      wrong: count("wrong"),
      unscored: count("unscored"),
      failed: count("failed"),
    },
    calls: sum(({ calls }) => calls),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      estimated: begun.some(({ tokens }) => tokens.estimated),
    },
    // Without a price of one of them there is none of all.
    cost: begun.some(({ cost }) => cost === undefined) ? undefined : sum(({ cost = 0 }) => cost),
    rate,
    left: rate === undefined || rate === 0 ? undefined : ((waiting + running) / rate) * 60,
  };
}

/** The most urgent one: what is at work, then what waits for a person, then what is over. */
function statusOf(runs: readonly RunState[]): RunState["status"] {
  const order = ["running", "loading", "stopping", "reading", "paused", "partial"] as const;
  const all = new Set(runs.map(({ status }) => status));
  const urgent = order.find((status) => all.has(status));
  if (urgent !== undefined) return urgent;
  if (all.size === 1) return runs[0]!.status;
  return all.has("ready") ? "partial" : "failed";
}
