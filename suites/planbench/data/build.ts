/**
 * Imports published data, from the repository as cloned or from the reduced folder: instances and prompts as JSON Lines, one file
 * per folder and task. If files are missing, their tasks are unavailable.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { mustStayIn } from "../../../source/engine/files/inside.ts";
import { makeFolder } from "../../../source/engine/files/make-folder.ts";
import { replaceFile } from "../../../source/engine/files/replace-file.ts";
import { checkedRecord } from "../../../source/engine/text/checked-record.ts";
import { counted } from "../../../source/engine/text/counted.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { eventLoopYielder } from "../../../source/engine/work/event-loop.ts";
import { splitOf, splits } from "./catalogue.ts";

type Published = Readonly<Record<string, { readonly sha256: string; readonly count?: number }>>;
type Report = (line: string) => void;
/** The text of each file below `instances` and `prompts`, by its path without `.gz`. */
type Files = Map<string, string>;

/** The two folder trees of the repository; the first is preferred for files that both contain. */
const trees = ["plan-bench", "llm_planning_analysis"];

/** Writes the data into `to`. Throws `DataProblem` if files differ from the published files or are missing. */
export async function buildData(from: string, to: string, report: Report, signal: AbortSignal): Promise<void> {
  const published = await readPublished();
  const isClone = trees.some((tree) => existsSync(join(from, tree)));
  const yieldIfDue = eventLoopYielder(signal);
  const files = isClone ? await clonedFiles(from, yieldIfDue) : reducedFiles(from, published);
  if (files.size === 0)
    throw new DataProblem(
      `Expected \`instances\` and \`prompts\`, or PlanBench's repository with ${trees.join(" or ")}, in ${from}; found neither`,
    );
  for (const [path, text] of files) {
    const known = published[path];
    const problem = known === undefined ? undefined : differenceOf(path, text, known, isClone);
    if (problem !== undefined) throw new DataProblem(problem);
    makeFolder(dirname(join(to, path)));
    replaceFile(join(to, path), text);
    await yieldIfDue();
  }
  const missing = splits.filter(({ name }) => !isThere(name, files));
  report(
    `${counted(files.size, "file")}; ${splits.length - missing.length} of ${splits.length} splits have their data`,
  );
  if (missing.length > 0) report(`without data: ${missing.map(({ name }) => name).join(", ")}`);
}

async function readPublished(): Promise<Published> {
  return (await import("./published-files.json", { with: { type: "json" } })).default;
}

/** True if the prompts of a split exist, or the instances from which its prompts are built. */
function isThere(name: string, files: Files): boolean {
  const { config } = splitOf(name)!;
  return files.has(
    config.name === "blocksworld_hard" ? `instances/${config.instances}.jsonl` : `prompts/${name}.jsonl`,
  );
}

/**
 * Returns how a file differs from the published one; undefined if it does not. A different number of records is reported first,
 * because it helps more than a hash. A converted file has other bytes than its file in the reduced folder, so its hash is ignored.
 */
function differenceOf(
  path: string,
  text: string,
  { sha256, count }: Published[string],
  isConverted: boolean,
): string | undefined {
  if (createHash("sha256").update(text).digest("hex") === sha256) return undefined;
  const found = text.split("\n").filter((line) => line.trim() !== "").length;
  if (count !== undefined && found !== count) return `${path}: expected ${count} records, got ${found}`;
  return isConverted
    ? undefined
    : `${path}: it differs from the published file (its SHA-256 is not ${sha256.slice(0, 12)}...)`;
}

function reducedFiles(from: string, published: Published): Files {
  const files: Files = new Map();
  for (const path of Object.keys(published)) {
    const found = [`${path}.gz`, path].map((each) => join(from, each)).find((each) => existsSync(each));
    if (found === undefined) continue;
    files.set(path, textOf(from, found));
  }
  return files;
}

function textOf(from: string, path: string): string {
  mustStayIn(from, path);
  const bytes = readFileSync(path);
  try {
    return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    throw new DataProblem(`Expected ${path} to be a complete gzip file: ${(error as Error).message}`);
  }
}

/** The files of the repository, in the form of the reduced folder. */
async function clonedFiles(from: string, yieldIfDue: ReturnType<typeof eventLoopYielder>): Promise<Files> {
  const files: Files = new Map();
  for (const tree of trees) {
    const instances = join(from, tree, "instances");
    for (const path of foldersIn(instances)) {
      const folder = relative(instances, path).split("\\").join("/");
      const domain = join(path, "generated_domain.pddl");
      addOnce(files, `instances/${folder}/generated_domain.pddl`, () =>
        existsSync(domain) ? textOf(from, domain) : undefined,
      );
      addOnce(files, `instances/${folder}.jsonl`, () => instanceLines(from, path));
      await yieldIfDue();
    }
    for (const { name } of splits) {
      addOnce(files, `prompts/${name}.jsonl`, () => promptLines(from, join(from, tree, "prompts", `${name}.json`)));
      await yieldIfDue();
    }
  }
  for (const { name } of splits) {
    addOnce(files, `prompts/${name}.jsonl`, () => resultLines(from, name));
    await yieldIfDue();
  }
  addRandomised(files);
  return files;
}

