/** Looks for a suite's form inside the wrapping of a text. */
import type { TextForm } from "../../benchmark.ts";
import { type Peeling, peelings } from "../../text/peelings.ts";

/** Says what the official reading gets out of a text; undefined if it gets nothing. */
export type FormReading = (text: string) => TextForm | undefined;

export type Unwrapped = { readonly text: string; readonly layers: readonly string[]; readonly form: TextForm };

/** Most texts that are looked at, and layers that are taken off: hostile replies have as many as they like. */
const mostTexts = 80;
const mostLayers = 5;
/** Longer replies are no answers in a wrapping. */
const longest = 200_000;

/**
 * Returns the whole form inside a text, with the fewest layers taken off; undefined if the official reading gets the same
 * from the text as it is, or no text inside is whole.
 */
export function unwrapped(text: string, read: FormReading): Unwrapped | undefined {
  const got = read(text)?.got;
  for (const found of peeled(text, read)) if (isWhole(found.form) && found.form.got !== got) return found;
  return undefined;
}

/** Reports whether the form is in the text with its own end, whatever stands around it. */
export function isClosedIn(text: string, read: FormReading): boolean {
  if (read(text)?.extent === "closed") return true;
  for (const { form } of peeled(text, read)) if (form.extent === "closed") return true;
  return false;
}

const isWhole = ({ extent }: TextForm) => extent !== "part";

/** Returns the texts inside that have the form: first those that need no words taken off, with the fewest layers off. */
const peeled = (text: string, read: FormReading): Iterable<Unwrapped> =>
  text.length > longest ? [] : [marks, peelings].values().flatMap((all) => peeledBy(all, text, read));

const marks = peelings.filter(({ prose }) => prose !== true);

function* peeledBy(all: readonly Peeling[], text: string, read: FormReading): Generator<Unwrapped> {
  const seen = new Set([text]);
  let layer: { readonly text: string; readonly layers: readonly string[] }[] = [{ text, layers: [] }];
  for (let depth = 0; depth < mostLayers && layer.length > 0; depth++) {
    const below: typeof layer = [];
    for (const { text: outer, layers } of layer) {
      const form = read(outer);
      // Words are taken off only while they are in the way: a plan may have blank lines between its steps.
      const takesProse = form === undefined || form.extent === "part";
      for (const { name, prose = false, peel } of all) {
        if (prose && !takesProse) continue;
        const inner = peel(outer);
        if (inner === outer || inner.trim() === "" || seen.has(inner)) continue;
        if (seen.size >= mostTexts) return;
        seen.add(inner);
        const off = layers.includes(name) ? layers : [...layers, name];
        below.push({ text: inner, layers: off });
        const found = read(inner);
        if (found !== undefined) yield { text: inner, layers: off, form: found };
      }
    }
    layer = below;
  }
}
