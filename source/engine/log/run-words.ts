/** Words for the roles and endings of a run's trajectories; logs keep their keys. */
import { briefModel } from "../settings/label.ts";
import { samplingOf } from "../settings/role-settings.ts";
import type { Suite } from "../suite.ts";
import type { RunReading } from "./rows/cause-beside.ts";
import type { Role, RunSpec } from "../types.ts";
import type { Turn } from "./trajectory.ts";

/** The settings that the words of a trajectory depend on, besides its events. */
export type RunWords = {
  /** Names of roles in the strategy's paper; absent roles have their general names. */
  readonly roleNames?: Readonly<Partial<Record<Role, string>>>;
  /** Returns the limit of tokens for a reply of this role; undefined if the run sets none. */
  readonly maxTokens?: (role: Role) => number | undefined;
  /** The model under test, which the head of its screen names. */
  readonly model?: string;
  /** How replies of the run are read; absent if any text is an answer. */
  readonly reading?: RunReading;
};

/** Returns the words of a run; without its spec, the general ones. */
export function runWords(
  spec: RunSpec | undefined,
  suite: Pick<Suite, "strategies" | "form" | "formName"> | undefined,
): RunWords {
  const roleNames = suite?.strategies.find(({ name }) => name === spec?.strategy)?.roleNames;
  const maxTokens = spec && ((role: Role) => samplingOf(spec, role).maxTokens);
  const { form, formName } = suite ?? {};
  const reading = spec && form && { spec, form, ...(formName !== undefined && { formName }) };
  return {
    ...(roleNames !== undefined && { roleNames }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(spec && { model: spec.model }),
    ...(reading !== undefined && { reading }),
  };
}

/**
 * Returns the model of a request for its heading, after two spaces; empty if the heading of the screen already names it, or if it
 * has the name of its role, as `builtin/responder` has.
 */
export function ofOtherModel({ model, role }: Pick<Turn, "model" | "role">, words: RunWords | undefined): string {
  const brief = briefModel(model);
  return model === "" || model === words?.model || brief === role ? "" : `  ${brief}`;
}

const names: Readonly<Record<Role, string>> = {
  model: "Model",
  actor: "Actor",
  responder: "Responder",
  user: "User",
  judge: "Judge",
};

/** Returns the displayed name of a model's role. */
export const roleName = (role: Role, { roleNames }: RunWords = {}): string => roleNames?.[role] ?? names[role] ?? role;

/** The stop reasons of a server for a complete reply. */
const whole = new Set(["", "stop", "tool_calls", "function_call"]);

const finishes = new Map([
  ["content_filter", "stopped by the content filter"],
  ["refusal", "refused by the model"],
]);

/** Describes how a reply ended: `cut at 120 tokens (maxTokens)`; undefined if it is complete. */
export function finishText({ finish, tokens, role }: Turn, { maxTokens }: RunWords = {}): string | undefined {
  if (finish === undefined || whole.has(finish)) return undefined;
  if (finish !== "length") return finishes.get(finish) ?? `ended: ${finish}`;
  if (tokens === undefined) return "cut at the token limit";
  const isOwn = tokens.output >= (maxTokens?.(role) ?? Infinity);
  return `cut at ${tokens.estimated ? "about " : ""}${tokens.output} tokens${isOwn ? " (maxTokens)" : ""}`;
}

/** Sentences for the keys that a strategy ends with. */
const endings = new Map([
  ["playing", "the dialogue had not ended"],
  ["complete", "all announced steps were carried out"],
  ["planner-unparsable", "no plan could be read"],
  ["responder-unparsable", "the Responder's reply could not be read"],
  ["step-limit", "the round limit was reached"],
  ["context", "the next request did not fit the context"],
  ["step limit", "the step limit was reached"],
  ["error limit", "the limit of failed calls was reached"],
  ["depth limit", "the depth limit was reached"],
  ["prompt too long", "the next prompt was too long"],
  ["gave up", "the model gave up"],
  ["no answer", "there was no answer"],
  ["nothing", "there was no answer"],
]);

/** Returns the reason why a strategy ended as a sentence, with the message after the key if there is a message. */
export function endText(reason: string): string {
  const known = endings.get(reason);
  if (known !== undefined) return known;
  const cut = reason.indexOf(": ");
  const key = cut === -1 ? undefined : endings.get(reason.slice(0, cut));
  return key === undefined ? reason : `${key}${reason.slice(cut)}`;
}
