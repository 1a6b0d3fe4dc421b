/** Writes a run cell's YAML from the form; comments, order and unknown fields of an existing cell stay. */
import { Document, isMap, isScalar, Scalar, type Node } from "yaml";
import { parseYaml } from "../../engine/text/yaml-document.ts";
import { isFields, sameValue, settingRank, settingSentAs } from "../../engine/run-settings.ts";
import type { SettingValue } from "../../engine/run-settings-rows.ts";
import { labelProblem, namedItems } from "../../engine/session/fields/named-values.ts";
import type { Json } from "../../engine/types.ts";
import { fieldOf, type FormValues, readValues } from "./form-values.ts";

const printing = { lineWidth: 0, flowCollectionPadding: false } as const;

/**
 * `previous` is the cell's YAML, or front matter with the fields in its field `within`; empty for a new cell. Returns it
 * unchanged, byte for byte, if no value differs.
 */
export function formSource(values: FormValues, previous = "", within?: string): string {
  const before = readValues(previous, within);
  const changed = [...values].filter(([name, own]) => !same(own, before.get(name)));
  const removed = [...before.keys()].filter((name) => !values.has(name));
  const isNew = within === undefined && previous.trim() === "";
  if (!isNew && changed.length === 0 && removed.length === 0) return previous;
  const parsed = parseYaml(previous);
  const document = isMap(parsed.contents) && parsed.errors.length === 0 ? parsed : new Document({});
  if (isMap(document.contents)) document.contents.flow = false;
  const base = within === undefined ? [] : [within];
  if (within !== undefined && !isMap(document.get(within, true))) document.set(within, document.createNode({}));
  const touched = new Set([...removed, ...changed.map(([name]) => name)]);
  const lifted = liftedSettings(document, base, touched);
  for (const name of removed) remove(document, pathOf(document, base, name));
  const written = [...values].filter(([name]) => touched.has(name) || lifted.has(name));
  for (const [name, own] of written.sort((one, other) => rank(one[0]) - rank(other[0]))) set(document, base, name, own);
  const text = document.toString(printing);
  return text.trim() === "{}" ? "" : text;
}

/**
 * Moves settings out of `request` if they or other fields of it were changed: as separate fields they can have several values.
 * Returns their names.
 */
function liftedSettings(
  document: Document,
  base: readonly string[],
  touched: ReadonlySet<string>,
): ReadonlySet<string> {
  const request = document.getIn([...base, "request"], true);
  const fields = isMap(request) ? request.items.map(({ key }) => String(key)) : [];
  const lifted = fields.flatMap((field) => {
    const name = settingSentAs(field)?.name;
    if (name === undefined || (!touched.has(name) && !touched.has("request"))) return [];
    remove(document, [...base, "request", field]);
    return [name];
  });
  return new Set(lifted);
}

const rank = (name: string): number => settingRank(fieldOf(name));

const same = (one: readonly SettingValue[], other: readonly SettingValue[] | undefined): boolean =>
  other !== undefined && one.length === other.length && one.every((value, at) => sameValue(value, other[at]));

/** Writes `clusters.k` into the field `clusters` if the cell has it, otherwise under the dotted name. */
function pathOf(document: Document, base: readonly string[], name: string): string[] {
  const dot = name.indexOf(".");
  if (dot < 0 || document.hasIn([...base, name])) return [...base, name];
  if (name.startsWith("budget.")) return [...base, ...name.split(".")];
  const group = [...base, name.slice(0, dot)];
  const isGroup = group.at(-1) === "filter" || isMap(document.getIn(group, true));
  return isGroup ? [...group, name.slice(dot + 1)] : [...base, name];
}

function set(document: Document, base: readonly string[], name: string, values: readonly SettingValue[]): void {
  const path = pathOf(document, base, name);
  const old = document.getIn(path, true) as Node | undefined;
  const node = document.createNode(namedAs(old, name, values, document) ?? yamlOf(values), { flow: true }) as Node;
  // A block scalar would be written below the field.
  if (isScalar(node) && /[\r\n]/.test(String(node.value))) node.type = Scalar.QUOTE_DOUBLE;
  if (isScalar(node) && isScalar(old)) {
    old.value = node.value;
    if (node.type !== undefined) old.type = node.type;
    return;
  }
  if (old?.comment) node.comment = old.comment;
  document.setIn(path, node);
}

/**
 * Returns several values under the names that they have in the cell, and new values under their texts; undefined if the cell
 * names none.
 */
function namedAs(old: Node | undefined, name: string, values: readonly SettingValue[], document: Document) {
  const items = isMap(old) ? namedItems(name, old.toJS(document) as Json) : [];
  if (values.length < 2 || !items.some((item) => item.name !== undefined)) return undefined;
  const named = values.map((value, at) => {
    const known = items.find(({ item }) => sameValue(item as SettingValue, value))?.name;
    const text = typeof value === "object" ? "" : String(value);
    return [known ?? (labelProblem(name, text) === undefined ? text : `value ${at + 1}`), value] as const;
  });
  return Object.fromEntries(named);
}

/** Writes several values as a list, a single value alone, and a list with one text as that text. */
function yamlOf(values: readonly SettingValue[]): SettingValue | readonly SettingValue[] {
  const [only = ""] = values;
  if (values.length !== 1) return values;
  return typeof only === "object" && !isFields(only) && only.length === 1 ? only[0]! : only;
}

function remove(document: Document, path: readonly string[]): void {
  document.deleteIn(path);
  // A group is removed with its last field.
  for (let depth = path.length - 1; depth > 0; depth--) {
    const group = document.getIn(path.slice(0, depth), true);
    if (isMap(group) && group.items.length === 0) document.deleteIn(path.slice(0, depth));
  }
}
