/** The rows above a trajectory: the task, its run, how it ended, and the names of the sections. */
import { answersName } from "../../engine/session/run-spec.ts";
import { inkOf, type Line, lineWidth, type Span } from "../../engine/figures/drawing/line.ts";
import { fitMiddle, printable, width } from "../../engine/text/printable.ts";
import { endingText } from "../../engine/log/rows/cause-text.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { readableFacets } from "../../engine/run/fork-point.ts";
import { shownValue } from "../../engine/measures/measure-cell.ts";
import type { Score } from "../../engine/types.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import { type Mark, markOf, runCaveats } from "../drawing/task-mark.ts";
import { packedSpans } from "../drawing/wrapped-spans.ts";
import type { Theme } from "../drawing/theme.ts";
import { type Section, sectionTitles } from "./block.ts";

type Head = {
  readonly task: string;
  readonly trajectory: Trajectory | undefined;
  readonly run: RunState | undefined;
  /** The number of the run's colour. */
  readonly colour: number | undefined;
  /** Undefined while the user labels blind. */
  readonly state: Mark | undefined;
  /** The task's number in the list. */
  readonly place: string;
  /** The kinds that were given to the attempt. */
  readonly codes: readonly string[];
  readonly section: Section;
  readonly sections: readonly Section[];
  readonly theme: Theme;
  readonly columns: number;
  /** Limit of lines for the model and the facets; if 0, the question is omitted too. */
  readonly mostDetails: number;
  /** Omits the model, the facets and the names of the sections. */
  readonly isBrief?: boolean;
};

const blindMark = { sign: " ", word: "labelled blind", style: "accent" } as const;

export function trajectoryHead(head: Head): Line[] {
  const { task, trajectory, run, colour, place, columns } = head;
  const mark = head.state === undefined ? blindMark : markOf(head.state, head.theme.symbols);
  const label: Span = {
    text: run === undefined ? "" : `  ${fitMiddle(printable(run.label), Math.max(10, columns >> 1))}`,
    ...inkOf(colour, "plain"),
  };
  return [
    [
      { text: ` ${mark.sign} `, style: mark.style },
      { text: printable(task), style: "title" },
      label,
      { text: `  ${mark.word}${partlyText(trajectory?.score)}${whyText(trajectory)}`, style: mark.style },
      { text: `  ${place}`, style: "faint" },
    ],
    ...(head.mostDetails === 0 ? [] : [[{ text: ` ${printable(trajectory?.question ?? "")}` }]]),
    ...(head.isBrief === true ? [] : [...(head.mostDetails === 0 ? [] : detailLines(head)), tabLine(head)]),
  ];
}

/** Returns a partial score, which a mark does not show. */
export function partlyText(score: Score | undefined): string {
  const value = score?.value;
  return value === undefined || value === 0 || value === 1 ? "" : ` ${shownValue(value, "percent")} %`;
}

/** Returns why the mistakes of a task are meaningless; empty if they are not. */
function whyText(trajectory: Trajectory | undefined): string {
  const ending = trajectory?.score === undefined ? undefined : endingText(trajectory);
  return ending === undefined ? "" : `: ${ending}`;
}

/** A longer value of a facet is cut in the middle. */
const longestFacet = 40;

/** Facets that do not fit beside the model are shown below it, because they distinguish tasks. */
function detailLines({ trajectory, run, codes, columns, mostDetails }: Head): readonly Line[] {
  const facets = readableFacets(trajectory?.facets).map(
    ([name, value]) => `${printable(name)} ${fitMiddle(printable(String(value)), longestFacet)}`,
  );
  if (trajectory?.worker !== undefined) facets.unshift(`on ${printable(trajectory.worker)}`);
  const caveats = run === undefined ? "" : runCaveats(run);
  const model = run === undefined ? "" : fitMiddle(printable(run.spec.model), Math.max(10, columns >> 1));
  const parts: readonly Span[] = [
    { text: model, style: "code" },
    ...(codes.length === 0 ? [] : [{ text: `# ${codes.map(printable).join(", ")}`, style: "warn" as const }]),
    ...(caveats === "" ? [] : [{ text: caveats, style: "warn" as const }]),
    ...(run?.predictions === undefined
      ? []
      : [{ text: `from ${fitMiddle(printable(answersName(run.predictions)), columns - 6)}`, style: "warn" as const }]),
    ...facets.map((text): Span => ({ text, style: "faint" })),
  ];
  const lines = packedSpans(parts, columns);
  return lines.length <= mostDetails
    ? lines
    : [...lines.slice(0, mostDetails - 1), lines.slice(mostDetails - 1).flat()];
}

/** Moves the names closer together if they do not fit. */
function tabLine({ section, sections, columns }: Head): Line {
  const tabs = (blank: string): Line =>
    sections.map((each, index): Span => {
      const name = `${index + 1} ${sectionTitles[each]}`;
      if (each === section) return { text: ` [${name}]`, style: "accent" };
      return { text: `${blank} ${name}${blank}`, style: "faint" };
    });
  const line = tabs(" ");
  return lineWidth(line) <= columns ? line : tabs("");
}

/** Returns the index of the section whose name is in this column; undefined after the last name. */
export function sectionAt(names: Line, column: number): number | undefined {
  let end = 0;
  const at = names.findIndex(({ text }) => column < (end += width(text)));
  return at < 0 ? undefined : at;
}
