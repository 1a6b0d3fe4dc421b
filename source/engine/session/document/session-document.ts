/**
 * The session document: Markdown with `run`, `analysis` and `kinds` fences, optionally after front matter. Reading it and writing it
 * back gives the same bytes; changing one cell leaves all others unchanged.
 */
import type { SessionCell } from "../cell.ts";

/** A cell with the exact text around its source. `before + source + after` of all cells, in order, is the document. */
type Segment = SessionCell & { readonly before: string; readonly after: string };

export type SessionDocument = { readonly segments: readonly Segment[]; readonly nextId: number };

const opening = /^(`{3,}|~{3,})[ \t]*(run|analysis|kinds)(?:[ \t]([^`]*))?$/;
const frontOpening = /^---[ \t]*\r?\n$/;
const frontClosing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n)?$/;

/** Never fails: an unknown or unclosed fence is part of its note. */
export function readSession(text: string): SessionDocument {
  const segments: Segment[] = [];
  const lines = text.split(/(?<=\n)/);
  const closers = new Closers(lines);
  let note = "";
  let count = 0;
  const push = (segment: Omit<Segment, "id">) => segments.push({ id: `c${count++}`, ...segment });
  const front = frontMatterEnd(lines);
  if (front > 0)
    push({
      kind: "front-matter",
      name: "",
      before: lines[0]!,
      source: lines.slice(1, front).join(""),
      after: lines[front]!,
    });
  for (let index = front + 1; index < lines.length; index++) {
    const line = lines[index]!;
    const fence = opening.exec(line.replace(/\r?\n$/, "").trimEnd());
    const end = fence === null ? plainFenceEnd(lines, index, closers) : closers.after(index, fence[1]!);
    if (fence === null || end < 0) {
      // A fence of another kind is copied whole, so that a `run` fence shown inside it is not taken for a cell.
      const last = end < 0 ? index : end;
      note += lines.slice(index, last + 1).join("");
      index = last;
      continue;
    }
    const isBlank = note.trim() === "";
    if (!isBlank) push({ kind: "note", name: "", ...noteParts(note) });
    const before = isBlank ? note + line : line;
    note = "";
    const source = lines.slice(index + 1, end).join("");
    push({
      kind: fence[2] as "run" | "analysis" | "kinds",
      name: (fence[3] ?? "").trim(),
      before,
      source,
      after: lines[end]!,
    });
    index = end;
  }
  const last = segments.at(-1);
  if (note.trim() === "" && last !== undefined) segments[segments.length - 1] = { ...last, after: last.after + note };
  else if (note !== "") push({ kind: "note", name: "", ...noteParts(note) });
  return { segments, nextId: count };
}

/** Returns the index of the line that closes the front matter; -1 if the document does not start with front matter. */
function frontMatterEnd(lines: readonly string[]): number {
  if (!frontOpening.test(lines[0] ?? "")) return -1;
  return lines.findIndex((line, index) => index > 0 && frontClosing.test(line));
}

/** Blank lines at both ends of a note belong to the document, not to the text a person edits. */
function noteParts(text: string): { before: string; source: string; after: string } {
  const before = /^(?:[ \t]*\r?\n)*/.exec(text)![0];
  const rest = text.slice(before.length);
  const source = rest.trimEnd();
  return { before, source, after: rest.slice(source.length) };
}

