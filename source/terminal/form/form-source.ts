/** A run cell's YAML from what the form holds: comments, order and unknown fields of an existing cell stay. */
import { Document, isMap, isScalar, parseDocument } from "yaml";
import type { Node } from "yaml";
import { type FormValues, type Value, readValues } from "./form-values.ts";

const printing = { lineWidth: 0, flowCollectionPadding: false } as const;

/** The order in which a new cell is written; what is not named here comes before `limit`. */
const order = [
  "suite",
  "split",
  "data",
  "strategy",
  "*",
  "shots",
  "model",
  "actor",
  "responder",
  "judge",
  "predictions",
  "temperature",
  "topP",
  "maxTokens",
  "limit",
  "seed",
  "trial",
  "filter",
  "budget",
];

/** `previous` is the cell's YAML; empty for a new cell. Where nothing differs it comes back unchanged, byte for byte. */
export function formSource(values: FormValues, previous = ""): string {
  const before = readValues(previous);
  const changed = [...values].filter(([name, own]) => !same(own, before.get(name)));
  const removed = [...before.keys()].filter((name) => !values.has(name));
  if (previous.trim() !== "" && changed.length === 0 && removed.length === 0) return previous;
  const parsed = parseDocument(previous);
  const document = isMap(parsed.contents) && parsed.errors.length === 0 ? parsed : new Document({});
  if (isMap(document.contents)) document.contents.flow = false;
  for (const name of removed) remove(document, name);
  for (const [name, own] of changed.sort((one, other) => rank(one[0]) - rank(other[0]))) set(document, name, own);
  return document.toString(printing);
}

function rank(name: string): number {
  const [group = ""] = name.split(".", 1);
  const index = order.indexOf(group === "filter" || group === "budget" ? group : name);
  return index < 0 ? order.indexOf("*") : index;
}

function same(one: readonly Value[], other: readonly Value[] | undefined): boolean {
  return other !== undefined && one.length === other.length && one.every((value, index) => value === other[index]);
}

/** `clusters.k` lies within `clusters` where the cell has that, and stands by itself where it does not. */
function pathOf(document: Document, name: string): string[] {
  const dot = name.indexOf(".");
  if (dot < 0 || document.has(name)) return [name];
  if (name.startsWith("budget.")) return name.split(".");
  const group = name.slice(0, dot);
  return group === "filter" || isMap(document.get(group, true)) ? [group, name.slice(dot + 1)] : [name];
}

function set(document: Document, name: string, values: readonly Value[]): void {
  const path = pathOf(document, name);
  const old = document.getIn(path, true) as Node | undefined;
  if (values.length === 1 && isScalar(old)) {
    old.value = values[0];
    return;
  }
  const node = document.createNode(values.length === 1 ? values[0] : [...values], { flow: true }) as Node;
  if (old?.comment) node.comment = old.comment;
  document.setIn(path, node);
}

function remove(document: Document, name: string): void {
  const path = pathOf(document, name);
  document.deleteIn(path);
  // A group goes with the last field in it.
  for (let depth = path.length - 1; depth > 0; depth--) {
    const group = document.getIn(path.slice(0, depth), true);
    if (isMap(group) && group.items.length === 0) document.deleteIn(path.slice(0, depth));
  }
}
