/** Labels of runs: the distinguishing values, joined by a separator. */
import { separator as between, signs } from "../../look/signs.ts";

/** Returns one label of several values. */
export const joinedLabel = (parts: readonly string[]): string => parts.join(between);

/** Returns the values of a label. */
export const partsOfLabel = (label: string): readonly string[] => label.split(between);

/** Returns a label as cells of older notebooks write it. */
export const formerLabel = (label: string): string => label.replaceAll(between, ", ");

/** Most characters of a text in a label. */
const longest = 24;

/** Returns the start of a text for a label, because a label must not contain a whole text or a comma. */
export function textLabel(text: string): string {
  const line = text
    .trim()
    .replaceAll(signs.dot, " ")
    .replaceAll(/[\s,]+/g, " ");
  return `"${line.slice(0, longest).trim()}${signs.more}"`;
}

/** Returns `slips(50 %)` for `builtin/slips?rate=0.5&pace=8`: how fast a built-in model answers changes no result. */
export function briefModel(model: string): string {
  if (!model.startsWith("builtin/")) return model;
  const [name = "", query = ""] = model.slice("builtin/".length).split("?");
  const given = query.split("&").flatMap((part) => {
    const [key = "", value = ""] = part.split("=");
    if (key === "" || key === "pace") return [];
    if (key !== "rate") return [`${key} ${value}`];
    // Labels of older notebooks continue after a comma.
    const percent = Number((Number(value) * 100).toPrecision(12));
    return [Number.isNaN(percent) ? value : `${percent} %`];
  });
  return given.length === 0 ? name : `${name}(${given.join(", ")})`;
}
