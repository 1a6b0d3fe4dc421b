/** Retrieves APIs of a hub for a question and measures whether the requested API is among them. */
import type { Toolkit } from "../../../source/engine/protocol.ts";
import { retrieved, usesToolkits } from "../../../source/engine/toolkits/toolkits-option.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import type { HubApi, HubData, Question } from "../data/catalogue.ts";
import { toolName } from "./environment.ts";
import { retrievedBySame, retrievedByUsual } from "./options.ts";

/** A hub with a search by shared words. */
export type SearchedHub = HubData & {
  readonly closest: (question: string, count: number) => readonly HubApi[];
};

type Spec = Pick<RunSpec, "options" | "strategy">;

/**
 * Returns the APIs for a question: documents for plain answers, functions to offer, or members of toolkits. `gold`
 * returns the entry of the requested call, or the closest entry if the catalogue lacks it (77 questions of Hugging
 * Face).
 */
function found(question: Question, hub: SearchedHub, spec: Spec, fallback: number): readonly HubApi[] {
  const { retrieve } = spec.options;
  if (retrieve === "all") return hub.apis;
  if (retrieve !== "gold") return hub.closest(question.question, retrieved(spec, fallback));
  const index = question.gold_catalogue_index;
  return index === null ? hub.closest(question.question, 1) : [hub.apis[index]!];
}

/** Returns the documents shown with a plain answer. */
export const shownApis = (question: Question, hub: SearchedHub, spec: Spec): readonly HubApi[] =>
  found(question, hub, spec, 0);

/** Returns the functions offered to a strategy that calls tools. */
export const offeredApis = (question: Question, hub: SearchedHub, spec: Spec): readonly HubApi[] =>
  found(question, hub, spec, spec.options["catalogue"] === "same" ? retrievedBySame : retrievedByUsual);

const groupedApis = (question: Question, hub: SearchedHub, spec: Spec): readonly HubApi[] =>
  spec.options["catalogue"] === "same" ? offeredApis(question, hub, spec) : hub.apis;

/** Restricts a hub's toolkits to the APIs available for the question. */
export function offeredToolkits(
  toolkits: readonly Toolkit[],
  question: Question,
  hub: SearchedHub,
  spec: Spec,
): readonly Toolkit[] {
  const apis = groupedApis(question, hub, spec);
  // Returns the same list for all questions, because derived facts are cached by list identity.
  if (apis === hub.apis) return toolkits;
  const names = new Set(apis.map(toolName));
  return toolkits.flatMap((toolkit) => {
    const tools = toolkit.tools.filter(({ name }) => names.has(name));
    return tools.length === 0 ? [] : [{ ...toolkit, tools }];
  });
}

/** Returns the maximum number of toolkits: one per API. */
export const mostToolkits = (question: Question, hub: SearchedHub, spec: Spec): number =>
  usesToolkits(spec) ? groupedApis(question, hub, spec).length : 0;

/** Counts the retrieved APIs and reports whether the requested call is among them; returns no metrics if no API was retrieved. */
export function retrieverMetrics(question: Question, hub: SearchedHub, spec: Spec): Readonly<Record<string, number>> {
  const find = spec.strategy === "direct" ? shownApis : usesToolkits(spec) ? groupedApis : offeredApis;
  const apis = find(question, hub, spec);
  if (apis.length === 0) return {};
  const recall = apis.some(({ api_call }) => api_call === question.gold_api_call);
  return { "retriever.recall": recall ? 1 : 0, "retriever.offered": apis.length };
}
