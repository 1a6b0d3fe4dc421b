/** Plans of solved tasks are passed to later tasks, for strategies that learn from them. */
import { expect, test } from "vitest";
import { ask } from "../../../source/engine/run/ask.ts";
import { solutionNote } from "../../../source/engine/run/solutions.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();

/** A strategy that answers t1 incorrectly and records the plans each task received. */
function learner(sequential: boolean) {
  const handed: string[] = [];
  let [running, most] = [0, 0];
  const strategy: Strategy<"stages"> = {
    name: "learner",
    title: "Learner",
    needs: "stages",
    revision: 1,
    roles: ["model"],
    sequential: () => sequential,
    async *run({ task, solutions, ...context }) {
      most = Math.max(most, (running += 1));
      handed.push(
        `${task.id}: ${solutions === undefined ? "nothing" : solutions.map((plan) => plan.join("+")).join(" ")}`,
      );
      const messages = [{ role: "user" as const, content: task.question }];
      const { text } = yield* ask({ task, ...context }, { role: "model", stage: "plan", messages });
      yield solutionNote([`use ${task.id}`]);
      yield { type: "answer", answer: task.id === "t1" ? "wrong" : text };
      running -= 1;
    },
  };
  return { strategy, handed, most: () => most };
}

const cell = "```run main\nsuite: tiny\nmodel: builtin/oracle\nlimit: 0\n```\n";

test("a sequential run executes one task at a time, in order, and passes correct solutions to later tasks", async () => {
  const { strategy, handed, most } = learner(true);
  const suites = [Object.assign(tinySuite().suite, { strategies: [strategy] })];
  const loaded = await sessions.open(cell, { suites });
  const main = cellNamed(loaded, "main");
  await loaded.run(main);
  expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done", counts: { right: 11, wrong: 1 } });
  expect(most()).toBe(1);
  const plans = (...numbers: number[]) => numbers.map((number) => `use t${number}`).join(" ");
  expect(handed.slice(0, 4)).toEqual(["t0: ", `t1: ${plans(0)}`, `t2: ${plans(0)}`, `t3: ${plans(0, 2)}`]);

  // When a task is executed again, by this or a later process, it receives the plans of all other tasks but never its own.
  const { run } = runsOf(loaded, "main")[0]!;
  const others = `t2: ${plans(0, 3, 4, 5, 6, 7, 8, 9, 10, 11)}`;
  await loaded.run(main, [{ run, task: "t2" }]);
  expect(handed.at(-1)).toBe(others);
  await loaded.close();
  const again = await sessions.open(undefined, { suites });
  await again.run(cellNamed(again, "main"), [{ run, task: "t2" }]);
  expect(handed.at(-1)).toBe(others);
});

test("a run that is not sequential executes as many tasks as its concurrency, and passes on no solutions", async () => {
  const { strategy, handed, most } = learner(false);
  const loaded = await sessions.open(cell, { suites: [Object.assign(tinySuite().suite, { strategies: [strategy] })] });
  await loaded.run(cellNamed(loaded, "main"));
  expect(most()).toBeGreaterThan(1);
  expect(new Set(handed.map((line) => line.split(": ")[1]))).toEqual(new Set(["nothing"]));
});
