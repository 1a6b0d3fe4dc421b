/** Which APIs of its hub a question's run can find, and whether the one asked for is among them. */
import type { Toolkit } from "../../../source/engine/protocol.ts";
import { retrieved, usesToolkits } from "../../../source/engine/toolkits/toolkits-option.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import type { HubApi, HubData, Question } from "../data/catalogue.ts";
import { toolName } from "./environment.ts";
import { retrievedBySame, retrievedByUsual } from "./options.ts";

/** A hub that can be searched by shared words. */
export type SearchedHub = HubData & {
  readonly closest: (question: string, count: number) => readonly HubApi[];
};

type Spec = Pick<RunSpec, "options" | "strategy">;

/**
 * The APIs a question is answered with: documents shown with a plain answer, functions offered, members of toolkits.
 * `gold` finds the entry whose call is asked for, or the closest where the catalogue has none (77 questions of Hugging Face).
 */
function found(question: Question, hub: SearchedHub, spec: Spec, fallback: number): readonly HubApi[] {
  const { retrieve } = spec.options;
  if (retrieve === "all") return hub.apis;
  if (retrieve !== "gold") return hub.closest(question.question, retrieved(spec, fallback));
  const index = question.gold_catalogue_index;
  return index === null ? hub.closest(question.question, 1) : [hub.apis[index]!];
}

/** The documents shown with a plain answer. */
export const shownApis = (question: Question, hub: SearchedHub, spec: Spec): readonly HubApi[] =>
  found(question, hub, spec, 0);

/** The functions a strategy that acts is offered. */
export const offeredApis = (question: Question, hub: SearchedHub, spec: Spec): readonly HubApi[] =>
  found(question, hub, spec, spec.options["catalogue"] === "same" ? retrievedBySame : retrievedByUsual);

const groupedApis = (question: Question, hub: SearchedHub, spec: Spec): readonly HubApi[] =>
  spec.options["catalogue"] === "same" ? offeredApis(question, hub, spec) : hub.apis;

/** A hub's toolkits as a question's run has them: of the APIs it can choose among alone. */
export function offeredToolkits(
  toolkits: readonly Toolkit[],
  question: Question,
  hub: SearchedHub,
  spec: Spec,
): readonly Toolkit[] {
  const apis = groupedApis(question, hub, spec);
  // The same list for all questions: what is worked out of it is kept by it.
  if (apis === hub.apis) return toolkits;
  const names = new Set(apis.map(toolName));
  return toolkits.flatMap((toolkit) => {
    const tools = toolkit.tools.filter(({ name }) => names.has(name));
    return tools.length === 0 ? [] : [{ ...toolkit, tools }];
  });
}

/** The most toolkits that can be: each API may be one of its own. */
export const mostToolkits = (question: Question, hub: SearchedHub, spec: Spec): number =>
  usesToolkits(spec) ? groupedApis(question, hub, spec).length : 0;

/** How many APIs a run found for a question, and whether the call asked for is among them; nothing where it looked for none. */
export function retrieverMetrics(question: Question, hub: SearchedHub, spec: Spec): Readonly<Record<string, number>> {
  const find = spec.strategy === "direct" ? shownApis : usesToolkits(spec) ? groupedApis : offeredApis;
  const apis = find(question, hub, spec);
  if (apis.length === 0) return {};
  const recall = apis.some(({ api_call }) => api_call === question.gold_api_call);
  return { "retriever.recall": recall ? 1 : 0, "retriever.offered": apis.length };
}
