/** A conversation beside its reference: calls that the reference has too are matched. */
import type { ConversationAnswer } from "../../../source/engine/protocol.ts";
import type { PlanStep, TaskView } from "../../../source/engine/loaded-suite.ts";
import type { Json } from "../../../source/engine/types.ts";
import { scenarioText } from "../ask/prompts.ts";
import type { ServiceTask } from "../data/service-task.ts";
import { equal, type Fields, pythonJson } from "../environment/value.ts";
import type { Side, ToolResult } from "../environment/world.ts";
import { turnsOf } from "./answer.ts";
import { play } from "./evaluate.ts";

type Made = { readonly side: Side; readonly name: string; readonly args: Fields };

export function viewOf({ input: task }: ServiceTask, answer: Json | undefined): TaskView {
  const turns = answer === undefined ? [] : turnsOf(answer as ConversationAnswer);
  const { results } = play(task, turns);
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
  const background = [
    { title: "Scenario of the user", text: scenarioText(task.scenario) },
    ...(wanted.length === 0 ? [] : [{ title: "Must hold at the end", text: wanted.join("\n") }]),
    ...(communicate.length === 0 ? [] : [{ title: "Must be reported", text: communicate.join("\n") }]),
  ];
  return {
    reference: actions.map((action, index) => stepOf(action, expected[index])),
    plan: calls.map((call, index) => stepOf(call, results[index])),
    matches,
    background,
  };
}

const isSame = (one: Made, other: Made) =>
  one.side === other.side && one.name === other.name && equal(one.args, other.args);

function stepOf({ side, name, args }: Made, result: ToolResult | undefined): PlanStep {
  return {
    title: `${side === "user" ? "user" : "agent"}: ${name}`,
    lines: [pythonJson(args), `→ ${result?.text ?? "not executed"}`],
    needs: [],
  };
}
