/** The plan beside its reference: in two columns if there is room, otherwise as one list. */
import type { Line, Span, Style } from "../../../engine/figures/drawing/line.ts";
import { callText, readableLine } from "../../../engine/text/call-text.ts";
import { pad, printable, wrap } from "../../../engine/text/printable.ts";
import type { PlanStep, TaskView } from "../../../engine/loaded-suite.ts";
import { causeText, isUnread } from "../../../engine/log/rows/cause-text.ts";
import { standingErrors } from "../../../engine/log/rows/verdict.ts";
import type { Trajectory } from "../../../engine/log/trajectory.ts";
import type { Mistake } from "../../../engine/types.ts";
import { plural } from "../../../look/amounts.ts";
import { type Block, blockOf, gap, textBlock } from "../block.ts";
import { mistakeText, overruledText } from "../../../engine/log/rows/mistake-text.ts";
import { changeOf, type PlanChange, type StepPair, pairOfMistake, pairSteps } from "./plan-diff.ts";
import { leadsToWords } from "./step-blocks.ts";
import { type View, linesOfText } from "../view.ts";
import { type Symbols, signs } from "../../../look/signs.ts";

/** Fewest columns for two plans side by side. */
export const sideBySideFrom = 76;

/** Indentation of continuation lines. */
const further = "    ";

const marks: Readonly<Record<PlanChange, string>> = {
  same: " ",
  changed: signs.differs,
  missing: signs.missing,
  extra: signs.extra,
};

export function planBlocks(task: TaskView, trajectory: Trajectory, view: View): Block[] {
  const mistakes = standingErrors(trajectory.score?.errors ?? []);
  const pairs = pairSteps(task);
  const lay = planLayout(task, lookBesideReference(task, trajectory.ended, pairs, view), view);
  const blocks = [
    ...lay.heading(),
    ...(trajectory.ended && task.plan.length === 0 ? replyBlocks(trajectory, view) : []),
    ...pairs.map((pair) => {
      const own = mistakes.filter((mistake) => pairOfMistake(mistake, pairs) === pair);
      const lines = [...lay.pair(pair), ...own.flatMap((mistake) => mistakeLines(mistake, view))];
      const error = pair.change !== "same" || own.length > 0;
      const leadsTo = own[0] && leadsToWords(own[0], mistakes);
      return blockOf(`plan ${pair.id}`, lines, { error, mistakes: own, leadsTo });
    }),
  ];
  const elsewhere = mistakes.filter((mistake) => pairOfMistake(mistake, pairs) === undefined);
  if (elsewhere.length > 0) {
    const lines = elsewhere.flatMap((mistake) => mistakeLines(mistake, view));
    const leadsTo = leadsToWords(elsewhere[0]!, mistakes);
    // The cursor goes to the first mistake, not to the line above.
    blocks.push(
      gap("plan mistakes gap"),
      blockOf("plan mistakes", lines, { error: true, mistakes: elsewhere, leadsTo }),
    );
  }
  return [...blocks, ...backgroundBlocks(task, view)];
}

/** Maximum number of lines of a reply beside the reference. */
const mostReplyLines = 12;

/** Shows the reply without a plan: the one that decides the cause, or else the last. Enter leads to it. */
function replyBlocks({ entries, cause }: Trajectory, view: View): Block[] {
  const turns = entries.flatMap((entry, index) =>
    entry.kind === "turn" && entry.role !== "judge" ? [{ entry, index }] : [],
  );
  const last = turns.findLast(({ entry }) => entry.request === cause?.request) ?? turns.at(-1);
  if (last === undefined) return [];
  const { entry, index } = last;
  const text = entry.text.trim() === "" ? entry.calls.map(callText).join("\n") : entry.text.trim();
  const lines = text === "" ? [] : linesOfText("unread reply", text, view, 4);
  const why = cause === undefined || !isUnread({ cause }) ? "" : `: ${causeText(cause)}`;
  const more = lines.length - mostReplyLines;
  const rest = more > 0 ? [`${view.symbols.more} ${plural(more, "more line")}: Enter`] : [];
  const shown = text === "" ? ["(no text)"] : [...lines.slice(0, mostReplyLines), ...rest];
  const faint = shown.map((line): Line => [{ text: `    ${line}`, style: "faint" }]);
  const head: Line = [{ text: `  The reply${why}`, style: "strong" }];
  const leadsTo = { section: "steps", block: `step ${index}` } as const;
  return [blockOf("unread reply", [head, ...faint, []], { leadsTo })];
}