/**
 * Adds the instances of randomised problems, which have no files in the repository: the PDDL queries contain them after the last
 * heading of each kind.
 */
function addRandomised(files: Files): void {
  const task = "task_1_plan_generation_zero_shot_pddl";
  for (const config of ["obfuscated_randomized_blocksworld", "obfuscated_randomized_logistics"]) {
    const path = `prompts/${config}/${task}.jsonl`;
    const rows = (files.get(path) ?? "").split("\n").flatMap((line) => {
      if (line === "") return [];
      const row = JSON.parse(line) as { readonly id: number; readonly query: string };
      const [domain, problem = ""] = behindLast(row.query, "[DOMAIN]").split("[QUERY PROBLEM]");
      return [{ row, domain: domain!.trim(), problem: problem.split("[PLAN]")[0]!.trim() }];
    });
    if (rows.length === 0) continue;
    if (config.endsWith("logistics")) {
      files.set(path, linesOf(rows.map(({ row, domain, problem }) => ({ ...row, domain, problem }))));
      continue;
    }
    addOnce(files, `instances/${config}/generated_domain.pddl`, () => rows[0]!.domain);
    addOnce(files, `instances/${config}/generated_basic.jsonl`, () =>
      linesOf(rows.map(({ row, problem }) => ({ id: row.id, pddl: problem }))),
    );
  }
}

function behindLast(text: string, heading: string): string {
  const at = text.lastIndexOf(heading);
  return at === -1 ? "" : text.slice(at + heading.length);
}

function addOnce(files: Files, path: string, read: () => string | undefined): void {
  const text = files.has(path) ? undefined : read();
  if (text !== undefined) files.set(path, text);
}

/** A folder and all folders below it. */
function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inside.flatMap(({ name }) => foldersIn(join(folder, name)))];
}

/** Returns the instances of a folder, in order; undefined if it has none. */
function instanceLines(from: string, folder: string): string | undefined {
  const numbers = readdirSync(folder).flatMap((name) => {
    const number = /^instance-(\d+)\.pddl$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  if (numbers.length === 0) return undefined;
  const rows = numbers
    .sort((a, b) => a - b)
    .map((id) => ({ id, pddl: textOf(from, join(folder, `instance-${id}.pddl`)).trimEnd() }));
  return linesOf(rows);
}

const fact = z.tuple([z.string(), z.array(z.string())]);
const published = z.object({
  instances: z.array(
    z.object({
      instance_id: z.number(),
      example_instance_ids: z.array(z.number()).optional(),
      query: z.string(),
      ground_truth_plan: z
        .union([z.string(), z.array(z.string())])
        .nullable()
        .optional(),
      new_instance: z
        .object({ instance: z.object({ init: z.object({ pred: z.array(fact) }), goal: z.array(fact) }) })
        .optional(),
    }),
  ),
});

/** Returns the rows of a prompt file, or of results, which contain the queries, too; undefined if there is no such file. */
function promptLines(from: string, path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const { instances } = checkedRecord(published, JSON.parse(textOf(from, path)), path);
  const isAnswer = /task_[37]_/.test(path);
  const factText = ([name, values]: z.infer<typeof fact>) => `(${[name, ...values].join(" ")})`;
  const rows = instances.map(({ instance_id: id, query, example_instance_ids, ground_truth_plan, new_instance }) => ({
    id,
    query,
    ...(example_instance_ids?.length === 1 && { example: example_instance_ids[0] }),
    ...(isAnswer ? { answer: ground_truth_plan ?? null } : { plan: planText(ground_truth_plan) }),
    ...(new_instance && {
      init: new_instance.instance.init.pred.map(factText),
      goal: new_instance.instance.goal.map(factText),
    }),
  }));
  return linesOf(rows);
}

function planText(plan: string | readonly string[] | null | undefined): string {
  return typeof plan === "string" ? plan : (plan ?? []).join("\n");
}

/** Queries that only results contain, from the engine that has most; GPT-4's old wording counts last. */
function resultLines(from: string, name: string): string | undefined {
  const { config, task } = splitOf(name)!;
  const folder = join(from, "llm_planning_analysis", "results", config.name);
  if (!existsSync(folder)) return undefined;
  const engines = readdirSync(folder).sort((a, b) => Number(isOld(a)) - Number(isOld(b)) || (a < b ? -1 : 1));
  const found = engines
    .map((engine) => join(folder, engine, `${task}.json`))
    .filter((path) => existsSync(path))
    .map((path) => ({ text: promptLines(from, path), size: statSync(path).size, path }));
  return found.toSorted((a, b) => countOf(b.text) - countOf(a.text))[0]?.text;
}

const isOld = (engine: string) => engine === "gpt-4_chat";
const countOf = (text: string | undefined) => text?.split("\n").length ?? 0;

function linesOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