/** Finds the lines that close fences. A missing closing line is searched for only once, because documents may be hostile. */
class Closers {
  readonly #lines: readonly string[];
  /** For each fence character, the shortest fence length that is known not to be closed below. */
  readonly #none = new Map<string, number>();

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Returns the index of the line that closes a fence opened in line `from`; -1 if there is none. */
  after(from: number, mark: string): number {
    if (mark.length >= (this.#none.get(mark[0]!) ?? Infinity)) return -1;
    for (let index = from + 1; index < this.#lines.length; index++) if (closes(this.#lines[index]!, mark)) return index;
    this.#none.set(mark[0]!, mark.length);
    return -1;
  }
}

function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === mark[0]!.repeat(text.length);
}

function plainFenceEnd(lines: readonly string[], from: number, closers: Closers): number {
  const mark = /^[ ]{0,3}(`{3,}|~{3,})/.exec(lines[from]!)?.[1];
  return mark === undefined ? -1 : closers.after(from, mark);
}

/**
 * Lists the fenced blocks of a note that look like cells but are not, each with its line in the document, because users would not
 * notice that they are not executed. A block inside another fence is an example.
 */
export function strayBlocks({ segments }: SessionDocument, note: string): readonly string[] {
  const at = segments.findIndex(({ id }) => id === note);
  const { before, source } = segments[at]!;
  if (!/^(?:suite|pane):/m.test(source)) return [];
  const lines = source.split("\n");
  const closers = new Closers(lines);
  const above = writeSession({ segments: segments.slice(0, at), nextId: 0 }) + before;
  const first = above.split("\n").length;
  const found: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const end = plainFenceEnd(lines, index, closers);
    if (end < 0) continue;
    const isYaml = /^[ ]{0,3}[`~]+[ \t]*(?:(?:ya?ml|run|analysis)\b.*)?\r?$/i.test(lines[index]!);
    const inside = lines.slice(index + 1, end).join("\n");
    const [, field] = /^(suite|pane):/m.exec(inside) ?? [];
    const isExample = /^[ ]{0,3}(?:`{3}|~{3})/m.test(inside);
    if (isYaml && !isExample && field !== undefined)
      found.push(
        `The block in line ${first + index} of the document has \`${field}:\` but is not a cell, so it has no effect: begin it with \`\`\`${field === "suite" ? "run" : "analysis"} NAME`,
      );
    index = end;
  }
  return found;
}

export const writeSession = (document: SessionDocument): string =>
  document.segments.map(({ before, source, after }) => before + source + after).join("");

/** Returns the first heading of the notes; undefined if there is no heading. */
export function sessionTitle(document: SessionDocument): string | undefined {
  for (const { kind, source } of document.segments) {
    const heading = kind === "note" ? /^#{1,6}[ \t]+(.+)$/m.exec(source) : null;
    if (heading !== null) return heading[1]!.trim();
  }
  return undefined;
}

/** Replaces the source of one cell. The fence grows if the new source contains a fence. */
export function editCell(document: SessionDocument, id: string, source: string): SessionDocument {
  const segments = document.segments.map((segment) => (segment.id === id ? edited(segment, source) : segment));
  return { ...document, segments };
}

function edited(segment: Segment, source: string): Segment {
  if (segment.kind === "note")
    return { ...segment, source: source.trimEnd(), after: segment.after === "" ? "\n" : segment.after };
  const text = source === "" || source.endsWith("\n") ? source : `${source}\n`;
  // Front matter cannot contain the line that ends it.
  if (segment.kind === "front-matter")
    return { ...segment, source: text.replace(/^(?:---|\.\.\.)(?=[ \t]*\r?$)/gm, "# $&") };
  const mark = /(`{3,}|~{3,})/.exec(segment.before)![0];
  if (!text.split("\n").some((line) => closes(line, mark))) return { ...segment, source: text };
  const longer = mark[0]!.repeat(
    Math.max(...[...text.matchAll(/^[ \t]*([`~]{3,})/gm)].map(([, run]) => run!.length)) + 1,
  );
  return {
    ...segment,
    source: text,
    before: segment.before.replace(mark, longer),
    after: segment.after.replace(mark, longer),
  };
}

/**
 * Inserts a new cell after another cell (at the start if `after` is undefined), with a blank line around it. Front matter always
 * stays first.
 */
export function insertCell(
  document: SessionDocument,
  cell: { readonly kind: SessionCell["kind"]; readonly name: string; readonly source: string },
  after: string | undefined,
): { readonly document: SessionDocument; readonly id: string } {
  const id = `c${document.nextId}`;
  const isFront = cell.kind === "front-matter";
  const hasFront = document.segments[0]?.kind === "front-matter";
  if (isFront && hasFront) throw new RangeError("Expected a session without front matter, got one with front matter");
  const behind = after === undefined ? 0 : document.segments.findIndex((segment) => segment.id === after) + 1;
  const index = isFront ? 0 : Math.max(behind, hasFront ? 1 : 0);
  const segments = [...document.segments];
  const previous = segments[index - 1];
  const last = index === segments.length;
  const blank =
    previous === undefined || /\n[ \t]*\r?\n$/.test(previous.before + previous.source + previous.after) ? "" : "\n";
  const head = previous !== undefined && !(previous.source + previous.after).endsWith("\n") ? `\n${blank}` : blank;
  segments.splice(index, 0, { id, ...cell, ...framed(cell, head, last) });
  return { document: { segments, nextId: document.nextId + 1 }, id };
}

function framed(
  cell: { readonly kind: SessionCell["kind"]; readonly name: string; readonly source: string },
  head: string,
  last: boolean,
) {
  const tail = last ? "\n" : "\n\n";
  if (cell.kind === "note") return { before: head, source: cell.source.trimEnd(), after: tail };
  const source = cell.source === "" || cell.source.endsWith("\n") ? cell.source : `${cell.source}\n`;
  if (cell.kind === "front-matter") return { before: "---\n", source, after: `---${tail}` };
  return {
    before: `${head}\`\`\`${cell.kind}${cell.name === "" ? "" : ` ${cell.name}`}\n`,
    source,
    after: `\`\`\`${tail}`,
  };
}

export function removeCell(document: SessionDocument, id: string): SessionDocument {
  return { ...document, segments: document.segments.filter((segment) => segment.id !== id) };
}

/** Exchanges a cell with its neighbour above (-1) or below (1); no cell moves above front matter. */
export function moveCell(document: SessionDocument, id: string, by: 1 | -1): SessionDocument {
  const index = document.segments.findIndex((segment) => segment.id === id);
  const other = index + by;
  if (index < 0 || other < 0 || other >= document.segments.length) return document;
  if (document.segments[Math.min(index, other)]!.kind === "front-matter") return document;
  const segments = [...document.segments];
  [segments[index], segments[other]] = [segments[other]!, segments[index]!];
  // Only a blank line separates a moved cell from its new neighbour.
  const apart = segments.map((segment, at) => (at < segments.length - 1 ? separated(segment) : segment));
  return { ...document, segments: apart };
}

function separated(segment: Segment): Segment {
  const text = segment.source + segment.after;
  if (/\n[ \t]*\r?\n$/.test(text)) return segment;
  return { ...segment, after: `${segment.after}${text.endsWith("\n") ? "\n" : "\n\n"}` };
}
