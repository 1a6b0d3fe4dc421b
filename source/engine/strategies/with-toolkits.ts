/**
 * "With toolkits": chooses toolkits first and then runs the strategy with the APIs of these toolkits only (Tool-Planner's
 * Table 4). Enabled by the suite's option `toolkits: on`.
 */
import { clusterPrompts } from "../clustering/toolkits/cluster-prompts.ts";
import type { Environment } from "../protocol.ts";
import type { TaskContext, Strategy } from "../strategy.ts";
import { planText } from "../toolkits/plan.ts";
import type { Step } from "../types.ts";
import { openEnvironment, atMost } from "./episode.ts";
import { boundsOf, Usage } from "./tool-planner/bounds.ts";
import {
  choosingPrompts,
  mostPlans,
  plan,
  planMessages,
  prefilterOption,
  shownToolkits,
} from "./tool-planner/planning.ts";

const when = { toolkits: ["on"] };
const chosenPrompts = clusterPrompts.map((template) => ({ ...template, when }));

/** Returns the same strategy, after a plan over toolkits if the run has `toolkits: on`. */
export function withToolkits(strategy: Strategy<"environment">): Strategy<"environment"> {
  return {
    ...strategy,
    options: [...(strategy.options ?? []), { ...prefilterOption, when }],
    prompts: [...chosenPrompts, ...choosingPrompts, ...(strategy.prompts ?? [])],
    async *run(context) {
      if (context.spec.options["toolkits"] !== "on") {
        yield* strategy.run(context);
        return;
      }
      const usage = new Usage(boundsOf(context.spec));
      const chosen = yield* choose(context, usage);
      if (chosen === undefined) yield { type: "note", kind: "end", text: "no plan could be read" };
      else yield* strategy.run(restricted(context, chosen, usage.requests));
    },
    estimate(context) {
      const alone = strategy.estimate?.(context);
      if (alone === undefined || context.spec.options["toolkits"] !== "on") return alone;
      return atMost(context, alone.calls + mostPlans) ?? alone;
    },
  };
}

/** Returns ids of the toolkits in the plan, undefined if none could be parsed. */
async function* choose(
  context: TaskContext<"environment">,
  usage: Usage,
): AsyncGenerator<Step, ReadonlySet<number> | undefined> {
  const toolkits = (await openEnvironment(context)).toolkits;
  if (toolkits === undefined) throw new TypeError(`Expected \`${context.spec.suite}\` to offer toolkits; it has none`);
  const shown = await shownToolkits(context, toolkits);
  const steps = yield* plan(context, usage, "plan", planMessages(context, shown, true), shown, true);
  if (steps.length === 0) return undefined;
  yield {
    type: "note",
    kind: "plan",
    text: `${planText(steps)} (${shown.length} of ${toolkits.length} toolkits shown)`,
  };
  return new Set(steps.map(({ toolkit }) => toolkit));
}

type Served = TaskContext<"environment">;

/**
 * Returns the context with every environment's tools restricted to the chosen toolkits, and the plan's requests deducted from
 * the budget.
 */
function restricted(context: Served, chosen: ReadonlySet<number>, spent: number): Served {
  const open = async (...asked: Parameters<Served["loaded"]["asks"]["environment"]["open"]>): Promise<Environment> => {
    const whole = await context.loaded.asks.environment.open(...asked);
    const tools = (whole.toolkits ?? []).filter(({ id }) => chosen.has(id)).flatMap((toolkit) => toolkit.tools);
    const finish = whole.finish === undefined ? [] : [whole.finish.tool];
    return Object.assign(Object.create(whole) as Environment, { tools: [...tools, ...finish] });
  };
  const asks = { ...context.loaded.asks, environment: { ...context.loaded.asks.environment, open } };
  const loaded = Object.assign(Object.create(context.loaded) as Served["loaded"], { asks });
  const { budget } = context.spec;
  const steps = budget.task?.steps;
  const left =
    steps === undefined ? budget : { ...budget, task: { ...budget.task, steps: Math.max(1, steps - spent) } };
  return { ...context, loaded, spec: { ...context.spec, budget: left } };
}
