/**
 * Variants of a run that should not affect results (`vary`): the order of tools, their names, the order of answer options, and
 * paraphrases. A run varies only one of these parts.
 */
import { createHash } from "node:crypto";
import type { LoadedSuite, VariantOrder } from "../loaded-suite.ts";
import { Problem } from "../problem.ts";
import type { Varied, VariedKind } from "../run-settings.ts";
import type { RunSpec, Task } from "../types.ts";

/** The name of the variant that is the benchmark's own. */
export const standardVariant = "standard";

/** Titles of what may vary. */
export const variedTitles: Readonly<Record<VariedKind, string>> = {
  tools: "order of tools",
  names: "names of tools",
  options: "order of answer options",
  questions: "paraphrases",
};

type Varying = Pick<RunSpec, "vary" | "seed">;

/** Returns the part that a run varies; undefined if it varies none. */
export const variedKind = (vary: Varied = {}): VariedKind | undefined => Object.keys(vary)[0] as VariedKind | undefined;

/** Names a variant for labels and tables: `tools 3`, or `questions` with the first characters of the paraphrases' hash. */
export function variantName(vary: Varied = {}): string {
  const kind = variedKind(vary);
  if (kind === undefined) return standardVariant;
  return `${kind} ${kind === "questions" ? hashOfWords(vary).slice(0, 6) : vary[kind]}`;
}

/** Returns the variant as ids contain it, with paraphrases replaced by their hash. */
export const hashedVariant = (vary: Varied): Varied | { readonly questions: string } =>
  vary.questions === undefined ? vary : { questions: hashOfWords(vary) };

const hashOfWords = ({ questions = {} }: Varied): string =>
  hashOf(JSON.stringify(Object.entries(questions).toSorted(([one], [other]) => (one < other ? -1 : 1)))).slice(0, 16);

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const asItIs: VariantOrder = (items) => items;

/**
 * Returns the order of tools in a run's variant: by the SHA-256 of seed, variant and name, so that two tools are in the same
 * order in all tasks. Without `vary: {tools: N}`, the given order.
 */
export const toolOrder = ({ vary, seed }: Varying): VariantOrder =>
  vary?.tools === undefined ? asItIs : byHash(`${seed} ${vary.tools}`);

const byHash =
  (variant: string): VariantOrder =>
  (items, nameOf) => {
    const keys = new Map(items.map((item) => [item, hashOf(`${variant} ${nameOf(item)}`)]));
    return items.toSorted((one, other) => (keys.get(one)! < keys.get(other)! ? -1 : 1));
  };

type Loaded = Pick<LoadedSuite, "variants">;

/** Returns the task in the words of this variant of the run. Throws `Problem` for a task without the variant. */
export function variedTask(loaded: Loaded, spec: Varying, task: Task): Task {
  const varied = variantOf(loaded, spec, task);
  if (varied === undefined) throw new Problem("tool", withoutVariant(spec, task));
  return varied;
}

function variantOf({ variants }: Loaded, { vary, seed }: Varying, task: Task): Task | undefined {
  if (vary?.options !== undefined) return variants?.options?.(task, byHash(`${seed} ${vary.options} ${task.id}`));
  if (vary?.questions === undefined) return task;
  const { questions } = vary;
  return Object.hasOwn(questions, task.id) ? variants?.question?.(task, questions[task.id]!) : undefined;
}

function withoutVariant({ vary }: Varying, { id }: Task): string {
  if (vary?.questions !== undefined && Object.hasOwn(vary.questions, id))
    return `Expected requests that show the question of task \`${id}\`, got requests without it`;
  return vary?.options === undefined
    ? `Expected the file of paraphrases to contain task \`${id}\`, found no paraphrase of it`
    : `Expected answer options on separate lines, such as \`A) Paris\`, in task \`${id}\`, found none`;
}

/** Returns why none of these tasks has the variant of the run; undefined if a task has it, or without tasks. */
export function lackingVariant(loaded: Loaded, tasks: readonly Task[], spec: Varying): string | undefined {
  if (spec.vary?.options === undefined && spec.vary?.questions === undefined) return undefined;
  const isLacking = tasks.every((task) => variantOf(loaded, spec, task) === undefined);
  return isLacking && tasks.length > 0 ? withoutVariant(spec, tasks[0]!) : undefined;
}
