/** What stands above a trajectory in a lane: the task, how far it is, and what it took. */
import { kindTitle } from "../../engine/log/rows/mistake-text.ts";
import { standingErrors } from "../../engine/log/rows/verdict.ts";
import { type Line, fitLine, lineWidth } from "../../engine/figures/drawing/line.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import { printable } from "../../engine/text/printable.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import { countText, timeText } from "../drawing/amount.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Theme } from "../drawing/theme.ts";
import type { Lane } from "./lanes.ts";

/** With fewer columns left, a question says nothing. */
const leastOfQuestion = 12;

/** What the head says of the run and of the moment. */
export type About = {
  readonly state: Pick<RunState, "requests" | "total">;
  readonly isDialogue: boolean;
  /** The words for mistakes, by the suite. */
  readonly errorKinds: readonly ErrorKind[];
  /** Milliseconds since 1970; undefined where clocks do not tick. */
  readonly now: number | undefined;
};

/** Figures that have no room are left out, the last ones first; the question has what they leave. */
export function laneHead({ task, trajectory, chosen }: Lane, columns: number, theme: Theme, about: About): Line {
  if (task === undefined) return [{ text: " no task in flight", style: "faint" }];
  const mark = markOf(task.state, theme.symbols);
  // A task that was stopped waits to be resumed: that is no mistake.
  const failure = task.state === "stopped" ? undefined : trajectory?.failure?.kind;
  const mistake = standingErrors(trajectory?.score?.errors ?? [])[0]?.kind ?? failure ?? "";
  let line: Line = [
    { text: chosen ? `${theme.symbols.pointer} ` : "  ", style: "accent" },
    { text: `${mark.sign} ${printable(task.task)} ${mark.word} `, style: mark.style },
    { text: trajectory?.worker === undefined ? "" : `on ${printable(trajectory.worker)} `, style: "accent" },
    { text: mistake === "" ? "" : `${printable(kindTitle(mistake, about.errorKinds))} `, style: "bad" },
  ];
  for (const text of facts(task, trajectory, about)) {
    const longer = [...line, { text: ` ${text} `, style: "plain" as const }];
    if (lineWidth(longer) > columns) break;
    line = longer;
  }
  const room = columns - lineWidth(line) - 1;
  if (room < leastOfQuestion) return line;
  return [...line, ...fitLine([{ text: ` ${printable(task.question)}`, style: "faint" }], room)];
}

/** `round 3 of about 6`, the time so far, and tokens in and out. */
function facts(
  { row, state }: NonNullable<Lane["task"]>,
  trajectory: Trajectory | undefined,
  { state: run, isDialogue, now }: About,
): readonly string[] {
  if (row === undefined) return [];
  const count = trajectory === undefined ? 0 : isDialogue ? roundsIn(trajectory) : requestsIn(trajectory).length;
  const each = run.requests === undefined ? 0 : run.requests / run.total / (isDialogue ? 2 : 1);
  // One that takes longer than others says nothing of how long it will be.
  const of = state === "running" && Math.round(each) >= count ? ` of about ${Math.round(each)}` : "";
  const { input, output, estimated } = row.tokens;
  const begun = now === undefined ? "" : timeText((now - row.from) / 1000);
  return [
    count === 0 ? "" : `${isDialogue ? "round" : "request"} ${count}${of}`,
    state === "running" ? begun : timeText(row.seconds),
    input + output === 0 ? "" : `${estimated ? "~" : ""}${countText(input)}/${countText(output)}`,
  ].filter((text) => text !== "");
}

function requestsIn({ entries }: Trajectory) {
  return entries.flatMap((entry) => (entry.kind === "turn" && entry.role !== "judge" ? [entry] : []));
}

/** A round begins with every request to the planner that follows one to the responder. */
function roundsIn(trajectory: Trajectory): number {
  const roles = requestsIn(trajectory).map(({ role }) => role);
  return roles.filter((role, index) => role !== "responder" && (index === 0 || roles[index - 1] === "responder"))
    .length;
}
