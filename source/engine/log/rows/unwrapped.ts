/** Looks for a suite's form inside the wrapping of a text. */
import type { TextForm } from "../../benchmark.ts";
import { parseJson } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";
import { fewWords, frames, guesses, repetitions } from "./frames.ts";
import { inPlainWidth, linePeelings, type Peeling, peelings } from "../../text/peelings.ts";

/** Returns the form that the official parser reads from a text; undefined if it reads no form. */
export type FormReading = (text: string) => TextForm | undefined;

export type Unwrapped = { readonly text: string; readonly layers: readonly string[]; readonly form: TextForm };

/** Maximum number of texts to examine, and of layers to remove, because hostile replies may have any number. */
const mostTexts = 120;
const mostLayers = 5;
const mostRounds = 4;
const mostBlocks = 12;
const mostSpans = 20;
/** Longer replies are no answers in a wrapping. */
const longest = 200_000;

/**
 * Returns the complete form inside a text after removing the fewest named layers; undefined if the official parser reads the same
 * form from the unchanged text, or no form inside is complete.
 */
export const unwrapped = (text: string, read: FormReading): Unwrapped | undefined => unpeeled(text, read).next().value;

/** Returns all complete forms inside a text after removing named layers, each form once. */
export function unpeeled(text: string, read: FormReading): IteratorObject<Unwrapped, undefined> {
  const form = read(text);
  return inside(text, read, form, form?.isAll === true ? [inner] : [marks, peelings, linePeelings]);
}

/**
 * Returns the complete forms inside a text after removing general layers, each form once. Removing such a layer may take a part of
 * the answer away, so that a caller needs another reason to call the layer a wrapping. `isScored`: each form is scored by the
 * caller, so that layers that words of an answer resemble are removed, too.
 */
export function unframed(text: string, read: FormReading, isScored: boolean): IteratorObject<Unwrapped, undefined> {
  const form = read(text);
  // A form with its own end was read where it was meant to be.
  if (form?.extent === "closed") return [].values();
  const kinds = form?.isAll === true ? [] : isScored ? [frames, [...guesses, ...frames], fewWords] : [frames];
  return inside(text, read, form, isScored ? [repetitions, ...kinds] : kinds, form?.isAll !== true);
}

/** Returns the complete forms that differ from the text's own and lack no part of it, each once. */
function inside(
  text: string,
  read: FormReading,
  form: TextForm | undefined,
  kinds: readonly (readonly Peeling[])[],
  takesSpans = false,
): IteratorObject<Unwrapped, undefined> {
  const seen = new Set<string>();
  return peeled(text, read, kinds, takesSpans).filter((found) => {
    const { got } = found.form;
    if (seen.has(got) || !isOther(found.form, form, text) || isLess(found, form, text, read)) return false;
    seen.add(got);
    return true;
  });
}

/** Returns true if a form is complete and differs from the form that the unchanged text has. */
function isOther(found: TextForm, form: TextForm | undefined, text: string): boolean {
  if (!isWhole(found) || found.got === form?.got) return false;
  // Wide marks are ordinary among the letters of scripts that have them.
  const isOrdinary = form !== undefined && isWhole(form) && wideScript.test(text);
  return !isOrdinary || inPlainWidth(found.got) !== inPlainWidth(form.got);
}

const wideScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Returns true if a form inside a text has fewer parts than the text, and what was removed has parts, too: that was no wrapping, but
 * a part of the answer. Copies of the text inside are none.
 */
function isLess(found: Unwrapped, form: TextForm | undefined, text: string, read: FormReading): boolean {
  const rest = text.replaceAll(found.text, "\n").trim();
  if (rest === "") return false;
  if (form === undefined) return hasLabelOf(rest, found.text, rest === text.trim());
  return partsOf(found.form) < partsOf(form) && (partsOf(read(rest)) > 0 || hasLabelOf(rest, found.text));
}

/** Matches the beginning of a line that names what follows: `Lunch:`. */
const lineLabel = /^[\p{L}_][\p{L}\p{N}_ ]{0,40}:/gmu;

/** Returns true if lines of this rest have the label of a line inside; `isMore`: more of them than inside. */
function hasLabelOf(rest: string, inside: string, isMore = false): boolean {
  const [own, others] = [inside.match(lineLabel) ?? [], rest.match(lineLabel) ?? []];
  const count = (labels: readonly string[], label: string) => labels.filter((one) => one === label).length;
  return [...new Set(own)].some((label) => count(others, label) > (isMore ? count(own, label) : 0));
}

/** Returns the number of parts that a form has, or of values in JSON if it is complete; 0 if neither is known. */
function partsOf(form: TextForm | undefined): number {
  if (form === undefined || form.parts !== undefined || !isWhole(form)) return form?.parts ?? 0;
  const value = parseJson(form.got);
  return typeof value === "object" ? leavesIn(value) : 0;
}

