/**
 * Finds tau2's data: installed by `planwright data add`, in the official wheel, in a folder made from the wheel, or in a clone.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { MissingFile, DataProblem, readText } from "../../../source/engine/text/json-lines.ts";
import { isZipFile, ZipFile } from "../../../source/engine/text/zip-file.ts";
import { parseValue, type Value } from "../environment/value.ts";

/** Returns the other places of a file: in the official wheel, in a clone, and in the wheel of Inspect's evaluations. */
export function placesOf(path: string): readonly string[] {
  if (path.endsWith(".py")) return [`tau2/${path}`, `src/tau2/${path}`];
  // A clone's tasks.json of telecom has only the base split.
  const all = path === "domains/telecom/tasks.json" ? ["domains/telecom/tasks_full.json", path] : [path];
  const other = path.replace(/\.md$/, ".txt");
  return [
    ...["tau2/data/tau2", "data/tau2"].flatMap((root) => all.map((each) => `${root}/${each}`)),
    ...[other, `${other}.gz`].map((each) => `inspect_evals/tau2/data/${each}`),
  ];
}

export class Tau2Files {
  readonly #path: string;

  /** Takes a folder or a wheel. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the text of a file such as `domains/airline/db.json`; undefined if there is none. */
  async find(path: string): Promise<string | undefined> {
    const places = [path, ...placesOf(path), path.replace(/^domains\//, "")];
    return isZipFile(this.#path) ? this.#ofWheel(places) : this.#ofFolder(places);
  }

  /** Returns the text of a file. Throws `MissingFile` naming it. */
  async text(path: string): Promise<string> {
    const found = await this.find(path);
    if (found === undefined) throw new MissingFile(`Expected \`${path}\` of tau2's data in ${this.#path}, found none`);
    return found;
  }

  /** Returns a TOML file as values; the models decide which numbers are floats. */
  async toml(path: string): Promise<Value> {
    const { parse, TomlError } = await import("smol-toml");
    try {
      return parseValue(JSON.stringify(parse(await this.text(path))));
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      throw new DataProblem(`Expected \`${path}\` to be TOML: ${error.message}`);
    }
  }

  #ofWheel(places: readonly string[]): string | undefined {
    const wheel = new ZipFile(this.#path);
    try {
      const path = places.find((each) => wheel.names.includes(each));
      return path === undefined ? undefined : wheel.read(path)?.toString("utf8");
    } finally {
      wheel.close();
    }
  }

  async #ofFolder(places: readonly string[]): Promise<string | undefined> {
    const path = places
      .map((each) => join(this.#path, each))
      .find((each) => existsSync(each) && statSync(each).isFile());
    return path === undefined ? undefined : readText(path);
  }
}
