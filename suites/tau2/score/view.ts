/** A conversation beside its reference: calls that the reference also has are matched. */
import type { ConversationAnswer } from "../../../source/engine/protocol.ts";
import type { PlanStep, TaskView } from "../../../source/engine/loaded-suite.ts";
import type { Json } from "../../../source/engine/types.ts";
import { scenarioText } from "../ask/prompts.ts";
import type { ServiceTask } from "../data/service-task.ts";
import { equal, type Fields, pythonJson } from "../environment/value.ts";
import type { Side, ToolResult } from "../environment/world.ts";
import { turnsOf } from "./answer.ts";
import { play, startWorld } from "./evaluate.ts";
import { stateDifferences } from "./state-differences.ts";

type Made = { readonly side: Side; readonly name: string; readonly args: Fields };

export function viewOf({ input: task }: ServiceTask, answer: Json | undefined): TaskView {
  const turns = answer === undefined ? [] : turnsOf(answer as ConversationAnswer);
  const bars: (string | undefined)[] = [];
  const { results, world } = play(task, turns, (_, seen) => void bars.push(seen.screen?.()));
  const calls: Made[] = turns.flatMap(({ by, calls: own = [] }) => own.map((call) => ({ side: by, ...call })));
  const { actions, assertions, communicate } = task.criteria;
  const expected = play(
    task,
    actions.map(({ side, name, args }) => ({ by: side, calls: [{ name, args }] })),
  ).results;
  const left = new Set(calls.keys());
  const matches = actions.flatMap((action, index): readonly (readonly [number, number])[] => {
    const found = [...left].find((at) => isSame(action, calls[at]!));
    if (found === undefined) return [];
    left.delete(found);
    return [[index, found]];
  });
  const wanted = assertions.map(({ name, args }) => `${name}(${pythonJson(args)})`);
  const changes = answer === undefined ? [] : stateDifferences(startWorld(task), world, task.reference());
  const background = [
    ...(changes.length === 0
      ? []
      : [{ title: "Changed records, compared with the reference", text: changes.join("\n") }]),
    { title: "Scenario of the user", text: scenarioText(task.scenario) },
    ...(wanted.length === 0 ? [] : [{ title: "Assertions that must hold at the end", text: wanted.join("\n") }]),
    ...(communicate.length === 0 ? [] : [{ title: "Facts that must be reported", text: communicate.join("\n") }]),
  ];
  return {
    reference: actions.map((action, index) => stepOf(action, expected[index])),
    plan: calls.map((call, index) => stepOf(call, results[index], call.side === "user" ? bars[index] : undefined)),
    matches,
    background,
  };
}

const isSame = (one: Made, other: Made) =>
  one.side === other.side && one.name === other.name && equal(one.args, other.args);

/** `bar` is the text on the user's phone after a call of the user, unless the result already contains it. */
function stepOf({ side, name, args }: Made, result: ToolResult | undefined, bar?: string): PlanStep {
  const text = result?.text ?? "not executed";
  return {
    title: `${side === "user" ? "user" : "agent"}: ${name}`,
    lines: [pythonJson(args), `→ ${text}`, ...(bar === undefined || text.includes(bar) ? [] : [`Phone: ${bar}`])],
    needs: [],
  };
}
