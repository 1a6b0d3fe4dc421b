/** How a task is asked: in one request (flat) or in two (hierarchical: apps first, then the plan with only these). */
import type { Reasoning, Stage } from "../../../source/engine/protocol.ts";
import type { Message, RunSpec } from "../../../source/engine/types.ts";
import { chosenApps } from "./app-list.ts";
import type { Catalogue } from "../data/catalogue.ts";
import { callsOf } from "../data/gold.ts";
import type { AppTask, Gold } from "../data/gold.ts";
import { afterMarker, appsPrompt, planPrompt } from "./prompts.ts";

/** The stages of one task. Only the raw instruction goes into user messages. */
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
    messages: (_, reasoning) => [
      { role: "system", content: appsPrompt(catalogue.apps, reasoning) },
      { role: "user", content: task.input.instruction },
    ],
    answer: answerIn,
    usable: (answer) => chosenApps(answer, names).length > 0,
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

/** The same few choices of apps come again and again, and the whole catalogue is 34,000 characters: each text is kept. */
function planningText(catalogue: Catalogue, chosen: readonly string[], reasoning: Reasoning): string {
  const known = texts.get(catalogue) ?? new Map<string, string>();
  texts.set(catalogue, known);
  const shown = catalogue.apps.filter((app) => chosen.includes(app.name));
  const key = [reasoning, ...shown.map((app) => app.name)].join("\n");
  const text = known.get(key) ?? planPrompt(shown, catalogue.current_date, reasoning);
  known.set(key, text);
  return text;
}

/** A chain of thought ends with a marker line and the answer; any other reply is the answer. */
const answerIn = (reply: string, reasoning: Reasoning) => (reasoning === "steps" ? afterMarker(reply) : reply);

function demonstration(task: AppTask): Message[] {
  return [
    { role: "user", content: task.input.instruction },
    { role: "assistant", content: demonstrationText(task.answer) },
  ];
}

/** Reference calls as upstream writes them in demonstrations: a blank before every line end. */
function demonstrationText(gold: Gold): string {
  return callsOf(gold)
    .map(({ app, text }) => `${app}: [${text}] \n`)
    .join("");
}
