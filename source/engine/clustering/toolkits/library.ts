/** The library file of Tool-Planner: JSON Lines, one API a line, with its toolkit. */
import { statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { replaceFile } from "../../files/replace-file.ts";
import { DataProblem, parseJsonLines, readText } from "../../text/json-lines.ts";
import type { Json } from "../../types.ts";

const zip = promisify(gzip);

/** One API, with the field names of the official file. */
export type LibraryApi = {
  /** Describes the API in one or two sentences. */
  readonly functionality: string;
  readonly id: number;
  readonly api_dest: {
    readonly name: string;
    readonly package_name: string;
    /** The category. */
    readonly type_name: string;
    readonly desc: string;
    readonly package_desc: string;
  };
  /** The API's own documentation: method, url, parameters. */
  readonly api_doc: Json;
  /** Number of the toolkit of the API, -1 before clustering. */
  readonly toolkit: number;
  /** Describes the purpose of the toolkit. */
  readonly toolkit_fun: string;
};

/** Reads a library, plain or gzipped. Throws `DataProblem` naming file, line and field. */
export const readLibrary = async (path: string, only?: string) => parseLibrary(await readText(path), path, only);

/**
 * Reads a library, or lines of a ToolBench catalogue (`api_name`, `tool_name`, `category`, `description`). With `only`, reads
 * just the lines whose field of that name is true, such as `in_pool_approx`. A line may omit `functionality` (the description is
 * used), `toolkit`, `toolkit_fun`, `api_doc` and texts of `api_dest`.
 */
export function parseLibrary(text: string, name: string, only?: string): LibraryApi[] {
  return parseJsonLines(text, name).flatMap(({ number, value }) => {
    const where = `line ${number} of ${name}`;
    const line = objectIn(value, where);
    if (only !== undefined && (!Object.hasOwn(line, only) || line[only] !== true)) return [];
    if (!Object.hasOwn(line, "api_dest") && Object.hasOwn(line, "api_name"))
      return [catalogueApi(line, where, number - 1)];
    const dest = objectIn(line["api_dest"], `\`api_dest\` in ${where}`);
    const desc = textIn(dest, "desc", where, "");
    const api: LibraryApi = {
      functionality: textIn(line, "functionality", where, desc),
      id: wholeIn(line, "id", where, number - 1),
      api_dest: {
        name: textIn(dest, "name", where),
        package_name: textIn(dest, "package_name", where, ""),
        type_name: textIn(dest, "type_name", where, ""),
        desc,
        package_desc: textIn(dest, "package_desc", where, ""),
      },
      api_doc: line["api_doc"] ?? {},
      toolkit: wholeIn(line, "toolkit", where, -1),
      toolkit_fun: textIn(line, "toolkit_fun", where, ""),
    };
    return [api];
  });
}

/** Reads one API of a ToolBench catalogue, under the standardised names of the official library. `where` is used in errors. */
export function catalogueApi(line: { readonly [key: string]: Json }, where: string, id: number): LibraryApi {
  const desc = textIn(line, "description", where, "");
  const documented = ["api_name", "method", "url", "description", "required_parameters", "optional_parameters"];
  return {
    functionality: textIn(line, "llm_description", where, desc),
    id,
    api_dest: {
      name: textIn(line, "api_std", where, textIn(line, "api_name", where)),
      package_name: textIn(line, "tool", where, textIn(line, "tool_name", where, "")),
      type_name: textIn(line, "category", where, ""),
      desc,
      package_desc: "",
    },
    api_doc: Object.fromEntries(Object.entries(line).filter(([field]) => documented.includes(field))),
    toolkit: -1,
    toolkit_fun: "",
  };
}

/** Returns the library in the official format: one API a line, fields in the official order. */
export function formatLibrary(apis: readonly LibraryApi[]): string {
  return apis
    .map(({ functionality, id, api_dest, api_doc, toolkit, toolkit_fun }) => {
      const { name, package_name, type_name, desc, package_desc } = api_dest;
      const dest = { name, package_name, type_name, desc, package_desc };
      return `${JSON.stringify({ functionality, id, api_dest: dest, api_doc, toolkit, toolkit_fun })}\n`;
    })
    .join("");
}

/** Writes a library, gzipped when the name ends in `.gz`. Throws `Problem` naming a file that cannot be written. */
export async function writeLibrary(path: string, apis: readonly LibraryApi[]): Promise<void> {
  const text = formatLibrary(apis);
  const content = path.endsWith(".gz") ? await zip(text) : text;
  if (isDevice(path)) await writeFile(path, content);
  else replaceFile(path, content);
}

/**
 * Returns true for devices and pipes, such as `/dev/stdout`, which have no earlier content to lose and must not be replaced by a
 * file.
 */
function isDevice(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return resolve(path).startsWith("/dev/") || (found !== undefined && !found.isFile() && !found.isDirectory());
}

type JsonObject = { readonly [key: string]: Json };

function objectIn(value: Json | undefined, where: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new DataProblem(`Expected ${where} to be an object, got ${JSON.stringify(value)?.slice(0, 60) ?? "nothing"}`);
}

function textIn(object: JsonObject, field: string, where: string, otherwise?: string): string {
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  if (typeof value === "string") return value;
  if ((value === undefined || value === null) && otherwise !== undefined) return otherwise;
  throw new DataProblem(`Expected \`${field}\` in ${where} to be text, got ${JSON.stringify(value) ?? "nothing"}`);
}

function wholeIn(object: JsonObject, field: string, where: string, otherwise: number): number {
  const value = Object.hasOwn(object, field) ? object[field] : otherwise;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new DataProblem(`Expected \`${field}\` in ${where} to be a whole number, got ${JSON.stringify(value)}`);
}
