/**
 * The multi-turn categories of documentation/examples/bfcl: the contract, what is right and wrong in them, and, with the published data
 * (PLANWRIGHT_BFCL), the wheel's own systems and checker on the same calls.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pythonCall, readReply } from "../../../documentation/examples/bfcl/turns/calls.ts";
import { refusalOf, type Turns } from "../../../documentation/examples/bfcl/turns/check.ts";
import { Systems } from "../../../documentation/examples/bfcl/turns/execute.ts";
import { mostSteps, turns as strategy } from "../../../documentation/examples/bfcl/turns/strategy.ts";
import { bfclTurns } from "../../../documentation/examples/bfcl/turns/suite.ts";
import { readTurnTasks, turnCategories, type TurnsTask } from "../../../documentation/examples/bfcl/turns/tasks.ts";
import { checkSuite } from "../../../source/kit.ts";
import type { Step, ToolCall } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";
import { anyTurns, changedTurns, rightTurns } from "../bfcl/turns.ts";
import { notebook, userFolder } from "../program.ts";

const wheel = process.env["PLANWRIGHT_BFCL"];
const example = `${import.meta.dirname}/../../../documentation/examples/bfcl/suite.ts`;
const sample = bfclTurns.sampleFolder!;
const sampleTask = async (category: string) => (await readTurnTasks(sample, category))[0]!;

/** Plays a task with these replies, each a list of calls; a text once they are used up. */
async function played(task: TurnsTask, replies: readonly (readonly [name: string, given: string])[][]) {
  const left = [...replies];
  const asked: { readonly said: string; readonly tools: readonly string[] }[] = [];
  const loaded = await bfclTurns.open({ folder: sample, data: "sample" });
  let request = 0;
  const stream = async function* ({
    messages,
    tools = [],
  }: {
    readonly messages: readonly { readonly content: string }[];
    readonly tools?: readonly { readonly name: string }[];
  }) {
    asked.push({ said: messages.at(-1)!.content, tools: tools.map(({ name }) => name) });
    for (const [index, [name, text]] of (left.shift() ?? []).entries())
      yield {
        type: "call",
        call: { id: `call-${request}-${index}`, name, text, arguments: undefined } satisfies ToolCall,
      } as const;
  };
  const steps: Step[] = [];
  const context = {
    task,
    loaded,
    spec: bareSpec("bfcl-turns"),
    shots: [],
    model: () => ({ name: "scripted", stream }),
    random: () => 0,
    signal: new AbortController().signal,
    nextRequest: () => request++,
  };
  for await (const step of strategy.run(context as unknown as Parameters<typeof strategy.run>[0])) steps.push(step);
  const answer = steps.findLast((step) => step.type === "answer")?.answer;
  const score = await loaded.score(
    task,
    { answer, steps, failure: undefined },
    { spec: context.spec, signal: context.signal },
  );
  return { asked, answer, score };
}

