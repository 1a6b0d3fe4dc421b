/** Asks a task in one request (flat) or in two (hierarchical: first the apps, then a plan with only these). */
import { systemAndUser } from "../../../source/engine/text/system-and-user.ts";
import type { Reasoning, Stage } from "../../../source/engine/protocol.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import { chosenApps } from "./app-list.ts";
import type { Catalogue } from "../data/catalogue.ts";
import { callsOf, type AppTask, type Gold } from "../data/gold.ts";
import { afterMarker, appsPrompt, planPrompt } from "./prompts.ts";
import { shuffled } from "../../../source/engine/statistics/random.ts";

/** Builds the stages of one task. User messages contain only the raw instruction. */
export function stagesOf(
  task: AppTask,
  spec: Pick<RunSpec, "options">,
  shots: readonly AppTask[],
  catalogue: Catalogue,
): readonly Stage[] {
  const names = catalogue.apps.map((app) => app.name);
  const flat = spec.options["prompting"] === "flat";
  const apps: Stage = {
    name: "apps",
    messages: (_, reasoning) => systemAndUser(appsPrompt(catalogue.apps, reasoning), task.input.instruction),
    answer: answerIn,
    usable: (answer) => chosenApps(answer, names).length > 0,
    lacking: "app",
  };
  const plan: Stage = {
    name: "plan",
    messages(previous, reasoning) {
      const chosen = flat ? names : chosenApps(previous[0] ?? "", names);
      return [
        { role: "system", content: planningText(catalogue, chosen, reasoning) },
        ...shots.flatMap(demonstration),
        { role: "user", content: task.input.instruction },
      ];
    },
    answer: answerIn,
  };
  return flat ? [plan] : [apps, plan];
}

const texts = new WeakMap<Catalogue, Map<string, string>>();

/** Caches the prompt by choice of apps: few choices occur, and the whole catalogue has 34,000 characters. */
function planningText(catalogue: Catalogue, chosen: readonly string[], reasoning: Reasoning): string {
  const known = texts.get(catalogue) ?? new Map<string, string>();
  texts.set(catalogue, known);
  const shown = catalogue.apps.filter((app) => chosen.includes(app.name));
  const key = [reasoning, ...shown.map((app) => app.name)].join("\n");
  const text = known.get(key) ?? planPrompt(shown, catalogue.current_date, reasoning);
  known.set(key, text);
  return text;
}

/** Returns the text after the marker line of a chain of thought; without reasoning, the whole reply. */
const answerIn = (reply: string, reasoning: Reasoning) => (reasoning === "steps" ? afterMarker(reply) : reply);

const demonstration = (task: AppTask): Message[] => [
  { role: "user", content: task.input.instruction },
  { role: "assistant", content: demonstrationText(task.answer) },
];

/** Writes reference calls as in upstream's demonstrations, with a space before every line end. */
const demonstrationText = (gold: Gold): string =>
  callsOf(gold)
    .map(({ app, text }) => `${app}: [${text}] \n`)
    .join("");

/**
 * Selects demonstrations as upstream does: the first `count` tasks in file order whose reference plan uses the same
 * apps equally often, then random ones. Differences: upstream's pool (a training file) is not published, so other tasks
 * of the category with a different question are used, and the random choice is seeded.
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
