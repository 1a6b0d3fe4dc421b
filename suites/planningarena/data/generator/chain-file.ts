/** Reads a YAML file of tool chains or profiles. Errors name file, line and expected value. */
import { isRecord } from "../../../../source/engine/text/json-record.ts";
import { LineCounter, type Node } from "yaml";
import { DataProblem } from "../../../../source/engine/text/json-lines.ts";
import { parseYaml, type YamlDocument, yamlValue } from "../../../../source/engine/text/yaml-document.ts";
import type { Json } from "../../../../source/engine/types.ts";

type Path = readonly (string | number)[];

export class ChainFile {
  readonly name: string;
  readonly #document: YamlDocument;
  readonly #lines = new LineCounter();

  /** Parses the text. Throws `DataProblem` if it is not YAML. */
  constructor(name: string, text: string) {
    this.name = name;
    this.#document = parseYaml(text, this.#lines);
    const problem = this.#document.errors[0];
    if (problem !== undefined) {
      const { line } = this.#lines.linePos(problem.pos[0]);
      throw new DataProblem(`Expected line ${line} of ${name} to be YAML: ${problem.message.split("\n")[0]}`);
    }
    try {
      yamlValue(this.#document);
    } catch (error) {
      throw new DataProblem(`Expected ${name} to be YAML: ${(error as Error).message}`);
    }
  }

  at(path: Path): Json | undefined {
    const node: unknown = path.length === 0 ? this.#document.contents : this.#document.getIn(path, true);
    if (node === undefined || node === null) return undefined;
    return (node as Node).toJS(this.#document) as Json;
  }

  record(path: Path): { readonly [key: string]: Json } {
    const value = this.at(path);
    return isRecord(value) ? value : this.refuse(path, "an object");
  }

  list(path: Path): readonly Json[] {
    const value = this.at(path);
    return Array.isArray(value) && value.length > 0 ? value : this.refuse(path, "a list that is not empty");
  }

  text(path: Path): string {
    const value = this.at(path);
    return typeof value === "string" && value.trim() !== "" ? value : this.refuse(path, "a text");
  }

  oneOf<Name extends string>(path: Path, names: readonly Name[]): Name {
    const value = this.at(path);
    return names.includes(value as Name) ? (value as Name) : this.refuse(path, `one of ${names.join(", ")}`);
  }

  /** Reads a list of texts or numbers. */
  values(path: Path): readonly (string | number)[] {
    const values = this.list(path);
    for (const [index, value] of values.entries())
      if (typeof value !== "string" && typeof value !== "number") this.refuse([...path, index], "a text or a number");
    return values as readonly (string | number)[];
  }

  /** Reads `{en, zh}`. */
  phrase(path: Path): Phrase {
    return { en: this.text([...path, "en"]), zh: this.text([...path, "zh"]) };
  }

  /** Throws `DataProblem` with the position, the expected value and the actual one. */
  refuse(path: Path, expected: string): never {
    const found = this.at(path);
    const got = found === undefined ? "nothing" : `\`${JSON.stringify(found).slice(0, 80)}\``;
    throw new DataProblem(
      `Expected \`${path.join(".")}\` in line ${this.#lineOf(path)} of ${this.name} to be ${expected}, got ${got}`,
    );
  }

  /** Returns the line of the node, or of its nearest existing ancestor. */
  #lineOf(path: Path): number {
    for (let length = path.length; length >= 0; length--) {
      const node: unknown = length === 0 ? this.#document.contents : this.#document.getIn(path.slice(0, length), true);
      const range = (node as Node | null | undefined)?.range;
      if (range !== undefined && range !== null) return this.#lines.linePos(range[0]).line;
    }
    return 1;
  }
}

export type Phrase = { readonly en: string; readonly zh: string };

/** Returns the names in braces, in order of appearance. */
export const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** Replaces every `{name}` in the text. */
export const filled = (text: string, value: (name: string) => string): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => value(name));