describe("BFCL's turns as a user's own suite", () => {
  it("satisfies the contract of a suite", async () => {
    expect(await checkSuite(bfclTurns)).toEqual([]);
  });

  it("adds functions in the turn that introduces them, and continues if a reply has no readable call", async () => {
    const task = await sampleTask("multi_turn_miss_func");
    const { asked, answer, score } = await played(task, [
      [],
      [["wc", '{"file_name": "notes.txt", "mode": "w"}']],
      [["wc", "no JSON"]],
      [["rm", '{"file_name": "notes.txt"}']],
    ]);
    expect(asked.map(({ tools }) => tools.includes("wc"))).toEqual([false, true, true, true, true]);
    expect(asked.map(({ said }) => said)).toEqual([
      "How many words are in notes.txt?",
      "There are more functions now. Please try again with them.",
      '{"count": 2, "type": "words"}',
      "Remove notes.txt.",
      `{"result": "'notes.txt' removed"}`,
    ]);
    expect(answer).toEqual({
      turns: [[], [["wc(file_name='notes.txt',mode='w')"]], [["rm(file_name='notes.txt')"]]],
      end: "done",
    });
    expect(score).toMatchObject({ value: 1, errors: [] });
  });

  it("ends a task one step after the limit of a turn", async () => {
    const task = await sampleTask("multi_turn_base");
    const again = Array.from({ length: 30 }, () => [["ls", "{}"] as const]);
    const { asked, answer, score } = await played(
      task,
      again.map((calls) => [...calls]),
    );
    expect([mostSteps, asked.length]).toEqual([20, 21]);
    expect(answer).toMatchObject({ end: "step limit" });
    expect(score).toMatchObject({ value: 0, errors: [{ kind: "step-limit", step: 0 }] });
  });

  it.each([
    [[[], [["mv(source='old.txt', destination='archive')"]]], "empty-turn", 0],
    [[[["cd(folder='recipes')"]], [["mkdir(dir_name='archive')"]]], "state", 0],
    [
      [[["cd(folder='recipes')"], ["mkdir(dir_name='archive')"]], [["mv(source='old.txt', destination='archive')"]]],
      "results",
      1,
    ],
    [
      [[["cd('recipes')"], ["mkdir('archive')"], ["wc('green.txt')"]], [["mv('old.txt', 'archive')"]]],
      undefined,
      undefined,
    ],
  ] as readonly (readonly [Turns, string | undefined, number | undefined])[])(
    "judges %j as %s",
    async (turns, kind, turn) => {
      const task = await sampleTask("multi_turn_base");
      const refusal = refusalOf(task.input.world, turns, task.answer);
      expect([refusal?.kind, refusal?.turn]).toEqual([kind, turn]);
    },
  );

  it("reads calls in the formats that models write and that BFCL's prompts request", () => {
    expect(pythonCall({ name: "add", text: '{"a": 5.0, "b": [true, null, "it\'s"]}' })).toBe(
      `add(a=5.0,b=[True, None, "it's"])`,
    );
    expect(pythonCall({ name: "add", text: "[1]" })).toBeUndefined();
    expect(readReply("```\nls(a=True), cd(folder=documents)```")).toEqual(["ls(a=True)", "cd(folder='documents')"]);
    expect(readReply("wc('first', mode='w')")).toEqual(["wc(mode='w')"]);
    expect(readReply("I cannot do that.")).toBeUndefined();
  });

  it("gives the results and errors of Python", async () => {
    const { world } = (await sampleTask("multi_turn_base")).input;
    const systems = new Systems({ ...world, classes: ["GorillaFileSystem", "MathAPI"] }, "planwright");
    const results = [
      "pwd()",
      "mv('a')",
      "fly()",
      "kill()",
      "touch(file_name='a (b)')",
      "ls()",
      "divide(a=1, b=3)",
      "cd(folder=3)",
    ].map((call) => systems.execute(call));
    expect(results).toEqual([
      '{"current_working_directory": "/studio"}',
      "Error during execution: GorillaFileSystem.mv() missing 1 required positional argument: 'destination'",
      "Error during execution: name 'fly' is not defined",
      "Error during execution: Function call kill is not allowed.",
      "None",
      '{"current_directory_content": ["recipes", "notes.txt", "a(b)"]}',
      '{"result": 0.3333333333333333}',
      "Error during execution: 'int' object has no attribute 'rstrip'",
    ]);
  });
});

it("a BFCL task ends even if folders were copied into themselves, or repeatedly into each other", async () => {
  const task = await sampleTask("multi_turn_base");
  const doubling = Array.from({ length: 60 }, (_, index) => [
    `cp('recipes', 'copy${index}')`,
    `mv('copy${index}', 'recipes')`,
  ]).flat();
  const systems = new Systems(task.input.world, "planwright");
  for (const call of doubling) systems.execute(call);
  const endless = "Error during execution: maximum recursion depth exceeded";
  expect([systems.execute("find()"), systems.execute("du()")]).toEqual([endless, endless]);
  expect(refusalOf(task.input.world, [[["cd('recipes')", ...doubling]], []], [doubling, []])?.kind).toBe("state");
  expect(refusalOf(task.input.world, [[doubling]], [doubling])).toBeUndefined();
  systems.execute("cp('recipes', 'recipes')");
  expect(systems.execute("find(path='recipes')")).toBe(endless);
});

/** Texts of errors, and the sums of floats, are those of Python 3.11. */
const hasPython =
  wheel !== undefined &&
  spawnSync("python3", ["-c", "import mpmath, sys; sys.exit(sys.version_info[:2] != (3, 11))"], {
    env: { ...process.env, PYTHONPATH: wheel },
  }).status === 0;

/** The wheel's results of calls: by turn, with a hash of the state after each, and its checker's verdict. */
type Official = {
  readonly results: readonly (readonly string[])[];
  readonly states: readonly string[];
  readonly verdict: string;
};
type Asked = { readonly task: TurnsTask; readonly turns: Turns };

