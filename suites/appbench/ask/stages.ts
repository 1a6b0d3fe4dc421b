/** Sends a task to a model in one request (flat) or in two (hierarchical: first the apps, then a plan with only these apps). */
import type { Reasoning, Stage } from "../../../source/engine/protocol.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { chosenApps } from "./app-list.ts";
import type { App, Catalogue } from "../data/catalogue.ts";
import { callsOf, type AppTask, type Gold } from "../data/gold.ts";
import { afterMarker, appsMessages, planMessages } from "./prompts.ts";
import { factOf } from "../../../source/engine/work/fact.ts";
import { shuffled } from "../../../source/engine/statistics/random.ts";

/** Builds the stages of one task. User messages contain only the raw instruction. */
export function stagesOf(
  task: AppTask,
  spec: Pick<RunSpec, "options" | "prompts">,
  shots: readonly AppTask[],
  catalogue: Catalogue,
): readonly Stage[] {
  const names = catalogue.apps.map((app) => app.name);
  const flat = spec.options["prompting"] === "flat";
  const apps: Stage = {
    name: "apps",
    messages: (_, reasoning) => appsMessages(spec, catalogue.apps, task.input.instruction, reasoning),
    answer: answerIn,
    usable: (answer) => chosenApps(answer, names).length > 0,
    lacking: "app",
  };
  const plan: Stage = {
    name: "plan",
    messages(previous, reasoning) {
      const chosen = flat ? names : chosenApps(previous[0] ?? "", names);
      const given = { apps: shownApps(catalogue, chosen), today: catalogue.current_date };
      return planMessages(spec, given, task.input.instruction, shots.map(demonstration), reasoning);
    },
    answer: answerIn,
  };
  return flat ? [plan] : [apps, plan];
}

const choicesOf = factOf<Catalogue, Map<string, readonly App[]>>(() => new Map());

/** Returns the chosen apps, the same list for the same choice. */
function shownApps(catalogue: Catalogue, chosen: readonly string[]): readonly App[] {
  const known = choicesOf(catalogue);
  const shown = catalogue.apps.filter((app) => chosen.includes(app.name));
  const key = shown.map((app) => app.name).join("\n");
  const apps = known.get(key) ?? shown;
  known.set(key, apps);
  return apps;
}

/** Returns the text after the marker line of a chain of thought; without reasoning, the whole reply. */
const answerIn = (reply: string, reasoning: Reasoning) => (reasoning === "steps" ? afterMarker(reply) : reply);

const demonstration = ({ input, answer }: AppTask) => ({
  instruction: input.instruction,
  calls: demonstrationText(answer),
});

/** Writes reference calls as in upstream's demonstrations, with a space before every line end. */
const demonstrationText = (gold: Gold): string =>
  callsOf(gold)
    .map(({ app, text }) => `${app}: [${text}] \n`)
    .join("");

/**
 * Selects demonstrations as the official program does: the first `count` tasks in file order whose reference plan uses the same
 * apps equally often, then random tasks. Differences: the official pool (a training file) is not published, so other tasks of the
 * category with a different question are used, and the random choice is seeded.
 */
export function shotsFor(task: AppTask, count: number, pool: readonly AppTask[], random: () => number): AppTask[] {
  const others = pool.filter(
    (other) =>
      other.id !== task.id &&
      other.input.category === task.input.category &&
      other.input.instruction !== task.input.instruction,
  );
  const apps = appsOf(task);
  const alike = others.filter((other) => appsOf(other) === apps);
  if (alike.length >= count) return alike.slice(0, count);
  const rest = shuffled(
    others.filter((other) => appsOf(other) !== apps),
    random,
  );
  return [...alike, ...rest].slice(0, count);
}

const appsOf = (task: AppTask): string => JSON.stringify(task.answer.used_app.toSorted());
