/** Looks for a suite's form inside the wrapping of a text. */
import type { TextForm } from "../../benchmark.ts";
import { parseJson } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";
import { frames } from "./frames.ts";
import { linePeelings, type Peeling, peelings } from "../../text/peelings.ts";

/** Returns the form that the official parser reads from a text; undefined if it reads no form. */
export type FormReading = (text: string) => TextForm | undefined;

export type Unwrapped = { readonly text: string; readonly layers: readonly string[]; readonly form: TextForm };

/** Maximum number of texts to examine, and of layers to remove, because hostile replies may have any number. */
const mostTexts = 120;
const mostLayers = 5;
/** Longer replies are no answers in a wrapping. */
const longest = 200_000;

/**
 * Returns the complete form inside a text after removing the fewest layers; undefined if the official parser reads the same form
 * from the unchanged text, or no form inside is complete.
 */
export function unwrapped(text: string, read: FormReading): Unwrapped | undefined {
  const form = read(text);
  const isOther = (found: Unwrapped) => isWhole(found.form) && found.form.got !== form?.got;
  for (const found of peeled(text, read, [marks, peelings, linePeelings])) if (isOther(found)) return found;
  // A form with its own end was read where it was meant to be.
  if (form?.extent === "closed") return undefined;
  for (const found of peeled(text, read, [frames])) if (isOther(found) && !isLess(found.form, form)) return found;
  return undefined;
}

/** Returns true if a form has fewer parts than a complete form: what was removed was no wrapping, but a part of the answer. */
function isLess({ got }: TextForm, whole: TextForm | undefined): boolean {
  if (whole === undefined || !isWhole(whole)) return false;
  const [inner, outer] = [parseJson(got), parseJson(whole.got)];
  return typeof inner === "object" && typeof outer === "object" && leavesIn(inner).length < leavesIn(outer).length;
}

const leavesIn = (value: Json): readonly Json[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesIn) : [value];

/** Returns true if the text contains the form with its own end, whatever text surrounds it. */
export function isClosedIn(text: string, read: FormReading): boolean {
  if (read(text)?.extent === "closed") return true;
  for (const { form } of peeled(text, read, [marks, peelings])) if (form.extent === "closed") return true;
  return false;
}

const isWhole = ({ extent }: TextForm) => extent !== "part";

/** Returns the inner texts with the form: first texts without removed words, then by the fewest removed layers. */
const peeled = (text: string, read: FormReading, kinds: readonly (readonly Peeling[])[]): Iterable<Unwrapped> =>
  text.length > longest ? [] : kinds.values().flatMap((all) => peeledBy(all, text, read));

const marks = peelings.filter(({ prose }) => prose !== true);

/** Removes layers of wrapping from a text that is or was inside a reply, each once; see `layersOf`. */
type Layers = (outer: string) => (peeling: Peeling) => string;

/** Maximum length of a reply whose layers are remembered, and of all such replies: a task may be scored while many others are. */
const longestKept = 20_000;
const mostKept = 4 * longestKept;
let keptLength = 0;
const kept = new Map<string, Layers>();

/** Returns the layers of a reply. Its score, its cause and its ending all need them, so each layer is removed only once. */
function layersOf(text: string): Layers {
  if (text.length > longestKept) return (outer) => (peeling) => peeling.peel(outer);
  const known = kept.get(text);
  if (known !== undefined) return known;
  const inside = new Map<string, ReturnType<Layers>>();
  const layers: Layers = (outer) => {
    const before = inside.get(outer);
    if (before !== undefined) return before;
    const inner = new Map<Peeling, string>();
    const peeled = (peeling: Peeling) => {
      const found = inner.get(peeling);
      if (found !== undefined) return found;
      const own = peeling.peel(outer);
      inner.set(peeling, own);
      return own;
    };
    inside.set(outer, peeled);
    return peeled;
  };
  kept.set(text, layers);
  keptLength += text.length;
  for (const oldest of kept.keys()) {
    if (keptLength <= mostKept) break;
    kept.delete(oldest);
    keptLength -= oldest.length;
  }
  return layers;
}

function* peeledBy(all: readonly Peeling[], text: string, read: FormReading): Generator<Unwrapped> {
  const layersIn = layersOf(text);
  const seen = new Set([text]);
  let layer: { readonly text: string; readonly layers: readonly string[] }[] = [{ text, layers: [] }];
  for (let depth = 0; depth < mostLayers; depth++) {
    const below: typeof layer = [];
    for (const { text: outer, layers } of layer) {
      const form = read(outer);
      const peeled = layersIn(outer);
      // Words are taken off only while they are in the way: a plan may have blank lines between its steps.
      const takesProse = form === undefined || form.extent === "part";
      for (const peeling of all) {
        const { name, prose = false } = peeling;
        if (prose && !takesProse) continue;
        const inner = peeled(peeling);
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
