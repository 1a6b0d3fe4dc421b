/** Where tau2's data lie: the official wheel itself, a folder made from it, or a clone of the repository. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { MissingFile, DataProblem, readText } from "../../../source/engine/text/json-lines.ts";
import { isZipFile, ZipFile } from "../../../source/engine/text/zip-file.ts";
import { parseValue, type Value } from "../environment/value.ts";

/** Folders that hold the domains: in the official wheel and a clone, and below `planwright data add`. */
const roots = ["tau2/data/tau2/domains", "data/tau2/domains", "domains", "."];

export class Tau2Files {
  readonly #path: string;

  /** Takes a folder or a wheel. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the text of a file such as `airline/db.json`. Throws `MissingFile` naming it. */
  async text(name: string): Promise<string> {
    const found = isZipFile(this.#path) ? this.#ofWheel(name) : await this.#ofFolder(name);
    if (found === undefined) throw new MissingFile(`Expected \`${name}\` of tau2's data in ${this.#path}, found none`);
    return found;
  }

  /** Returns a TOML file as values; the models decide which numbers are floats. */
  async toml(name: string): Promise<Value> {
    const { parse, TomlError } = await import("smol-toml");
    try {
      return parseValue(JSON.stringify(parse(await this.text(name))));
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      throw new DataProblem(`Expected \`${name}\` to be TOML: ${error.message}`);
    }
  }

  #ofWheel(name: string): string | undefined {
    const wheel = new ZipFile(this.#path);
    try {
      const path = roots.map((root) => join(root, name)).find((each) => wheel.names.includes(each));
      return path === undefined ? undefined : wheel.read(path)?.toString("utf8");
    } finally {
      wheel.close();
    }
  }

  async #ofFolder(name: string): Promise<string | undefined> {
    const path = roots
      .map((root) => join(this.#path, root, name))
      .find((each) => existsSync(each) && statSync(each).isFile());
    return path === undefined ? undefined : readText(path);
  }
}
