/** Explanations of APIs, a sentence or two each by a model, as texts for embedding. */
import { promptMessages } from "../../settings/prompt-template.ts";
import type { Json, Message } from "../../types.ts";
import { explainPrompts, type ClusterPrompts } from "./cluster-prompts.ts";
import { askAll, requestCount } from "./reply-cache.ts";
import type { Asking } from "../../clusters.ts";
import type { LibraryApi } from "./library.ts";

/** Maximum number of characters of an API's documentation in a prompt. */
const longestDocument = 4000;

/** Returns the library with the description of every API as its explanation; used without a model. */
export function explainByDescription(apis: readonly LibraryApi[]): LibraryApi[] {
  return apis.map((api) => ({
    ...api,
    functionality: api.api_dest.desc || api.api_dest.package_desc || api.api_dest.name,
  }));
}

/** Returns the library with explanations by a model, cached by `askAll`. After an empty reply the description is used. */
export async function explain(
  apis: readonly LibraryApi[],
  asking: Asking,
  prompts?: ClusterPrompts,
): Promise<LibraryApi[]> {
  const replies = await askAll(
    apis.map((api) => explanationPrompt(api, prompts)),
    asking,
  );
  return explainByDescription(apis).map((api, index) =>
    replies[index] === "" ? api : { ...api, functionality: replies[index]! },
  );
}

/** Returns the number of requests for explanations that are not cached. */
export const explanationRequests = async (apis: readonly LibraryApi[], asking: Pick<Asking, "model" | "cache">) =>
  requestCount(
    apis.map((api) => explanationPrompt(api)),
    asking,
  );

function explanationPrompt({ api_dest, api_doc }: LibraryApi, prompts: ClusterPrompts = {}): readonly Message[] {
  const { name, package_name, type_name, desc, package_desc } = api_dest;
  return promptMessages({ prompts }, explainPrompts, {
    name,
    package: package_name,
    category: type_name,
    about_package: package_desc,
    description: desc,
    documentation: JSON.stringify(documentOf(api_doc)).slice(0, longestDocument),
  });
}

/** Returns method, URL and parameters; example responses are omitted to save tokens. */
function documentOf(doc: Json): Json {
  if (typeof doc !== "object" || doc === null || Array.isArray(doc)) return doc;
  const shown = ["method", "url", "api_call", "required_parameters", "optional_parameters"];
  return Object.fromEntries(Object.entries(doc).filter(([field]) => shown.includes(field)));
}
