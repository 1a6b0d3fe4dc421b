/** Renames a cell, and updates every analysis that is `of` it. Nothing else of the document changes, byte for byte. */
import { isMap, isScalar, isSeq, type Scalar } from "yaml";
import { lengthProblem } from "../cell-text.ts";
import { editCell, type SessionDocument } from "./session-document.ts";
import { parseYaml } from "../../text/yaml-document.ts";

type Segment = SessionDocument["segments"][number];

/** The line that opens a cell: its fence and kind, its name, and the line ending. */
const opening = /((?:`{3,}|~{3,})[ \t]*(?:run|analysis))([^\r\n]*)(\r?\n)$/;

/** Maximum number of characters of a name, because names appear in lists, labels and file names. */
const longest = 80;

/** Throws for an invalid name, or a name that another cell of the same kind has. */
export function renameCell(document: SessionDocument, id: string, wanted: string): SessionDocument {
  const name = wanted.trim();
  const cell = document.segments.find((segment) => segment.id === id);
  if (cell === undefined || (cell.kind !== "run" && cell.kind !== "analysis"))
    throw new RangeError("Expected a run or an analysis: front matter and notes have no name");
  const problem = nameProblem(name) ?? takenBy(document, cell, name);
  if (problem !== undefined) throw new RangeError(problem);
  if (name === cell.name) return document;
  const before = cell.before.replace(
    opening,
    (_, fence: string, _old: string, end: string) => `${fence} ${name}${end}`,
  );
  const renamed = document.segments.map((segment) => (segment.id === id ? { ...segment, name, before } : segment));
  const result = { ...document, segments: renamed };
  // If several run cells had this name, analyses still mean the others.
  const others = document.segments.some((segment) => segment !== cell && isNamed(segment, "run", cell.name));
  return cell.kind === "run" && cell.name !== "" && !others ? withOf(result, cell.name, name) : result;
}

/** Returns the problem with a name; undefined if it can follow a fence's kind. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === "") return "Expected a name";
  if (name.trim().length > longest) return `Expected a name of at most ${longest} characters`;
  // oxlint-disable-next-line no-control-regex -- a fence's first line is one line of plain text
  return /[`\u0000-\u001f\u007f]/.test(name.trim())
    ? "Expected a name without backticks and control characters"
    : undefined;
}

function takenBy({ segments }: SessionDocument, cell: Segment, name: string): string | undefined {
  const taken = segments.some((segment) => segment !== cell && isNamed(segment, cell.kind, name));
  return taken ? `Expected a unique name: another ${cell.kind} cell is called \`${name}\`` : undefined;
}

const isNamed = ({ kind, name }: Segment, wanted: Segment["kind"], called: string): boolean =>
  kind === wanted && name === called;

function withOf(document: SessionDocument, old: string, name: string): SessionDocument {
  let result = document;
  for (const { id, kind, source } of document.segments) {
    if (kind !== "analysis") continue;
    const changed = renamedOf(source, old, name);
    if (changed !== source) result = editCell(result, id, changed);
  }
  return result;
}

/** Only the letters of the name are replaced, so that comments, quotes elsewhere and the order stay. */
function renamedOf(source: string, old: string, name: string): string {
  if (lengthProblem(source) !== undefined) return source;
  const document = parseYaml(source);
  if (document.errors.length > 0 || !isMap(document.contents)) return source;
  const of: unknown = document.get("of", true);
  const scalars = (isSeq(of) ? of.items : [of]).filter(
    (item): item is Scalar => isScalar(item) && String(item.value) === old,
  );
  return scalars.reduceRight((text, { range }) => {
    const [from, to] = range!;
    return text.slice(0, from) + asYaml(name) + text.slice(to);
  }, source);
}

/** Returns the name as YAML, unquoted if YAML reads it as exactly this text, otherwise as JSON, which is YAML. */
function asYaml(name: string): string {
  const bare = /^[a-z][\w.-]*$/i.test(name) && !/^(on|off|yes|no|true|false|null|y|n)$/i.test(name);
  return bare ? name : JSON.stringify(name);
}