export function mistakeLines(mistake: Mistake, view: View): Line[] {
  const text = `${view.symbols.wrong} ${mistakeText(mistake, view)}`;
  const lines = (long: string, style: Style, indent: string): Line[] =>
    wrap(long, Math.max(8, view.columns - indent.length)).map((line) => [{ text: indent }, { text: line, style }]);
  const correction = overruledText(mistake, view);
  return [...lines(text, "bad", "    "), ...(correction === undefined ? [] : lines(correction, "warn", "      "))];
}

const backgroundBlocks = ({ background = [] }: TaskView, view: View): Block[] =>
  background.flatMap(({ title, text }, index) => {
    const id = `background ${index}`;
    const lines = linesOfText(id, text, view, 4);
    const open = view.toggled.has(id);
    const hint = open ? "Enter collapses" : `${plural(lines.length, "line")}: Enter`;
    const heading: Line = [
      { text: `${open ? "v" : ">"} ${printable(title)}  `, style: "strong" },
      { text: hint, style: "faint" },
    ];
    return [
      ...(index === 0 ? [gap("background")] : []),
      blockOf(id, [heading], { folds: true }),
      ...(open ? [textBlock(`${id} text`, lines, "plain")] : []),
    ];
  });

/** Describes two plans side by side: their titles, the legend of the marks, and the styles of differences. */
export type PlanLook = {
  readonly heads: readonly [string, string];
  /** Replaces both titles above a single column; if absent, the two titles are shown side by side. */
  readonly together?: string;
  readonly legend: Line;
  readonly styles: Readonly<Record<PlanChange, Style>>;
  /** The style of the right plan if it differs. */
  readonly other: Style;
  /** True if a step that is equal in both plans has lines only in the left plan. */
  readonly saysOnce?: true;
};

function lookBesideReference(task: TaskView, ended: boolean, pairs: readonly StepPair[], view: View): PlanLook {
  const nothing = ended ? "No plan could be read from the answer" : "No answer yet";
  return {
    heads: [
      task.plan.length === 0 ? nothing : `Plan: ${plural(task.plan.length, "step")}`,
      task.reference.length === 0 ? "No reference plan" : `Reference: ${plural(task.reference.length, "step")}`,
    ],
    legend: legendOf(task, pairs, view),
    styles: { same: "plain", changed: "warn", missing: "bad", extra: "bad" },
    other: "good",
    saysOnce: true,
  };
}

/** Explains the marks that occur in these plans. */
function legendOf({ plan, reference }: TaskView, pairs: readonly StepPair[], { columns }: View): Line {
  const isMarked = pairs.some(({ change }) => change !== "same");
  const isUsed = [...plan, ...reference].some(({ needs }) => needs.length > 0);
  return [
    { text: isMarked ? `  ${signs.differs} changed  ` : "", style: "warn" },
    { text: isMarked ? `${signs.missing} missing  ${signs.extra} extra` : "", style: "bad" },
    { text: isUsed ? `  ${signs.left} uses the result of` : "", style: "faint" },
    {
      text: columns >= sideBySideFrom && pairs.some(isSaidOnce) ? `  ${signs.same} equal` : "",
      style: "faint",
    },
  ];
}

/** Returns true for a step with lines that is equal in both plans. */
const isSaidOnce = ({ change, plan, reference, lines }: StepPair): boolean =>
  change === "same" &&
  plan !== undefined &&
  reference !== undefined &&
  lines.length > 0 &&
  lines.every((line) => line.plan === line.reference);

