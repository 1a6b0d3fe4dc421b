/** Shows a plan beside its reference on the trajectory screen. */
import type { PlanStep, TaskView } from "../../../source/engine/loaded-suite.ts";
import type { Json } from "../../../source/engine/types.ts";
import { suggestLevel } from "../data/generator/sizes.ts";
import { matchSubtasks } from "./matching.ts";
import { outlineOf } from "../ask/dialogue.ts";
import { referenceSteps } from "../ask/reference-plan.ts";
import { readAnswer } from "./score.ts";
import { userInfo, type ArenaTask } from "../data/task.ts";
import { actionTexts, transcriptOfRecords } from "./transcript.ts";

/** Builds reference and plan as steps with dependencies, matched as in scoring. */
export function describeTask(task: ArenaTask, answer: Json | undefined): TaskView {
  const { head, profile, offer, queryZh } = task.input;
  const { gold } = task.answer;
  const api = head.operationalScenario === "API";
  const ids = gold.subtasks.map(({ id }) => id);
  const reference = referenceSteps(task).map(({ description, action, results }, index): PlanStep => {
    const needs = gold.edges.filter(({ to }) => to === ids[index]).map(({ from }) => ids.indexOf(from));
    return { title: description, lines: linesOf(action, results), needs: needs.filter((need) => need >= 0) };
  });
  const records = readAnswer(answer)?.dialogue ?? [];
  const { steps } = transcriptOfRecords(records, api);
  const nodes = outlineOf(task, head.query, profile?.sections, records);
  const plan = steps.map((step, index): PlanStep => ({
    title: step.description,
    lines: linesOf(step.action, step.results),
    needs: nodes[index]!.needs,
  }));
  const matches = matchSubtasks(gold.subtasks, steps).flatMap((step, subtask) =>
    step === undefined ? [] : [[subtask, step] as const],
  );
  const who =
    profile === undefined ? [] : [{ title: `Profile ${profile.id}`, text: JSON.stringify(userInfo(profile), null, 2) }];
  const zh = queryZh === undefined ? [] : [{ title: "中文", text: queryZh }];
  const tools = api ? [...offer.apis.keys()].join(", ") : offer.apps.join(", ");
  const size = suggestLevel(Number(task.facets["tools"]), gold.subtasks.length);
  const level = { title: "Level", text: `${head.level}; the numbers of tools and subtasks suggest ${size}` };
  return {
    reference,
    plan,
    matches,
    background: [level, ...who, ...zh, { title: `Offered: ${offer.name}`, text: tools }],
  };
}

function linesOf(action: Json, results: Json): string[] {
  const did =
    typeof action === "string"
      ? [action]
      : Object.keys(action ?? {}).map((name, index) => `${name}: ${actionTexts(action)[index] ?? ""}`);
  return [...did, `→ ${typeof results === "string" ? results : JSON.stringify(results)}`];
}
