import { basename, dirname, relative } from "node:path";
import { plural } from "../drawing/amount.ts";

/** Says where files were written, as short as it can be told from the folder the program was started in. */
export function writtenText(paths: readonly string[]): string {
  const short = paths.map(fromHere);
  const [first = "", ...more] = short;
  if (more.length === 0) return `Written: ${first}`;
  const folder = dirname(first);
  const names = short.map((path) => (dirname(path) === folder ? basename(path) : path));
  return `Written: ${plural(paths.length, "file")} in ${folder}: ${names.join(", ")}`;
}

function fromHere(path: string): string {
  const short = relative("", path);
  return short.startsWith("..") || short === "" ? path : short;
}
