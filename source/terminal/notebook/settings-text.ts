import { parseYaml, yamlValue } from "../../engine/text/yaml-document.ts";

/** Fields whose values say themselves what they are; they come first, in this order. */
const plain = ["suite", "split", "data", "strategy", "model"];

/**
 * A run cell's settings in one line: `appbench mm builtin/slips  prompting hierarchical|flat  limit 50`. Values of a grid stand beside
 * each other; nothing for a text that is no map.
 */
export function settingsText(source: string): string {
  const document = parseYaml(source);
  if (document.errors.length > 0) return "";
  let fields: unknown;
  try {
    fields = yamlValue(document);
  } catch {
    return "";
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return "";
  const given = new Map(Object.entries(fields));
  const first = plain.flatMap((name) => (given.has(name) ? [valueText(given.get(name))] : [])).join(" ");
  const rest = [...given].flatMap(([name, value]) => (plain.includes(name) ? [] : [`${name} ${valueText(value)}`]));
  return [first, ...rest].filter((text) => text !== "").join("  ");
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join("|");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