const legendLines = (legend: Line): readonly Line[] => (legend.every(({ text }) => text === "") ? [] : [legend]);

type PlanLayout = { heading(): Block[]; pair(pair: StepPair): Line[] };

/** Lays out the plan of a task beside its reference: in two columns if there is room, otherwise as one list. */
export const planLayout = (task: TaskView, look: PlanLook, view: View): PlanLayout =>
  view.columns >= sideBySideFrom ? twoColumns(task, look, view) : oneColumn(task, look, view);

const lineText = (text: string, { raw }: View): string => printable(raw === true ? text : readableLine(text));

function twoColumns(task: TaskView, look: PlanLook, view: View): PlanLayout {
  const { legend, styles, other: otherStyle } = look;
  const [ofPlan, ofReference] = look.heads;
  const gutters = { plan: gutterOf(task.plan, view.symbols), reference: gutterOf(task.reference, view.symbols) };
  const room = Math.floor((view.columns - 5) / 2);
  const row = (mark: string, left: string, right: string, style: Style, title = false): Line => [
    { text: `${mark} `, style },
    { text: pad(left, room), style: title && style === "plain" ? "strong" : style },
    { text: ` ${view.symbols.bar} `, style: "rule" },
    { text: right, style: title && style === "plain" ? "strong" : style === "plain" ? "plain" : otherStyle },
  ];
  const rows = (mark: string, left: string[], right: string[], style: Style, title = false): Line[] =>
    Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
      row(index === 0 ? mark : " ", left[index] ?? "", right[index] ?? "", style, title),
    );
  /** Wraps a text: the first line follows `first`, further lines are indented after `rest`. */
  const cell = (text: string | undefined, first: string, rest: string): string[] => {
    if (text === undefined) return [];
    const [line = ""] = wrap(text, Math.max(8, room - first.length));
    const left = text.slice(line.length).trimStart();
    const more = left === "" ? [] : wrap(left, Math.max(8, room - rest.length - further.length));
    return [`${first}${line}`, ...more.map((each) => `${rest}${further}${each}`)];
  };
  return {
    heading: () => [blockOf("plan head", [row(" ", ofPlan, ofReference, "plain", true), ...legendLines(legend), []])],
    pair(pair) {
      const { plan, reference, change, lines } = pair;
      const own = plan === undefined ? undefined : task.plan[plan];
      const other = reference === undefined ? undefined : task.reference[reference];
      const titleStyle = change === "changed" && own?.title === other?.title ? "plain" : styles[change];
      const inner = { left: gutters.plan.below(plan ?? -1), right: gutters.reference.below(reference ?? -1) };
      const left = own && cell(titleOf(own, plan!), gutters.plan.title(plan!), inner.left);
      const right = other && cell(titleOf(other, reference!), gutters.reference.title(reference!), inner.right);
      return [
        ...rows(marks[change], left ?? [], right ?? [], titleStyle, true),
        ...lines.flatMap((line, index) => {
          const differs = change === "same" ? "same" : changeOf(line.plan, line.reference);
          const [one, other] = [line.plan, line.reference].map((text) =>
            text === undefined ? text : `  ${lineText(text, view)}`,
          );
          const isOnce = look.saysOnce === true && isSaidOnce(pair);
          const two = isOnce ? (index === 0 ? `  ${signs.same}` : undefined) : other;
          return rows(
            marks[differs],
            cell(one, inner.left, inner.left),
            cell(two, inner.right, inner.right),
            styles[differs],
          );
        }),
      ];
    },
  };
}

