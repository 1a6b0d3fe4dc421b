/** A folder of tau2's data: tasks by split, and the texts for both sides, each read once. */
import { z } from "zod";
import { checkedRecord } from "../../../source/engine/text/checked-record.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { telecomPolicy } from "../ask/prompts.ts";
import type { Tau2Task } from "../score/task.ts";
import { Tau2Files } from "./files.ts";
import type { DomainName } from "./splits.ts";
import { readDomainTasks } from "./tasks.ts";
import { type DomainTexts, readTexts } from "./texts.ts";

/** The texts for models in a domain. */
export type ToldDomain = {
  readonly texts: DomainTexts;
  readonly guidelines: string;
  /** The agent's policies; both are the same in domains without technical support. */
  readonly policies: Readonly<Record<"manual" | "workflow", string>>;
};

const splitFile = z.record(z.string(), z.array(z.string()));

export class Tau2Data {
  readonly #files: Tau2Files;
  /** The folder with our own texts, for data without texts. */
  readonly #sample: Tau2Files;
  readonly #tasks = new Map<DomainName, Promise<ReadonlyMap<string, Tau2Task>>>();
  readonly #told = new Map<DomainName, Promise<ToldDomain>>();

  constructor(folder: string, sample: string) {
    this.#files = new Tau2Files(folder);
    this.#sample = new Tau2Files(sample);
  }

  /** Returns whether the data come with the descriptions of tools. */
  async hasTexts(): Promise<boolean> {
    return (await readTexts(this.#files, "airline")) !== undefined;
  }

  /** Returns the tasks of a list in `split_tasks.json`, in the order of the task file. Throws `MissingFile`. */
  async tasks(name: DomainName, list: string): Promise<readonly Tau2Task[]> {
    const path = `domains/${name}/split_tasks.json`;
    const lists = checkedRecord(splitFile, parsedJson(await this.#files.text(path), path), path);
    const wanted = lists[list];
    if (wanted === undefined) throw new DataProblem(`Expected \`${path}\` to have a list \`${list}\`, found none`);
    const all = await kept(this.#tasks, name, () => readDomainTasks(this.#files, name));
    const missing = wanted.find((id) => !all.has(id));
    if (missing !== undefined)
      throw new DataProblem(`Expected the task \`${missing}\` of \`${path}\` in \`tasks.json\`, found none`);
    const ids = new Set(wanted);
    return [...all.values()].filter(({ id }) => ids.has(id));
  }

  told(name: DomainName): Promise<ToldDomain> {
    return kept(this.#told, name, () => this.#readTold(name));
  }

  async #readTold(name: DomainName): Promise<ToldDomain> {
    const hasTools = name === "telecom";
    return {
      texts: ((await readTexts(this.#files, name)) ?? (await readTexts(this.#sample, name)))!,
      guidelines: await this.#files.text(`user_simulator/simulation_guidelines${hasTools ? "_tools" : ""}.md`),
      policies: await this.#policies(name),
    };
  }

  async #policies(name: DomainName): Promise<ToldDomain["policies"]> {
    const text = (file: string) => this.#files.text(`domains/${name}/${file}`);
    if (name !== "telecom") {
      const policy = await text("policy.md");
      return { manual: policy, workflow: policy };
    }
    const main = await text("main_policy.md");
    return {
      manual: telecomPolicy(main, await text("tech_support_manual.md")),
      workflow: telecomPolicy(main, await text("tech_support_workflow.md")),
    };
  }
}

function parsedJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataProblem(`Expected \`${path}\` to be JSON: ${(error as Error).message}`);
  }
}

function kept<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, read: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
