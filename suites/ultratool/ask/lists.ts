/** Lists as models are shown them, and as perfect answers write them. */
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import type { Json } from "../../../source/engine/types.ts";

/** How lists are put into the prompt: `python`, as published, with single quotes; or `json`. It changes what models answer. */
export type ListForm = "python" | "json";

export function listForm(options: Readonly<Record<string, string | number>>): ListForm {
  return options["lists"] === "json" ? "json" : "python";
}

export function shownList(value: Json, lists: ListForm): string {
  const json = JSON.stringify(value);
  return lists === "json" ? json : pythonRepr(parseJsonAsPython(json));
}
