/** The messages of the planner: its prompts with the catalogue and the instruction. */
import type { PromptTemplate, Reasoning } from "../../../source/engine/protocol.ts";
import { prompted, promptMessages } from "../../../source/engine/settings/prompt-template.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import { factOf } from "../../../source/engine/work/fact.ts";
import { type App, describeApis, describeApps } from "../data/catalogue.ts";
import { planning, reasoningIn, selecting } from "./templates.ts";

type Spec = Pick<RunSpec, "prompts">;

/** Builds the messages of the first stage, which selects the apps. */
export const appsMessages = (spec: Spec, apps: readonly App[], instruction: string, reasoning: Reasoning) =>
  promptMessages(spec, selecting, {
    apps: describeApps(apps),
    instruction,
    reasoning: thinking(spec, selecting[0], reasoning),
  });

/**
 * Builds the messages of the planning stage with the catalogue of `apps`, and each demonstration, whose calls are known, as an
 * earlier turn. Relative dates count from `today`.
 */
export function planMessages(
  spec: Spec,
  { apps, today }: { readonly apps: readonly App[]; readonly today: string },
  instruction: string,
  shots: readonly { readonly instruction: string; readonly calls: string }[],
  reasoning: Reasoning,
): readonly Message[] {
  const slots = { apis: apisText(apps), today, reasoning: thinking(spec, planning[0], reasoning) };
  const [system, asked] = promptMessages(spec, planning, { ...slots, instruction }) as [Message, Message];
  const turns = shots.flatMap((shot): readonly Message[] => [
    { role: "user", content: prompted(spec, planning[1], { ...slots, instruction: shot.instruction }) },
    { role: "assistant", content: shot.calls },
  ]);
  return [system, ...turns, asked];
}

/** Cached, because few choices of apps occur, and the whole catalogue has 34,000 characters. */
const apisText = factOf(describeApis);

function thinking(spec: Spec, stage: PromptTemplate, reasoning: Reasoning): string {
  return reasoning === "none" ? "" : `\n\n${prompted(spec, reasoningIn(stage), {})}`;
}

/**
 * Returns the text after the last line that contains only `Final answer:`, or the whole reply if there is no such line
 * or no text after it.
 */
export function afterMarker(reply: string): string {
  const lines = reply.split("\n");
  const at = lines.findLastIndex(isMarker);
  const rest = lines.slice(at + 1).join("\n");
  return at === -1 || rest.trim() === "" ? reply : rest;
}

/** Accepts the marker in any case, with Markdown around it or without its colon. */
function isMarker(line: string): boolean {
  if (line.length > 60) return false;
  return line.replaceAll(/[*#_:`\s]/g, "").toLowerCase() === "finalanswer";
}
