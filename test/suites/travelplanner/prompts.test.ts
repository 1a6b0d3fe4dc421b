/** Prompts contain as much as the paper's, and name the constraints only with hints. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { RunSpec, Task } from "../../../source/engine/types.ts";
import { parseAction } from "../../../suites/travelplanner/ask/action.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import { TOOL_SPECS } from "../../../suites/travelplanner/ask/tool-specs.ts";
import { specOf } from "./run-with-replies.ts";

let loaded: LoadedSuite;
let task: Task;
beforeAll(async () => {
  loaded = await travelplanner.open({ folder: sampleFolder("travelplanner"), data: "sample" });
  task = (await loaded.tasks("train"))[0]!;
});
afterAll(() => loaded.close?.());

const withHints = (spec: RunSpec): RunSpec => ({ ...spec, options: { ...spec.options, hints: "on" } });

/** Every system message that a run of this spec can send, by recipient. */
async function told(spec: RunSpec): Promise<Readonly<Record<string, string>>> {
  const [stage] = loaded.asks.stages!(task, spec, []);
  const environment = await loaded.asks.environment!.open(task, spec);
  const system = (messages: readonly { readonly content: string }[]) => messages[0]!.content;
  const planner = environment.consult?.(parseAction("Planner[a trip]"))?.messages;
  return {
    direct: system(stage!.messages([], "none")),
    cot: system(stage!.messages([], "steps")),
    agent: system(environment.dialect!.messages("thought", 1, "", [])),
    ...(planner === undefined ? {} : { planner: system(planner) }),
  };
}

/** Words by which a prompt could reveal the constraints. */
const constraints: readonly (readonly [name: string, words: RegExp])[] = [
  ["Reasonable City Route", /\b(?:begin|start|end|finish)\b[^.]*\b(?:city|home)/i],
  ["Diverse Restaurants and Attractions", /\b(?:twice|again|repeat\w*|all different|distinct|same)\b/i],
  ["Non-conf. Transportation", /change between|\bmix\w*\b|combin\w*/i],
  ["Complete Information", /every (?:night|day|meal)|but the last|all meals/i],
  ["Minimum Nights Stay", /minimum|fewest|least (?:number of )?nights/i],
  ["Budget", /budget|afford\w*|cheap\w*/i],
  ["what to take care of", /take care|route, transport|every stop/i],
];

describe("prompts without hints", () => {
  test.each(["sole-planning", "two-stage"])("do not mention the checks of a plan: %s", async (mode) => {
    for (const [who, text] of Object.entries(await told(specOf("react", mode))))
      for (const [name, words] of constraints) {
        expect(text.match(words)?.[0], `${name} in the prompt of ${who}`).toBeUndefined();
      }
  });

  test("differ between planning at once and step by step only by the request to think", async () => {
    const { direct, cot } = await told(specOf("direct"));
    expect(cot!.replace("\n\nThink step by step before you write the plan.", "")).toBe(direct);
    for (const said of [
      "All details come from the information given",
      "align with commonsense",
      "`-` stands where nothing is needed",
      "nothing is planned after the return",
      "`from A to B`",
    ])
      expect(direct).toContain(said);
    expect(direct).not.toMatch(/diverse/);
  });

  test("ask agents that only plan to vary meals and attractions", async () => {
    const { agent, direct } = await told(specOf("reflexion"));
    expect(
      agent!.startsWith(`${direct!.split("\n")[0]} Attractions visited and meals are expected to be diverse.`),
    ).toBe(true);
  });

  test("ask the agent with tools to gather all information, not to nest calls, and to write down each search", async () => {
    const { agent, planner, direct } = await told(specOf("react", "two-stage"));
    expect(agent).toContain("Take as many steps as needed to collect enough information");
    expect(agent).toContain("must not be nested");
    expect(agent).toContain("right after each search");
    expect(planner).toBe(direct);
  });

  test("have a line for each tool with its purpose, its arguments and an example that is a valid call", async () => {
    const { agent } = await told(specOf("react", "two-stage"));
    const tools = agent!.matchAll(
      /^(?<name>\w+)\[(?<names>[^\]]+)\]: .+\n {2}(?<explained>.+)\n {2}For example: (?<call>\w+\[[^\]]+\]) /gm,
    );
    const described = [...tools].map(({ groups }) => groups!);
    expect(described.map(({ name }) => name)).toEqual(TOOL_SPECS.map(({ name }) => name).slice(0, 8));
    for (const { name, names, explained, call } of described) {
      const parsed = parseAction(call!);
      expect(parsed.name, call).toBe(name);
      for (const argument of names!.split(", ")) expect(explained, name).toContain(argument);
      const { required } = TOOL_SPECS.find((spec) => spec.name === name)!.parameters as { required: string[] };
      expect(names!.split(", "), name).toHaveLength(required.length);
      // The place in a worked example is not in the tables, so it reveals no answer.
      expect(call).not.toMatch(/FlightSearch\[(?!Alder Bay)/);
    }
    expect(agent).not.toMatch(/price|cuisine|house rule|nights|guests|kind/);
  });
});

describe("prompts with `hints: on`", () => {
  test.each([
    ["sole-planning", ["direct", "cot", "agent"]],
    ["two-stage", ["direct", "cot", "agent", "planner"]],
  ])("add lines to the prompts of %s and remove none", async (mode, who) => {
    const [plain, hinted] = [await told(specOf("react", mode)), await told(withHints(specOf("react", mode)))];
    for (const name of who) {
      expect(hinted[name]!.length, name).toBeGreaterThan(plain[name]!.length);
      for (const line of plain[name]!.split("\n")) expect(hinted[name]!.split("\n"), name).toContain(line);
    }
    expect(hinted["direct"]).toMatch(/the budget included/);
  });

  test("change the run's id, are off by default, and have no effect on a search without a model", () => {
    const context = { suites: [travelplanner], defaultData: () => "sample" as const };
    const runs = (cell: string) => {
      const { runs: planned, problems } = planRunCell(`suite: travelplanner\nmodel: builtin/oracle\n${cell}`, context);
      expect(problems).toEqual([]);
      return planned;
    };
    const [usual, off, on] = [runs(""), runs("hints: off\n"), runs("hints: on\n")];
    expect(usual[0]!.run).toBe(off[0]!.run);
    expect(on[0]!.run).not.toBe(off[0]!.run);
    expect(on[0]!.spec.options["hints"]).toBe("on");
    const [first, second] = runs("hints: [off, on]\n");
    expect([first!.label, second!.label]).toEqual(["hints off", "hints on"]);
    expect(runs("strategy: greedy\nhints: on\n")[0]!.spec.options["hints"]).toBeUndefined();
  });
});