function official(asked: readonly Asked[]): readonly Official[] {
  const lines = asked.map(({ task, turns }) =>
    JSON.stringify({ category: task.facets["category"], task: task.id, turns }),
  );
  const script = `${import.meta.dirname}/../bfcl/turns.py`;
  const { stdout, stderr, status } = spawnSync("python3", [script, wheel!], {
    input: `${lines.join("\n")}\n`,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Official);
}

const verdicts: Readonly<Record<string, string>> = {
  state: "instance_state_mismatch",
  results: "execution_response_mismatch",
  "empty-turn": "empty_turn_model_response",
};

/** Texts that Python writes in another order in each process. */
const settled = (text: string) =>
  text.replace(/one of \{.*?\}/, "one of").replace(/(Invalid fields for update: ).*/, "$1");

function ours({ task: { input, answer }, turns }: Asked): Official {
  const systems = new Systems(input.world, "planwright_eval");
  const results: string[][] = [];
  const states = turns.map((steps) => {
    results.push(steps.flat().map((call) => systems.execute(call)));
    return hashOf(Object.fromEntries([...systems.byClass].map(([name, system]) => [name, system.stateText()])));
  });
  if (turns.length < answer.length) return { results, states, verdict: "short" };
  const refusal = refusalOf(input.world, turns, answer);
  return { results, states, verdict: refusal === undefined ? "right" : `multi_turn:${verdicts[refusal.kind]}` };
}

type Texts = string | { readonly [key: string]: Texts };

/** The hash of `json.dumps(value, sort_keys=True)`. */
function hashOf(value: Texts): string {
  const written = (each: Texts): string => {
    if (typeof each !== "string")
      return `{${Object.keys(each)
        .toSorted()
        .map((key) => `${written(key)}: ${written(each[key]!)}`)
        .join(", ")}}`;
    return JSON.stringify(each).replaceAll(
      /[\u0080-\uffff]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  };
  return createHash("sha256").update(written(value)).digest("hex");
}

/** Calls whose results differ, turns whose states differ, and verdicts that differ. */
function differences(asked: readonly Asked[], said: readonly Official[]): readonly string[] {
  return asked.flatMap((each, index) => {
    const [own, other] = [ours(each), said[index]!];
    const place = `${each.task.id}, ${index}`;
    const results = each.turns.flatMap((steps, turn) =>
      steps.flat().flatMap((call, at) => {
        const [mine, theirs] = [settled(own.results[turn]![at]!), settled(other.results[turn]![at]!)];
        return mine === theirs ? [] : [`${place}: ${call} gives ${mine}, officially ${theirs}`];
      }),
    );
    const states = own.states.flatMap((state, turn) =>
      state === other.states[turn] ? [] : [`${place}: state, turn ${turn}`],
    );
    const verdict = own.verdict === other.verdict ? [] : [`${place}: ${own.verdict}, officially ${other.verdict}`];
    return [...results, ...states, ...verdict];
  });
}

describe.skipIf(!hasPython)(
  "BFCL's own systems and checker (PLANWRIGHT_BFCL, with mpmath next to it, and Python 3.11)",
  () => {
    const tasksOf = async () =>
      (await Promise.all(turnCategories.map(({ name }) => readTurnTasks(wheel!, name)))).flat();

    it("agree on the right calls of all tasks, after every turn", async () => {
      const asked = (await tasksOf()).map((task) => ({ task, turns: rightTurns(task) }));
      const said = official(asked);
      expect(said).toHaveLength(800);
      expect(differences(asked, said)).toEqual([]);
      expect(new Set(said.map(({ verdict }) => verdict))).toEqual(new Set(["right"]));
    });

    it("agree on 200 changes of right calls, and on 6,000 calls with arguments of any kind", async () => {
      const tasks = await tasksOf();
      const asked = Array.from({ length: 450 }, (_, index): Asked => {
        const task = tasks[(index * 37) % tasks.length]!;
        return { task, turns: index < 200 ? changedTurns(task, index + 1) : anyTurns(task, index + 1) };
      });
      const said = official(asked);
      expect(differences(asked, said)).toEqual([]);
      expect(new Set(said.slice(0, 200).map(({ verdict }) => verdict)).size).toBe(4);
    });

    const user = userFolder();
    it("can be added from the wheel, and right calls are right in a run", () => {
      const own = ["--with", example];
      user.write(
        "session/session.md",
        notebook(
          "suite: bfcl-turns\nsplit: [multi_turn_miss_func, multi_turn_long_context]\nmodel: builtin/oracle\nlimit: 20",
        ),
      );
      expect(user.planwright("data", "add", "bfcl-turns", "--from", wheel!, ...own)).toMatchObject({
        status: 0,
        err: "",
      });
      const all = { spec: { data: "published" }, counts: { right: 20, wrong: 0, failed: 0 } };
      expect(user.runs(...own)).toMatchObject([all, all]);
    });

    it("agree on the scores of predictions", async () => {
      const task = (await readTurnTasks(wheel!, "multi_turn_base"))[0]!;
      const asked = {
        lines: [
          { number: 1, value: { id: task.id, result: rightTurns(task) as string[][][] } },
          { number: 2, value: { id: task.id, result: task.answer.map(() => ["No."]) } },
        ],
        folder: wheel!,
        data: "published" as const,
        split: "multi_turn_base",
        flags: {},
        signal: new AbortController().signal,
      };
      const { records, aggregate } = await bfclTurns.predictions!.score(asked);
      expect(records).toEqual([
        { id: task.id, valid: true },
        { id: task.id, valid: false, error: "empty-turn", turn: 0 },
      ]);
      expect(aggregate).toEqual({ n: 2, right: 1 });
      await expect(
        bfclTurns.predictions!.score({ ...asked, lines: [{ number: 3, value: { id: "else" } }] }),
      ).rejects.toThrow("Line 3: Expected the `id` of a task");
    });
  },
);
