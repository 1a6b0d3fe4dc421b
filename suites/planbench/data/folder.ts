/** Reads a folder of PlanBench's data: instances, domains and prompts, on first use. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonRecords } from "../../../source/engine/text/checked-record.ts";
import { DataProblem, MissingFile, readText } from "../../../source/engine/text/json-lines.ts";
import { type Domain, type Problem, readDomain, readProblem } from "../score/pddl.ts";
import type { Split } from "./catalogue.ts";

const id = z.union([z.number(), z.string()]);
const instanceLine = z.object({ id, pddl: z.string() });
const facts = z.array(z.string());
const promptLine = z.object({
  id,
  query: z.string(),
  plan: z.string().nullable().optional(),
  example: z.number().nullable().optional(),
  problem: z.string().optional(),
  domain: z.string().optional(),
  init: facts.optional(),
  goal: facts.optional(),
  answer: z.union([z.string(), facts]).nullable().optional(),
});

export type PromptRow = z.infer<typeof promptLine>;
/** A domain and the problem that is scored, as PDDL. */
export type Scored = { readonly domain: Domain; readonly problem: Problem };

export class PlanbenchFolder {
  readonly #folder: string;
  readonly #domains = new Map<string, Promise<Domain>>();
  readonly #problems = new Map<string, Promise<Problem>>();
  readonly #instances = new Map<string, Promise<ReadonlyMap<string, string>>>();
  readonly #prompts = new Map<string, Promise<ReadonlyMap<string, PromptRow>>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The rows of `CONFIG/TASK` by id. Throws `MissingFile` if the folder has none. */
  prompts(split: string): Promise<ReadonlyMap<string, PromptRow>> {
    return kept(this.#prompts, split, async () => {
      const rows = await readJsonRecords(this.#file(`prompts/${split}.jsonl`), promptLine);
      return new Map(rows.map((row) => [String(row.id), row]));
    });
  }

  /** The instances of a folder below `instances` as PDDL, by id. */
  instances(folder: string): Promise<ReadonlyMap<string, string>> {
    return kept(this.#instances, folder, async () => {
      const rows = await readJsonRecords(this.#file(`instances/${folder}.jsonl`), instanceLine);
      return new Map(rows.map((row) => [String(row.id), row.pddl]));
    });
  }

  domainText(folder: string): Promise<string> {
    return readText(join(this.#folder, "instances", folder, "generated_domain.pddl"));
  }

  /** The domain of a path such as `instances/depots/generated_domain.pddl` or, of a row, `prompts/CONFIG/TASK#ID`. */
  domainAt(path: string): Promise<Domain> {
    return kept(this.#domains, path, async () => {
      const row = await this.#rowAt(path);
      const folder = /^instances\/(.+)\/generated_domain\.pddl$/.exec(path)?.[1];
      const text = row?.domain ?? (folder === undefined ? undefined : await this.domainText(checked(folder)));
      if (text === undefined) throw new DataProblem(`Expected a PDDL domain at \`${path}\`, found none`);
      return readDomain(text, path);
    });
  }

  /** The problem of a path such as `instances/blocksworld/generated_basic#3` or, of a row, `prompts/CONFIG/TASK#ID`. */
  problemAt(path: string): Promise<Problem> {
    return kept(this.#problems, path, async () => {
      const row = await this.#rowAt(path);
      if (row?.init !== undefined) return problemOfFacts(row.init, row.goal ?? [], path);
      const [, folder, instance] = /^instances\/([^#]+)#(.+)$/.exec(path) ?? [];
      const text =
        row?.problem ?? (folder === undefined ? undefined : (await this.instances(checked(folder))).get(instance!));
      if (text === undefined) throw new DataProblem(`Expected a PDDL problem at \`${path}\`, found none`);
      return readProblem(text, path);
    });
  }

  /** The domain and problem that a row of a split is scored by. */
  async scored({ config, task }: Split, row: PromptRow): Promise<Scored> {
    const own = `prompts/${config.name}/${task}#${row.id}`;
    const folder = task.startsWith("task_5") ? (config.generalized ?? config.instances) : config.instances;
    const hasOwn = row.problem !== undefined || row.init !== undefined;
    const [domain, problem] = await Promise.all([
      this.domainAt(row.domain === undefined ? `instances/${config.domain}/generated_domain.pddl` : own),
      this.problemAt(hasOwn ? own : `instances/${folder}#${row.id}`),
    ]);
    return { domain, problem };
  }

  async #rowAt(path: string): Promise<PromptRow | undefined> {
    const [, split, row] = /^prompts\/([^#]+)#(.+)$/.exec(path) ?? [];
    return split === undefined ? undefined : (await this.prompts(checked(split))).get(row!);
  }

  /** The path of a file that may be packed. */
  #file(path: string): string {
    const [plain, packed] = [join(this.#folder, path), join(this.#folder, `${path}.gz`)];
    if (existsSync(packed)) return packed;
    if (existsSync(plain)) return plain;
    throw new MissingFile(`Expected a file at ${packed}, found none`);
  }
}

/** Checks that a path does not lead out of the folder, because predictions contain paths, too. */
function checked(path: string): string {
  if (/^[a-z0-9_]+(?:\/[a-z0-9_]+)*$/i.test(path)) return path;
  throw new DataProblem(`Expected a path inside the data folder, got \`${path}\``);
}

function problemOfFacts(init: readonly string[], goal: readonly string[], where: string): Problem {
  const text = `(define (problem facts) (:init ${init.join(" ")}) (:goal (and ${goal.join(" ")})))`;
  const problem = readProblem(text, where);
  const objects = [...problem.init, ...problem.goal].flatMap(([, ...values]) => values);
  return { ...problem, objects: new Map(objects.map((object) => [object, "object"])) };
}

function kept<Value>(known: Map<string, Promise<Value>>, key: string, read: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
