/** Draws a request as it is sent, and the templates from which it is made. */
import { styled, type Line } from "../../engine/figures/drawing/line.ts";
import { estimatePrompt } from "../../engine/models/limits/token-estimate.ts";
import { slotPieces } from "../../engine/settings/prompt-template.ts";
import { printable } from "../../engine/text/printable.ts";
import { tokensOf } from "../../engine/text/tokens.ts";
import type { Message, ToolCall } from "../../engine/types.ts";
import { countText, plural } from "../../look/amounts.ts";
import { approximately, type Symbols } from "../../look/signs.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import type { SentPrompt, UsedTemplate } from "../frame/screen.ts";

/** Draws the messages byte by byte, with their tokens as a forecast counts them. */
export function sentLines({ stage, model, messages, tools = [] }: SentPrompt, columns: number): Line[] {
  const described = tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools));
  const head = ` ${stage}, to ${model}: ${plural(messages.length, "message")}, ${tokensText(estimatePrompt(messages) + described)}`;
  return [
    ...wrapSpans(styled("title", printable(head)), columns, ""),
    ...messages.flatMap((message) => [
      [],
      styled("accent", `  ${message.role}   ${tokensText(estimatePrompt([message]))}`),
      ...textLines(contentOf(message), columns),
    ]),
    ...(tools.length === 0
      ? []
      : [[], styled("accent", `  ${plural(tools.length, "tool")}   ${tokensText(described)}`)]),
    ...(tools.length === 0 ? [] : textLines(tools.map(({ name }) => name).join(", "), columns)),
  ];
}

/**
 * Draws templates with their slots marked; the selected template has the pointer. Also returns the line at which each template
 * starts.
 */
export function templateLines(all: readonly UsedTemplate[], chosen: number, columns: number, symbols: Symbols) {
  const lines: Line[] = [];
  const begins = all.map(({ template, text, file }, at) => {
    if (at > 0) lines.push([]);
    const kind = template.message === undefined ? "part of a message" : `${template.message} message`;
    const origin = text === template.text ? "" : file === undefined ? ", own prompt" : `, own prompt: ${file}`;
    const begin = lines.length;
    lines.push([
      { text: at === chosen ? ` ${symbols.pointer} ` : "   ", style: "accent" },
      { text: printable(template.name), style: "title" },
      { text: `   ${kind}${printable(origin)}`, style: "faint" },
    ]);
    lines.push(...textLines(text, columns, true));
    return begin;
  });
  return { lines, begins };
}

const tokensText = (tokens: number) => `${approximately} ${countText(tokens)} tokens`;

function contentOf(message: Message): string {
  const calls: readonly ToolCall[] = (message.role === "assistant" ? message.calls : undefined) ?? [];
  return [message.content, ...calls.map(({ name, text }) => `${name}(${text})`)]
    .filter((each) => each !== "")
    .join("\n");
}

/** Returns the lines of a text; its slots are marked if `slots` is set. */
function textLines(text: string, columns: number, slots = false): Line[] {
  return text.split("\n").flatMap((line) => {
    const pieces = slots ? slotPieces(line) : [line];
    const spans = pieces.map(
      (piece, at) => ({ text: printable(piece), style: at % 2 === 1 ? "accent" : "plain" }) as const,
    );
    return wrapSpans(spans, columns, "    ");
  });
}