const leavesIn = (value: Json): number =>
  typeof value !== "object" || value === null
    ? 1
    : Object.values(value).reduce<number>((sum, each) => sum + leavesIn(each as Json), 0);

/** Returns true if the text contains the form with its own end, whatever text surrounds it. */
export function isClosedIn(text: string, read: FormReading): boolean {
  if (read(text)?.extent === "closed") return true;
  for (const { form } of peeled(text, read, [marks, peelings])) if (form.extent === "closed") return true;
  return false;
}

const isWhole = ({ extent }: TextForm) => extent !== "part";

/** Returns the inner texts with the form: first texts without removed words, then by the fewest removed layers. */
function peeled(
  text: string,
  read: FormReading,
  kinds: readonly (readonly Peeling[])[],
  takesSpans = false,
): IteratorObject<Unwrapped> {
  if (text.length > longest) return [].values();
  const known = new Map<string, TextForm | undefined>();
  const readOnce = (inner: string) => {
    if (!known.has(inner)) known.set(inner, read(inner));
    return known.get(inner);
  };
  const layersIn = layersOf(text);
  const whole = { text, layers: [] };
  const bareOnce = (outer: Inner) => bare(outer, readOnce, layersIn);
  return kinds.values().flatMap((all) => {
    const starts = [() => [whole], () => [bareOnce(whole)], () => spansOf(text).map(bareOnce)];
    const tried = starts.slice(0, takesSpans ? (all === frames ? 3 : 2) : 1);
    return tried.values().flatMap((some) => peeledBy(all, some(), readOnce, layersIn));
  });
}

type Inner = Pick<Unwrapped, "text" | "layers">;

/** Returns a text without any of its marks, one inside another. */
function bare(outer: Inner, read: FormReading, layersIn: Layers): Inner {
  let { text, layers } = outer;
  for (let round = 0; round < mostRounds; round++) {
    const before = text;
    for (const peeling of marks) {
      const inner = layersIn(text)(peeling);
      if (inner === text || inner.trim() === "" || (read(text) !== undefined && read(inner) === undefined)) continue;
      text = inner;
      if (!layers.includes(peeling.name)) layers = [...layers, peeling.name];
    }
    if (text === before) break;
  }
  return { text, layers };
}

/** Between the blocks of a text are blank lines, lines of signs alone, and marks of turns. */
const blockEnd = /\n(?:[^\p{L}\p{N}()[\]{}\n]*\n)+|<\|[^<>|\n]{1,40}\|>/gu;

/** Returns the longest runs of blocks of a text. */
function spansOf(text: string): readonly Inner[] {
  const ends = [...text.matchAll(blockEnd).take(mostBlocks)];
  const from = [0, ...ends.map(({ 0: end, index }) => index + end.length)];
  const to = [...ends.map(({ index }) => index), text.length];
  const runs = from.flatMap((start, at) =>
    to.slice(at).map((end) =>
      text
        .slice(start, end)
        .replace(/^\s*\n/, "")
        .trimEnd(),
    ),
  );
  return [...new Set(runs)]
    .filter((run) => run !== "" && run !== text)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, mostSpans)
    .map((run) => ({ text: run, layers: ["surrounding prose"] }));
}

const marks = peelings.filter(({ prose }) => prose !== true);
/** Layers inside of a form. */
const inner = peelings.filter(({ name }) => ["line endings", "characters", "escapes"].includes(name));

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

function* peeledBy(
  all: readonly Peeling[],
  starts: readonly Inner[],
  read: FormReading,
  layersIn: Layers,
): Generator<Unwrapped> {
  const seen = new Set(starts.map(({ text }) => text));
  for (const start of starts) {
    const form = read(start.text);
    if (form !== undefined) yield { ...start, form };
  }
  let layer = starts;
  for (let depth = 0; depth < mostLayers; depth++) {
    const below: Inner[] = [];
    for (const { text: outer, layers } of layer) {
      const form = read(outer);
      const peeled = layersIn(outer);
      // Words are taken off only while they are in the way: a plan may have blank lines between its steps.
      const takesProse = form === undefined || form.extent === "part";
      for (const peeling of all) {
        const { name, prose = false, keepsParts = false } = peeling;
        if (prose && !takesProse) continue;
        const inner = peeled(peeling);
        if (inner === outer || inner.trim() === "" || seen.has(inner)) continue;
        if (seen.size >= mostTexts) return;
        seen.add(inner);
        const off = layers.includes(name) ? layers : [...layers, name];
        const found = read(inner);
        // What no longer has the form was no wrapping around it.
        if (form !== undefined && found === undefined) continue;
        if (keepsParts && partsOf(found) < Math.max(1, partsOf(form))) continue;
        below.push({ text: inner, layers: off });
        if (found !== undefined) yield { text: inner, layers: off, form: found };
      }
    }
    // What has the most parts of the form is the nearest to the answer.
    layer = below.toSorted((one, other) => (read(other.text)?.parts ?? 0) - (read(one.text)?.parts ?? 0));
  }
}
