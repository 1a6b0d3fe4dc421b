import { standingErrors } from "../../../engine/log/rows/verdict.ts";
import type { TaskView } from "../../../engine/loaded-suite.ts";
import type { Trajectory, Turn } from "../../../engine/log/trajectory.ts";
import { type Block, blockOf, type Section, gap, textBlock } from "../block.ts";
import { checkBlocks } from "./check-blocks.ts";
import { planBlocks } from "./plan-blocks.ts";
import { stepBlocks, stepBlocksAround } from "./step-blocks.ts";
import { treeBlocks } from "./tree-blocks.ts";
import { type View, linesOfText } from "../view.ts";
import { plural, countText } from "../../../look/amounts.ts";
import type { Position } from "../position.ts";
import { roleName } from "../../../engine/log/run-words.ts";
import type { Message } from "../../../engine/types.ts";
import type { Line } from "../../../engine/figures/drawing/line.ts";
import { printable } from "../../../engine/text/printable.ts";
import { roleStyle } from "./turn-head.ts";

/** Returns all blocks of one section; `task` is undefined while it is loaded, and if the data no longer contain it. */
export function blocksOf(
  section: Section,
  trajectory: Trajectory,
  task: TaskView | undefined,
  view: View,
): readonly Block[] {
  switch (section) {
    case "plan":
      if (task === undefined) return [blockOf("no view", [[{ text: "  There is no plan to show", style: "faint" }]])];
      return planBlocks(task, trajectory, view);
    case "steps":
      return stepBlocks(trajectory, view);
    case "checks":
      return checkBlocks(trajectory, task, view);
    case "raw":
      return rawBlocks(trajectory, view);
    case "tree":
      return treeBlocks(trajectory.nodes, view, { mistakes: standingErrors(trajectory.score?.errors ?? []), task });
  }
}

/** Limit of entries that are drawn within a few milliseconds. */
const mostEntries = 100;
/** Maximum number of nodes (each is a line) for the same time. */
const mostNodes = 500;

export const isLong = ({ entries, nodes }: Trajectory): boolean =>
  entries.length > mostEntries || nodes.length > mostNodes;

/** Returns true if `previewBlocks` shortens this section of a long trajectory. The preview itself does not say so. */
export const isCut = (section: Section, { entries }: Trajectory): boolean =>
  (section === "steps" || section === "raw") && entries.length > mostEntries;

/**
 * Draws only the given number of lines before and after the cursor, or the first lines; sections that do not grow with the
 * trajectory are complete. Mistakes are not marked, because placing them needs all entries.
 */
export function previewBlocks(
  section: Section,
  trajectory: Trajectory,
  task: TaskView | undefined,
  view: View,
  place: Position,
  lines: number,
): readonly Block[] {
  const { entries, nodes } = trajectory;
  const at = place.seen === undefined ? Infinity : Number(/^(?:step|request) (\d+)/.exec(place.block)?.[1] ?? 0);
  if (section === "steps") return stepBlocksAround(Math.min(at, entries.length), trajectory, view, lines);
  if (section === "raw") return rawBlocks(trajectory, view, { at, lines });
  const shown = blocksOf(section, { ...trajectory, nodes: nodes.slice(0, mostNodes) }, task, view);
  if (section !== "tree" || nodes.length <= mostNodes) return shown;
  const more = `  ${view.symbols.more} ${plural(nodes.length - mostNodes, "more node")}: Enter opens all`;
  return [...shown, blockOf("rest", [[], [{ text: more, style: "faint" }]])];
}

/**
 * Draws requests, of which only the first is unfolded, because each repeats the conversation before it. With `part`, returns only
 * the requests that the given number of lines around a position may contain.
 */
function rawBlocks(
  { entries }: Trajectory,
  view: View,
  part: { readonly at: number; readonly lines: number } = { at: 0, lines: Infinity },
): Block[] {
  const turns = entries.filter((entry) => entry.kind === "turn");
  if (turns.length === 0) return [blockOf("no requests", [[{ text: "  No request was sent", style: "faint" }]])];
  const at = Math.min(part.at, turns.length);
  // Each request takes at least a line.
  const from = Math.max(0, at - part.lines);
  return turns.slice(from, at + part.lines).flatMap((turn, index) => requestBlocks(turn, from + index, view));
}

function requestBlocks(turn: Turn, index: number, view: View): Block[] {
  const id = `request ${index}`;
  const open = (index === 0) !== view.toggled.has(id);
  const characters = turn.messages.reduce((sum, { content }) => sum + content.length, 0);
  const amount = `${plural(turn.messages.length, "message")}, ${countText(characters)} characters`;
  const head: Line = [
    { text: `${open ? "v" : ">"} Request ${turn.request + 1}  `, style: "strong" },
    { text: roleName(turn.role, view.words), style: roleStyle(turn.role) },
    { text: `  ${printable(turn.stage)}  to ${printable(turn.model)}  ` },
    { text: `${amount}${open ? "" : ": Enter"}`, style: "faint" },
  ];
  const first = blockOf(id, [head], { folds: true });
  if (!open) return [first];
  return [
    first,
    ...turn.messages.flatMap((message, at) => messageBlocks(message, `${id} message ${at}`, view)),
    ...toolBlocks(turn, id, view),
    ...(turn.thinking === "" ? [] : labelled(`${id} thinking`, "thinking", turn.thinking, view)),
    ...labelled(`${id} reply`, "reply", turn.text, view),
    ...turn.calls.flatMap((call, at) =>
      labelled(`${id} call ${at}`, `tool call ${call.name} (${call.id})`, call.text, view),
    ),
    blockOf(`${id} end`, [[{ text: `  ${endWords(turn)}`, style: "faint" }]]),
    gap(`${id} gap`),
  ];
}

function messageBlocks(message: Message, id: string, view: View): Block[] {
  const label = message.role === "tool" ? `tool (${message.callId})` : message.role;
  const calls = message.role === "assistant" ? (message.calls ?? []) : [];
  return [
    ...labelled(id, label, message.content, view),
    ...calls.flatMap((call, at) =>
      labelled(`${id} call ${at}`, `tool call ${call.name} (${call.id})`, call.text, view),
    ),
  ];
}

function toolBlocks({ tools }: Turn, id: string, view: View): Block[] {
  if (tools.length === 0) return [];
  const open = view.toggled.has(`${id} tools`);
  const head: Line = [
    { text: `  ${open ? "v" : ">"} ${plural(tools.length, "tool")} offered`, style: "title" },
    { text: open ? "" : ": Enter", style: "faint" },
  ];
  const first = blockOf(`${id} tools`, [head], { folds: true });
  return open ? [first, ...labelled(`${id} tool list`, "tools", JSON.stringify(tools, null, 1), view)] : [first];
}

function labelled(id: string, label: string, text: string, view: View): Block[] {
  const lines = linesOfText(`raw ${id}`, text, view, 4);
  return [blockOf(id, [[{ text: `  ${printable(label)}`, style: "title" }]]), textBlock(`${id} text`, lines, "plain")];
}

function endWords({ tokens, finish, retries }: Turn): string {
  const parts: string[] = [];
  if (tokens !== undefined)
    parts.push(`usage: ${tokens.input} in, ${tokens.output} out${tokens.estimated ? " (estimated)" : ""}`);
  if (retries.length > 0) parts.push(plural(retries.length, "retry", "retries"));
  parts.push(finish === undefined ? "the end of the reply is missing" : `ended: ${printable(finish)}`);
  return parts.join("; ");
}
