/** What every API does, in a sentence or two by a model: the texts that are embedded. */
import type { Json, Message } from "../../types.ts";
import { askAll, unanswered, type Asking } from "./kept-replies.ts";
import type { LibraryApi } from "./library.ts";

/** Longest part of an API's documentation a request shows, in characters. */
const longestDocument = 4000;

/** The library with the description of every API as its explanation: what there is when no model is to be asked. */
export function explainByDescription(apis: readonly LibraryApi[]): LibraryApi[] {
  return apis.map((api) => ({
    ...api,
    functionality: api.api_dest.desc || api.api_dest.package_desc || api.api_dest.name,
  }));
}

/** The library with explanations by a model, kept as `askAll` says. Where the model says nothing the description stands in. */
export async function explain(apis: readonly LibraryApi[], asking: Asking): Promise<LibraryApi[]> {
  const replies = await askAll(apis.map(explanationPrompt), asking);
  return explainByDescription(apis).map((api, index) =>
    replies[index] === "" ? api : { ...api, functionality: replies[index]! },
  );
}

/** Requests that explaining takes, those already kept left out. */
export async function unexplained(
  apis: readonly LibraryApi[],
  asking: Pick<Asking, "model" | "cache">,
): Promise<number> {
  return unanswered(apis.map(explanationPrompt), asking);
}

function explanationPrompt({ api_dest, api_doc }: LibraryApi): Message[] {
  const { name, package_name, type_name, desc, package_desc } = api_dest;
  return [
    {
      role: "system",
      content:
        "You are shown one API: its name, what its publisher says about it, and its documentation. State in one or two sentences what the API does. Leave out greetings, advice and anything that is not in the material. Answer with the statement alone.",
    },
    {
      role: "user",
      content: [
        `API: ${name}`,
        `Package: ${package_name} (${type_name}). ${package_desc}`,
        `Description: ${desc}`,
        `Documentation: ${JSON.stringify(documentOf(api_doc)).slice(0, longestDocument)}`,
      ].join("\n"),
    },
  ];
}

/** Method, address and parameters; recorded example responses only cost tokens. */
function documentOf(doc: Json): Json {
  if (typeof doc !== "object" || doc === null || Array.isArray(doc)) return doc;
  const shown = ["method", "url", "api_call", "required_parameters", "optional_parameters"];
  return Object.fromEntries(Object.entries(doc).filter(([field]) => shown.includes(field)));
}