function oneColumn(task: TaskView, look: PlanLook, view: View): PlanLayout {
  const { legend, styles, heads, together = `${heads.join(". ")}.` } = look;
  const line = (change: PlanChange, text: string, indent: number, strong = false): Line[] =>
    wrap(text, Math.max(8, view.columns - indent - 2)).map((part, index) => [
      { text: `${index === 0 ? marks[change] : " "} ${" ".repeat(indent)}`, style: styles[change] },
      { text: part, style: strong && change === "same" ? "strong" : styles[change] } satisfies Span,
    ]);
  return {
    heading: () => [blockOf("plan head", [[{ text: `  ${together}`, style: "strong" }], ...legendLines(legend), []])],
    pair({ plan, reference, change, lines }) {
      const own = plan === undefined ? undefined : task.plan[plan];
      const other = reference === undefined ? undefined : task.reference[reference];
      const isSame = change === "same";
      const renamed = own !== undefined && other !== undefined && own.title !== other.title;
      return [
        ...line(renamed ? "extra" : change, titleOf((own ?? other)!, (plan ?? reference)!), 0, true),
        ...(renamed ? line("missing", titleOf(other, reference!), 0) : []),
        ...lines.flatMap((pair) => [
          ...(pair.plan === undefined
            ? []
            : line(isSame || pair.plan === pair.reference ? "same" : "extra", lineText(pair.plan, view), 4)),
          ...(pair.reference === undefined || pair.plan === pair.reference
            ? []
            : line(isSame ? "same" : "missing", lineText(pair.reference, view), 4)),
        ]),
      ];
    },
  };
}

/** Returns a title such as `3 Title ← 1, 2`, indented by its depth. */
function titleOf({ title, needs, depth = 0 }: PlanStep, index: number): string {
  const uses = needs.length === 0 ? "" : ` ${signs.left} ${needs.map((need) => need + 1).join(", ")}`;
  return `${"  ".repeat(Math.min(10, depth))}${index + 1} ${printable(title)}${uses}`;
}

/** More strands leave no room for text; then only the numbers after `←` show the dependencies. */
const mostStrands = 6;

type Strand = { readonly from: number; readonly to: number; readonly users: ReadonlySet<number> };

/**
 * Draws the dependencies of a plan as lines in a gutter, from a step whose result is used to the last step that uses
 * it.
 */
export function gutterOf(steps: readonly PlanStep[], symbols: Symbols) {
  const lanes = lanesOf(strandsOf(steps));
  if (lanes.length === 0 || lanes.length > mostStrands) return { title: () => "", below: () => "" };
  const { pathStart, pathEnd, pathUser, bar } = symbols;
  /** Returns the gutter before the title of a step. */
  const title = (step: number) => {
    let reaches = false;
    return lanes
      .map((strands) => {
        const strand = strands.find(({ from, to }) => from <= step && step <= to);
        const touches = strand !== undefined && (strand.from === step || strand.users.has(step));
        const reached = reaches;
        reaches ||= touches;
        if (strand === undefined) return reached ? symbols.rule : " ";
        if (strand.from === step) return pathStart;
        if (strand.to === step) return pathEnd;
        return strand.users.has(step) ? pathUser : bar;
      })
      .join("")
      .concat(reaches ? symbols.rule : " ");
  };
  /** Returns the gutter before the lines below it. */
  const below = (step: number) =>
    lanes
      .map((strands) => (strands.some(({ from, to }) => from <= step && step < to) ? bar : " "))
      .join("")
      .concat(" ");
  return { title, below };
}

function strandsOf(steps: readonly PlanStep[]): Strand[] {
  const users = new Map<number, Set<number>>();
  for (const [index, { needs }] of steps.entries()) {
    for (const need of needs) {
      // Only dependencies on earlier steps can be drawn; the numbers show the others.
      if (need < 0 || need >= index) continue;
      users.set(need, (users.get(need) ?? new Set()).add(index));
    }
  }
  return [...users]
    .toSorted(([one], [other]) => one - other)
    .map(([from, of]) => ({ from, to: Math.max(...of), users: of }));
}

/** Assigns strands that do not overlap to one lane; the first lanes are the outermost. */
function lanesOf(strands: readonly Strand[]): Strand[][] {
  const lanes: Strand[][] = [];
  for (const strand of strands) {
    const free = lanes.find((lane) => lane.at(-1)!.to < strand.from);
    if (free === undefined) lanes.push([strand]);
    else free.push(strand);
  }
  return lanes;
}
