/** Shows every request as it was sent, and every reply as it was received. */
import { roleName } from "../../../engine/log/run-words.ts";
import type { Trajectory, Turn } from "../../../engine/log/trajectory.ts";
import type { Message } from "../../../engine/types.ts";
import type { Line } from "../../../engine/figures/drawing/line.ts";
import { printable } from "../../../engine/text/printable.ts";
import { countText, plural } from "../../drawing/amount.ts";
import { type Block, blockOf, gap, textBlock } from "../block.ts";
import { roleStyle } from "./turn-head.ts";
import { type View, linesOfText } from "../view.ts";

/**
 * Requests repeat the conversation before them, so only the first is expanded. With `part`, returns only the requests
 * that the given number of lines around a place may contain.
 */
export function rawBlocks(
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
