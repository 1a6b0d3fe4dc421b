/** The suite's files in a folder: base rows, test sets and worked examples, plain or gzipped, each read once. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MissingFile, parseJsonLines, readJson, readText } from "../../../source/engine/text/json-lines.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import type { DataKind, Json } from "../../../source/engine/types.ts";
import { type Aspect, homeMadeAspects, parseSplit, type Split } from "./aspects.ts";
import { callsOf, isNested, toolName } from "./calls.ts";
import type { Language } from "../score/dimensions.ts";
import { homeMadeRows } from "./home-made.ts";
import { baseRow, testRow } from "./rows.ts";
import { depthOf } from "../score/steps.ts";
import type { BaseRow, Edition, TestRow, UltraTask } from "./task.ts";

export class Library {
  readonly folder: string;
  readonly data: DataKind;
  readonly #kept = new Map<string, Promise<unknown>>();

  constructor(folder: string, data: DataKind) {
    this.folder = folder;
    this.data = data;
  }

  /** Aspects of a language whose published test set is not in the folder. */
  missing(language: Language): readonly Aspect[] {
    return homeMadeAspects.filter((aspect) => this.#path(language, aspect) === undefined);
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  /** Row `i` is the same sample in every file. Throws `DataProblem` naming file and line. */
  base(language: Language): Promise<readonly BaseRow[]> {
    return this.#keep(`${language}/test`, () => this.#read(language, "test", baseRow));
  }

  /** The tasks of a split in file order; `id` is the row number from 0. */
  tasks(split: string): Promise<readonly UltraTask[]> {
    return this.#keep(`tasks ${split}`, async () => {
      const { language, aspect } = parseSplit(split);
      const [rows, base] = await Promise.all([this.#rows({ language, aspect }), this.base(language)]);
      const made = homeMadeAspects.includes(aspect) && this.#path(language, aspect) === undefined;
      const kind = this.data === "published" || this.data === "sample" ? this.data : "own";
      const edition: Edition = made && kind === "published" ? "home-made" : kind;
      return rows.map((row, index) => taskOf(row, base[index], index, { language, aspect }, edition));
    });
  }

  /** The worked example that stands in every prompt of a split. */
  example({ language, aspect }: Split): Promise<TestRow> {
    return this.#keep(`example ${language}/${aspect}`, async () => {
      const path = join(this.folder, language, "examples.json");
      return testRow(field(await readJson(path), aspect), aspect, () => `\`${aspect}\` of ${path}`);
    });
  }

  async #rows({ language, aspect }: Split): Promise<readonly TestRow[]> {
    if (this.#path(language, aspect) !== undefined)
      return this.#read(language, aspect, (value, where) => testRow(value, aspect, where));
    if (aspect === "tool_selection" || aspect === "tool_creation_awareness")
      return homeMadeRows(await this.base(language), aspect);
    throw new MissingFile(
      `Expected ${aspect}.jsonl or ${aspect}.jsonl.gz in ${join(this.folder, language)}, found neither`,
    );
  }

  async #read<Row>(language: Language, name: string, row: (value: Json, where: () => string) => Row): Promise<Row[]> {
    const path = this.#path(language, name);
    if (path === undefined)
      throw new MissingFile(
        `Expected ${name}.jsonl or ${name}.jsonl.gz in ${join(this.folder, language)}, found neither`,
      );
    const lines = parseJsonLines(await readText(path), path);
    return lines.map(({ number, value }) => row(value, () => `${path} line ${number}`));
  }

  #path(language: Language, name: string): string | undefined {
    const plain = join(this.folder, language, `${name}.jsonl`);
    return [plain, `${plain}.gz`].find((path) => existsSync(path));
  }

  #keep<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#kept.get(key);
    if (known !== undefined) return known as Promise<Value>;
    const made = make();
    this.#kept.set(key, made);
    // What failed is tried again: the file may be there by then.
    made.catch(() => this.#kept.delete(key));
    return made;
  }
}

/** Facets come from the base row, so that they mean the same in every aspect. */
export function taskOf(
  row: TestRow,
  base: BaseRow | undefined,
  index: number,
  split: Split,
  edition: Edition,
): UltraTask {
  const { reference, ...input } = row;
  const question = row.question === "" ? (base?.question ?? firstSteps(row)) : row.question;
  return {
    id: String(index),
    question: question.trim(),
    input: { ...split, ...input, edition },
    answer: reference,
    facets: {
      ...split,
      edition,
      ...(base === undefined ? { domain: "unknown" } : baseFacets(base)),
      ...(row.toolset === undefined ? {} : { toolset: row.toolset.length }),
    },
  };
}

function baseFacets(base: BaseRow) {
  const calls = callsOf(base);
  let depth = 0;
  for (const { step } of base.plan) depth = Math.max(depth, depthOf(step));
  return {
    domain: base.domain,
    steps: base.plan.length,
    depth,
    tools: new Set(calls.map((call) => toolName(call.tool))).size,
    nested: calls.filter((call) => isNested(call.tool)).length,
  };
}

function firstSteps(row: TestRow): string {
  return row.steps
    .slice(0, 2)
    .map(({ step }) => step)
    .join("; ");
}
