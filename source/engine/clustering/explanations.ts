/** What every API does, in a sentence or two by a model: the texts that are embedded. Kept on disk, so that nothing is asked twice. */
import { createHash } from "node:crypto";
import { appendFile, mkdir } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Json, Message } from "../types.ts";
import type { LibraryApi } from "./library.ts";
import type { AskModel } from "./toolkits.ts";

export type ExplainOptions = {
  /** The model's name: explanations of different models are kept apart. */
  readonly model: string;
  readonly ask: AskModel;
  /** JSON Lines file of explanations by content hash; made when absent, only ever added to. */
  readonly cache: string;
  readonly signal: AbortSignal;
  /** Requests at a time, 4 by default. */
  readonly width?: number;
  readonly progress?: (done: number, total: number) => void;
};

/** Longest part of an API's documentation a request shows, in characters. */
const longestDocument = 4000;

/** The library with the description of every API as its explanation: what there is when no model is to be asked. */
export function explainByDescription(apis: readonly LibraryApi[]): LibraryApi[] {
  return apis.map((api) => ({
    ...api,
    functionality: api.api_dest.desc || api.api_dest.package_desc || api.api_dest.name,
  }));
}

/**
 * The library with explanations by a model. Those in the cache are taken from it; every new one is written there as soon
 * as it came, so that a stopped run goes on where it was. An empty reply is not kept: the description stands in.
 */
export async function explain(apis: readonly LibraryApi[], options: ExplainOptions): Promise<LibraryApi[]> {
  const { model, ask, cache, signal, width = 4, progress } = options;
  const known = readCache(cache);
  const described = explainByDescription(apis);
  const explained: LibraryApi[] = [...described];
  await mkdir(dirname(cache), { recursive: true });
  let next = 0;
  let done = 0;
  const take = async () => {
    while (next < apis.length) {
      signal.throwIfAborted();
      const index = next++;
      const messages = explanationPrompt(apis[index]!);
      const key = keyOf(model, messages);
      let text = known.get(key);
      if (text === undefined) {
        text = (await ask(messages, signal)).trim();
        if (text !== "") await appendFile(cache, `${JSON.stringify({ key, functionality: text })}\n`);
        if (text !== "") known.set(key, text);
      }
      if (text !== "") explained[index] = { ...apis[index]!, functionality: text };
      progress?.(++done, apis.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, take));
  return explained;
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
  const shown = ["method", "url", "required_parameters", "optional_parameters"];
  return Object.fromEntries(Object.entries(doc).filter(([field]) => shown.includes(field)));
}

function keyOf(model: string, messages: readonly Message[]): string {
  return createHash("sha256")
    .update(JSON.stringify([model, messages]))
    .digest("hex");
}

/** Lines that cannot be read (the last one of a run that was cut off) are left out: they will be asked for again. */
function readCache(path: string): Map<string, string> {
  const known = new Map<string, string>();
  if (!existsSync(path)) return known;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    try {
      const value = JSON.parse(line) as { key?: unknown; functionality?: unknown } | null;
      if (typeof value?.key === "string" && typeof value.functionality === "string")
        known.set(value.key, value.functionality);
    } catch {
      continue;
    }
  }
  return known;
}
