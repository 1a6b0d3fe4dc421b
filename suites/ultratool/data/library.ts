/** Reads the suite's files in a folder once: base rows, test sets and worked examples, plain or gzipped. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  MissingFile,
  parseJsonLines,
  plainOrGzipped,
  readJson,
  readText,
} from "../../../source/engine/text/json-lines.ts";
import { field } from "../../../source/engine/text/json-record.ts";
import type { DataKind, Json } from "../../../source/engine/types.ts";
import { keptPromise } from "../../../source/engine/work/kept-promise.ts";
import { type Aspect, homeMadeAspects, parseSplit, type Split } from "./aspects.ts";
import { callsOf, isNested, toolName, homeMadeRows } from "./home-made.ts";
import type { Language } from "../score/dimensions.ts";
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

  /** Returns the aspects of a language whose published test set is missing. */
  missing(language: Language): readonly Aspect[] {
    return homeMadeAspects.filter((aspect) => this.#path(language, aspect) === undefined);
  }

  /** Reads the base rows; row `i` is the same sample in every file. Throws `DataProblem` with file and line. */
  base(language: Language): Promise<readonly BaseRow[]> {
    return keptPromise(this.#kept, `${language}/test`, () => this.#read(language, "test", baseRow));
  }

  /** Reads the tasks of a split in file order; `id` is the row number from 0. */
  tasks(split: string): Promise<readonly UltraTask[]> {
    return keptPromise(this.#kept, `tasks ${split}`, async () => {
      const { language, aspect } = parseSplit(split);
      const [rows, base] = await Promise.all([this.#rows({ language, aspect }), this.base(language)]);
      const made = homeMadeAspects.includes(aspect) && this.#path(language, aspect) === undefined;
      const kind = this.data === "published" || this.data === "sample" ? this.data : "own";
      const edition: Edition = made && kind === "published" ? "home-made" : kind;
      return rows.map((row, index) => taskOf(row, base[index], index, { language, aspect }, edition));
    });
  }

  /** Reads the worked example for the prompts of a split. */
  example({ language, aspect }: Split): Promise<TestRow> {
    return keptPromise(this.#kept, `example ${language}/${aspect}`, async () => {
      const path = join(this.folder, language, "examples.json");
      return testRow(field(await readJson(path), aspect), aspect, () => `\`${aspect}\` of ${path}`);
    });
  }

  async #rows({ language, aspect }: Split): Promise<readonly TestRow[]> {
    const isMade = aspect === "tool_selection" || aspect === "tool_creation_awareness";
    if (isMade && this.#path(language, aspect) === undefined) return homeMadeRows(await this.base(language), aspect);
    return this.#read(language, aspect, (value, where) => testRow(value, aspect, where));
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
    const path = plainOrGzipped(join(this.folder, language, `${name}.jsonl`));
    return existsSync(path) ? path : undefined;
  }
}

/** Builds a task. Facets come from the base row, so that they mean the same in every aspect. */
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

const firstSteps = (row: TestRow): string =>
  row.steps
    .slice(0, 2)
    .map(({ step }) => step)
    .join("; ");
