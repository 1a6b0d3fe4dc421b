/**
 * Parses simple Markdown into blocks for drawing: headings, paragraphs, lists, quotes, tables, code and rules; emphasis within a
 * line. Links, pictures and HTML have no effect.
 */

/** Part of a line; `mark` is its emphasis. The words of a link are followed by its target, as text. */
export type Emphasised = { readonly text: string; readonly mark?: "strong" | "emphasis" | "code" | "link" | "target" };

export type MarkdownBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly parts: readonly Emphasised[] }
  /** `sign` is empty for an item without a number. */
  | { readonly kind: "item"; readonly indent: number; readonly sign: string; readonly parts: readonly Emphasised[] }
  | { readonly kind: "quote"; readonly text: string }
  /** `lines` are its source lines. */
  | { readonly kind: "table"; readonly table: MarkdownTable; readonly lines: readonly string[] }
  /** Verbatim text: text between fences, or one line that is indented or looks like a table. */
  | { readonly kind: "code"; readonly lines: readonly string[]; readonly fenced: boolean }
  | { readonly kind: "rule" }
  | { readonly kind: "blank" };

/** Joins the lines of a paragraph; joins several blank lines, and drops blank lines at the end. */
export function markdownBlocks(source: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let paragraph: string[] = [];
  let fenced: string[] | undefined;
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", parts: emphasised(paragraph.join(" ")) });
    paragraph = [];
  };
  const lines = source.split("\n").map((line) => line.trimEnd());
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index]!;
    if (isFence(text)) {
      flush();
      if (fenced !== undefined && fenced.length > 0) blocks.push({ kind: "code", lines: fenced, fenced: true });
      fenced = fenced === undefined ? [] : undefined;
      continue;
    }
    if (fenced !== undefined) {
      fenced.push(text);
      continue;
    }
    const table = tableAt(lines, index);
    if (table !== undefined) {
      flush();
      const own = lines.slice(index, index + table.rows.length + 2);
      blocks.push({ kind: "table", table, lines: own });
      index += own.length - 1;
      continue;
    }
    const block = lineBlock(text);
    if (block === undefined) {
      paragraph.push(text.trim());
      continue;
    }
    flush();
    if (block.kind === "blank" && (blocks.length === 0 || blocks.at(-1)!.kind === "blank")) continue;
    blocks.push(block);
  }
  flush();
  if (fenced !== undefined && fenced.length > 0) blocks.push({ kind: "code", lines: fenced, fenced: true });
  while (blocks.at(-1)?.kind === "blank") blocks.pop();
  return blocks;
}

/** Returns whether a line begins or ends a block of code. */
export const isFence = (line: string): boolean => /^\s{0,3}(```|~~~)/.test(line);

/** Returns the block that a line is by itself; undefined for a line of a paragraph. */
export function lineBlock(text: string): MarkdownBlock | undefined {
  if (text === "") return { kind: "blank" };
  const heading = /^(#{1,6}) +(.*)$/.exec(text);
  if (heading !== null) return { kind: "heading", level: heading[1]!.length, text: heading[2]! };
  if (/^ {0,3}(-{3,}|\*{3,}|_{3,})$/.test(text)) return { kind: "rule" };
  const item = /^( *)([-*+]|\d{1,9}[.)]) +(.*)$/.exec(text);
  if (item !== null) {
    const sign = /\d/.test(item[2]!) ? item[2]! : "";
    return { kind: "item", indent: Math.min(12, item[1]!.length), sign, parts: emphasised(item[3]!) };
  }
  const quote = /^ {0,3}> ?(.*)$/.exec(text);
  if (quote !== null) return { kind: "quote", text: quote[1]! };
  if (/^ {4}|^\t/.test(text) || text.startsWith("|")) return { kind: "code", lines: [text], fenced: false };
  return undefined;
}

/** A table: the texts of its cells. Rows may be shorter or longer than the head. */
export type MarkdownTable = {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Numbers of the right-aligned columns. */
  readonly right: ReadonlySet<number>;
};

/** Returns the table that starts with this line: a head, a rule below it, and rows, each on a line. */
export function tableAt(lines: readonly string[], index: number): MarkdownTable | undefined {
  const head = tableCells(lines[index] ?? "");
  const rule = head && tableCells(lines[index + 1] ?? "");
  if (head === undefined || rule === undefined || !rule.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  const rows: (readonly string[])[] = [];
  for (
    let at = index + 2, cells = tableCells(lines[at] ?? "");
    cells !== undefined;
    cells = tableCells(lines[++at] ?? "")
  )
    rows.push(cells);
  return { head, rows, right: new Set(rule.flatMap((cell, column) => (cell.endsWith("-:") ? [column] : []))) };
}

/** Returns the cells of a line of a table, at least one; undefined for any other line. A bar after a backslash is text. */
function tableCells(line: string): readonly string[] | undefined {
  const text = line.trim();
  if (!text.startsWith("|")) return undefined;
  const cells = text.slice(1).split(/(?<!\\)\|/);
  if (cells.at(-1)!.trim() === "") cells.pop();
  return cells.length === 0 ? undefined : cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

const signs: readonly (readonly [string, NonNullable<Emphasised["mark"]>])[] = [
  ["**", "strong"],
  ["__", "strong"],
  ["`", "code"],
  ["*", "emphasis"],
  ["_", "emphasis"],
];

/**
 * Returns bold, emphasised and code parts of one line; an unpaired sign is text. Without `underscores`, underscores are text,
 * too, because names of programs often contain them.
 */
export function emphasised(text: string, { underscores = true } = {}): Emphasised[] {
  // Most lines are plain, and long texts have many.
  if (!/[*_`[]/.test(text)) return text === "" ? [] : [{ text }];
  const parts: Emphasised[] = [];
  let bare = "";
  let index = 0;
  const flush = () => {
    if (bare !== "") parts.push({ text: bare });
    bare = "";
  };
  while (index < text.length) {
    const link = linkAt(text, index);
    if (link !== undefined) {
      flush();
      parts.push({ text: link.words, mark: "link" }, { text: ` (${link.target})`, mark: "target" });
      index += link.length;
      continue;
    }
    const found = signs.find(
      ([sign]) => (underscores || sign[0] !== "_") && text.startsWith(sign, index) && opens(text, index, sign),
    );
    const end = found === undefined ? -1 : text.indexOf(found[0], index + found[0].length + 1);
    if (found === undefined || end < 0) {
      bare += text[index++]!;
      continue;
    }
    flush();
    parts.push({ text: text.slice(index + found[0].length, end), mark: found[1] });
    index = end + found[0].length;
  }
  flush();
  return parts;
}

/** Matches the words of a link and its target, up to a usual length. */
const link = /!?\[([^[\]\n]{1,300})\]\(([^()\s]{1,800})\)/y;

/** Returns the link at this index; `a[i](x)` is not a link. */
function linkAt(text: string, index: number) {
  if ((text[index] !== "[" && text[index] !== "!") || /[\p{L}\p{N}\])]/u.test(text[index - 1] ?? " ")) return undefined;
  link.lastIndex = index;
  const [whole, words = "", target = ""] = link.exec(text) ?? [];
  return whole === undefined || !/[:/#.]/.test(target) ? undefined : { words, target, length: whole.length };
}

/** Returns whether a sign starts emphasis before a word: not within a word (`a_b`), nor before a blank (`2 * 3`). */
function opens(text: string, index: number, sign: string): boolean {
  const after = text[index + sign.length];
  if (after === undefined || after === " ") return false;
  return sign === "`" || !/[\p{L}\p{N}]/u.test(text[index - 1] ?? " ");
}
