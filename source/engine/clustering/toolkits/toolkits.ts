/** Toolkits: the clusters of a library, each with a description of its purpose. */
import { promptMessages } from "../../settings/prompt-template.ts";
import type { Message } from "../../types.ts";
import { askAll, requestCount } from "./reply-cache.ts";
import type { Asking } from "../../clusters.ts";
import type { LibraryApi } from "./library.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { wordsOf } from "../embedding/words.ts";
import { describePrompts, type ClusterPrompts } from "./cluster-prompts.ts";

export type ApiToolkit = {
  readonly id: number;
  readonly description: string;
  readonly apis: readonly LibraryApi[];
};

/** Number of APIs listed in the prompt for one toolkit; further APIs are only counted. */
const mostListed = 60;
/** Words in a lexical description. */
const termCount = 6;

/**
 * Groups the APIs by label (0, 1, 2, ...). Descriptions are the most characteristic words; see `describeToolkits` for better
 * ones. Yields to the event loop.
 */
export async function toolkits(apis: readonly LibraryApi[], labels: ArrayLike<number>): Promise<ApiToolkit[]> {
  if (labels.length !== apis.length) {
    throw new RangeError(`Expected one label for each of ${apis.length} APIs, got ${labels.length}`);
  }
  const groups = Map.groupBy(apis, (_, index) => labels[index]!);
  const yieldIfDue = eventLoopYielder();
  const words = new Map<LibraryApi, ReadonlySet<string>>();
  for (const api of apis) {
    words.set(api, new Set(wordsOf(`${api.api_dest.name} ${api.functionality}`)));
    await yieldIfDue();
  }
  const everywhere = frequencies(words.values());
  const found: ApiToolkit[] = [];
  for (const [id, members] of [...groups].sort(([a], [b]) => a - b)) {
    const own = frequencies(members.map((api) => words.get(api)!));
    found.push({ id, apis: members, description: describe(own, members.length, everywhere, apis.length) });
    await yieldIfDue();
  }
  return found;
}

/** Returns the toolkits in a library file, with their descriptions if present; APIs without a toolkit are omitted. */
export async function toolkitsIn(library: readonly LibraryApi[]): Promise<ApiToolkit[]> {
  const apis = library.filter(({ toolkit }) => toolkit >= 0);
  const found = await toolkits(
    apis,
    apis.map(({ toolkit }) => toolkit),
  );
  return found.map((one) => ({ ...one, description: one.apis[0]!.toolkit_fun || one.description }));
}

/**
 * Requests a description of every toolkit from a model, one request each, cached by `askAll`. After an empty reply the
 * description stays.
 */
export async function describeToolkits(
  all: readonly ApiToolkit[],
  asking: Asking,
  prompts?: ClusterPrompts,
): Promise<ApiToolkit[]> {
  const replies = await askAll(
    all.map((toolkit) => toolkitPrompt(toolkit, prompts)),
    asking,
  );
  return all.map((toolkit, index) => (replies[index] === "" ? toolkit : { ...toolkit, description: replies[index]! }));
}

/** Returns the number of requests for descriptions that are not cached. */
export const descriptionRequests = async (all: readonly ApiToolkit[], asking: Pick<Asking, "model" | "cache">) =>
  requestCount(
    all.map((toolkit) => toolkitPrompt(toolkit)),
    asking,
  );

/** Returns the library with toolkit and description set on every API, in the order of `apis`. */
export function libraryOf(apis: readonly LibraryApi[], all: readonly ApiToolkit[]): LibraryApi[] {
  const homes = new Map<LibraryApi, ApiToolkit>();
  for (const toolkit of all) for (const api of toolkit.apis) homes.set(api, toolkit);
  return apis.map((api) => {
    const home = homes.get(api);
    return home === undefined ? api : { ...api, toolkit: home.id, toolkit_fun: home.description };
  });
}

/** Returns one API in the list of a toolkit's APIs. */
const apiLine = ({ api_dest, functionality, id }: LibraryApi): string =>
  `[API${id} ${api_dest.type_name}.${api_dest.package_name}.${api_dest.name}, Functionality: ${functionality}]`;

function toolkitPrompt({ apis }: ApiToolkit, prompts: ClusterPrompts = {}): readonly Message[] {
  return promptMessages({ prompts }, describePrompts, {
    apis: apis.slice(0, mostListed).map(apiLine).join("\n"),
    others: apis.length > mostListed ? `\n(and ${apis.length - mostListed} more like these)` : "",
  });
}

/** Returns the number of APIs that contain each word. */
function frequencies(apis: Iterable<ReadonlySet<string>>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of apis) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Returns the words that are frequent in a toolkit and rare elsewhere. */
function describe(own: ReadonlyMap<string, number>, members: number, all: ReadonlyMap<string, number>, total: number) {
  const weights = [...own].map(([word, count]) => ({
    word,
    weight: (count / members) * Math.log((1 + total) / all.get(word)!),
  }));
  weights.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  const terms = weights.slice(0, termCount).map(({ word }) => word);
  return terms.length === 0 ? "APIs without a description" : `APIs about ${terms.join(", ")}`;
}
