/** Requests for a plan over toolkits: the listed toolkits, the prompts, the retries. */
import { prompted, promptMessages, promptPair } from "../../settings/prompt-template.ts";
import { ask } from "../../run/ask.ts";
import { asksForJson } from "../../run/reply-format.ts";
import type { PromptTemplate, ReplyForm, Toolkit } from "../../protocol.ts";
import type { TaskContext } from "../../strategy.ts";
import type { Option } from "../../option.ts";
import { listing, planText, readPlan, type ToolkitStep } from "../../toolkits/plan.ts";
import { rankingOf, type Ranking } from "../../toolkits/ranking.ts";
import type { Message, RunSpec, Step } from "../../types.ts";
import type { Usage } from "./bounds.ts";
import { factOf } from "../../work/fact.ts";

export const prefilterOption: Option = {
  name: "planner.prefilter",
  title: "Toolkits shown to the planner",
  values: "number",
  default: 50,
  note: "The closest to the question by shared words; 0 shows all, as the paper does",
  paper: { value: 0, title: "all" },
};

/** Further requests for a plan when none could be parsed. */
const planRetries = 2;
export const mostPlans = 1 + planRetries;

/** Returns the toolkits shown to the planner: those most similar to the question, in their own order. */
export async function shownToolkits(context: TaskContext, toolkits: readonly Toolkit[]): Promise<readonly Toolkit[]> {
  const count = Number(context.spec.options[prefilterOption.name] ?? prefilterOption.default);
  if (!(count > 0) || toolkits.length <= count) return toolkits;
  const ranking = await rankingFor(toolkits);
  const closest = new Set(ranking.closest(context.task.question, count));
  return toolkits.filter((_, index) => closest.has(index));
}

/** Keyed by the list itself, which the tasks of a run share, because indexing a large catalogue takes time. */
const rankingFor = factOf((toolkits: readonly Toolkit[]): Promise<Ranking> =>
  rankingOf(toolkits.map(({ description, tools }) => `${description} ${tools.map(({ name }) => name).join(" ")}`)),
);

type Asking = Pick<TaskContext, "task" | "spec">;

/** Returns the prompts for a plan over toolkits. A strategy that plans itself uses them under another name. */
function promptsFor(name: "plan" | "plan.toolkits", when?: PromptTemplate["when"]) {
  const common = { role: "model", ...(when && { when }) } as const;
  return {
    asked: promptPair(name, {
      ...common,
      system:
        "You plan how a request can be served with toolkits. A toolkit is a group of APIs that do much the same; you see what each one is for. Choose those that are needed and outline the steps. Do not answer the request itself. {{format}}",
      user: "{{toolkits}}\n\nRequest: {{request}}",
    }),
    again: {
      ...common,
      name: `${name}.again`,
      message: "user",
      text: "No step could be read from this. {{format}}",
    } satisfies PromptTemplate,
    format: {
      ...common,
      name: `${name}.format`,
      text: 'Write the plan as a JSON list of objects with one key each, the toolkit, and what to do with it as the value, in the order of the steps: [{"Toolkit 12": "what to do first"}, {"Toolkit 3": "what to do then"}]. Use only toolkits from the list.{{object}}',
    } satisfies PromptTemplate,
  };
}

const alone = promptsFor("plan");
const before = promptsFor("plan.toolkits", { toolkits: ["on"] });
const revising = promptPair("replan", {
  role: "model",
  system:
    "You revise a plan that serves a request with toolkits. Every API of the toolkit where it stopped has failed, and that toolkit is gone. Go back to the step before and choose a different toolkit; keep the earlier steps where their results can still be used. Do not answer the request itself. {{format}}",
  user: "{{toolkits}}\n\nRequest: {{request}}\n\n{{results}}\n\nFailed plans, the latest last:\n{{failures}}",
});

export const planPrompts: readonly PromptTemplate[] = [...alone.asked, alone.again, alone.format, ...revising];
/** Prompts of a strategy that plans over toolkits before it starts. */
export const choosingPrompts: readonly PromptTemplate[] = [...before.asked, before.again, before.format];

/** Returns the instructions for the format of the plan. */
const formatFor = (spec: RunSpec, { format }: typeof alone | typeof before): string =>
  prompted(spec, format, {
    object: asksForJson(spec) ? ' The list is the value of the key "plan" of one JSON object: {"plan": [...]}.' : "",
  });

/** The form of a plan. Toolkits are named as in the list. */
const planForm: ReplyForm = {
  name: "plan",
  schema: {
    type: "object",
    properties: {
      plan: {
        type: "array",
        items: { type: "object", additionalProperties: { type: "string" }, minProperties: 1, maxProperties: 1 },
      },
    },
    required: ["plan"],
    additionalProperties: false,
  },
  strict: false,
};

/** Returns the prompt for a plan; `isBefore` is true if another strategy follows it. */
export function planMessages(
  { task, spec }: Asking,
  toolkits: readonly Toolkit[],
  isBefore = false,
): readonly Message[] {
  const templates = isBefore ? before : alone;
  const slots = { toolkits: listing(toolkits), request: task.question, format: formatFor(spec, templates) };
  return promptMessages(spec, templates.asked, slots);
}

export type Failed = { readonly plan: readonly ToolkitStep[]; readonly at: number; readonly errors: string };

/** Returns the prompt for a new plan: the known results, the previous plan, and the failures with their reasons. */
export function replanMessages(
  { task, spec }: Asking,
  toolkits: readonly Toolkit[],
  results: readonly string[],
  failed: readonly Failed[],
): readonly Message[] {
  const known = results.map((result, index) => `Result of step ${index + 1}: ${result}`).join("\n");
  const failures = failed
    .map(({ plan, at, errors }) => `Plan: ${planText(plan)}\nFailed at step ${at + 1}:\n${errors}`)
    .join("\n\n");
  return promptMessages(spec, revising, {
    toolkits: listing(toolkits),
    request: task.question,
    results: known === "" ? "No step has succeeded so far." : known,
    failures,
    format: formatFor(spec, alone),
  });
}

/**
 * Requests a plan until at least one step can be parsed, at most three times. Unknown toolkits are noted (`hallucination`) and
 * omitted. An empty list means that no plan could be parsed.
 */
export async function* plan(
  context: TaskContext,
  usage: Usage,
  stage: "plan" | "replan",
  messages: readonly Message[],
  toolkits: readonly Toolkit[],
  isBefore = false,
): AsyncGenerator<Step, readonly ToolkitStep[]> {
  const templates = isBefore ? before : alone;
  const offered = new Set(toolkits.map(({ id }) => id));
  let conversation: readonly Message[] = messages;
  for (let attempt = 0; attempt <= planRetries; attempt++) {
    if (attempt > 0 && usage.reached() !== undefined) return [];
    const { text } = yield* usage.counted(
      ask(context, { role: "model", stage, messages: conversation, form: planForm }),
    );
    const { steps, unknown } = readPlan(text, offered);
    for (const name of unknown)
      yield { type: "note", kind: "hallucination", text: `The plan names \`${name}\`, which is not a toolkit offered` };
    if (steps.length > 0) return steps;
    conversation = [
      ...messages,
      { role: "assistant", content: text },
      {
        role: "user",
        content: prompted(context.spec, templates.again, { format: formatFor(context.spec, templates) }),
      },
    ];
  }
  return [];
}
