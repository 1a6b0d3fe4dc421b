/** Prompts contain the papers' instructions and no others; `documentation/differences.md` lists each that only one side has. */
import { globSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import type { Json, Message, RunSpec } from "../../source/engine/types.ts";
import { planningarena } from "../../suites/planningarena/index.ts";
import { openingPrompt, planPrompt, toolAgentPrompt } from "../../suites/travelplanner/ask/prompts.ts";
import { describePublished, shared } from "../shared.ts";

type Hints = "off" | "on";
const allHints: readonly Hints[] = ["off", "on"];
const textOf = (messages: readonly Message[]) => messages.map(({ content }) => content).join("\n");

/** Every message sent without hints, or with them, by suite and interface. */
const prompts = new Map<string, string>();
beforeAll(async () => {
  const loaded = await planningarena.open({ folder: sampleFolder("planningarena"), data: "sample" });
  const tasks = await loaded.tasks("generated");
  for (const hints of allHints) {
    for (const kind of ["APP", "API"]) {
      const task = tasks.find(({ facets }) => facets["interface"] === kind)!;
      const dialogue = loaded.asks.dialogue!(task, { options: { hints } } as unknown as RunSpec);
      prompts.set(`${kind} ${hints}`, textOf(dialogue.opening));
      prompts.set(`Responder ${kind}`, textOf(dialogue.responderOpening));
    }
    const spec = { options: { hints } };
    const agent = toolAgentPrompt("a trip", { part: "thought", step: 1, scratchpad: "" }, spec);
    const all = [planPrompt("", "a trip", false, spec), openingPrompt("a trip", undefined, spec), agent];
    prompts.set(`TravelPlanner ${hints}`, all.map(textOf).join("\n"));
  }
});

/** What was sent for a prompt in the table: with hints or without. */
const sent = (prompt: string, hints: Hints) =>
  prompt.startsWith("PlanningArena")
    ? ["APP", "API"].map((kind) => `${prompts.get(`${kind} ${hints}`)}\n${prompts.get(`Responder ${kind}`)}`).join("\n")
    : prompts.get(`TravelPlanner ${hints}`)!;

const folders: Readonly<Record<string, string>> = {
  AppBench: "suites/appbench/ask/*.ts",
  UltraTool: "suites/ultratool/ask/*.ts",
  "Tool-Planner": "suites/toolbench/ask/*.ts",
};
const table = readFileSync("documentation/differences.md", "utf8")
  .split("<!-- instructions -->")[1]!
  .split("<!-- end of instructions -->")[0]!
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Prompt "))
  .map((line) => line.slice(2, -2).split(" | ") as [prompt: string, instruction: string, paper: string, ours: string]);
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, words]) => words!);

describe("the documentation's table of instructions", () => {
  test.each(table)("%s: %s: correctly lists paper %s, ours %s", (prompt, instruction, paper, ours) => {
    expect(["yes", "no"]).toContain(paper);
    expect(["yes", "no", "`hints: on`"]).toContain(ours);
    expect(paper === "yes").toBe(ours === "no");
    const words = ours === "no" ? [] : quoted(instruction);
    if (ours !== "no") expect(words).not.toEqual([]);
    const suite = prompt.split(",")[0]!;
    const source = folders[suite];
    if (source !== undefined) {
      const text = globSync(source)
        .map((path) => readFileSync(path, "utf8"))
        .join("\n");
      for (const each of words) expect(text).toContain(each);
      return;
    }
    for (const each of words.filter((text) => !/^(?:date|time) /.test(text))) {
      expect(sent(prompt, "on")).toContain(each);
      expect(sent(prompt, "off").includes(each), each).toBe(ours === "yes");
    }
  });

  test("contains every line that hints add", () => {
    const listed = table.filter(([, , , ours]) => ours === "`hints: on`").flatMap(([, text]) => quoted(text));
    for (const name of ["APP", "API", "TravelPlanner"]) {
      const plain = new Set(prompts.get(`${name} off`)!.split("\n"));
      const added = prompts
        .get(`${name} on`)!
        .split("\n")
        .filter((line) => !plain.has(line) && line !== "");
      expect(added.length, name).toBeGreaterThan(0);
      for (const line of added)
        expect(
          listed.some((text) => line.includes(text)),
          line,
        ).toBe(true);
    }
  });
});

/** Clauses of the specification, in its words, and how our prompts express them. */
const plannerSays: Readonly<Record<string, RegExp>> = {
  "skilled planner with the APIs and apps given": /skilled planner\. With the apps and APIs given/,
  "one step an answer": /one step an answer/,
  "bare JSON, no Markdown": /one JSON object and nothing else: no Markdown/,
  "GlobalThought at most 300 characters, an overview of approach and aims":
    /GlobalThought: an overview of your approach and its aims, at most 300 characters/,
  "TotalSteps and StepNumber 1 to 20": /TotalSteps: [^\n]*1 to 20\.\nStepNumber: [^\n]*1 to 20\./,
  "Description at most 100, begins with a verb, says its purpose, specific, not vague":
    /Description: what this step does and what for; begin with a verb, be specific, not vague, at most 100 characters/,
  "Action `ToolName({'key': 'value'})` with the necessary parameters":
    /Action: one call, written ToolName\(\{'key': 'value'\}\), with the necessary parameters\./,
  "names tool and parameters precisely": /Name the tool and its parameters precisely\./,
};
const oursBeyond: Readonly<Record<string, RegExp>> = {
  "only the tools listed": /only the tools listed/,
  "only the apps listed or named": /only the apps listed or named/,
  "no operations but the five (their names stay, they are the form)": /no other operations than these/,
  "invent nothing": /invent nothing/,
  "say concrete values, dates with day, month and year": /concrete values you use: [^.]*dates with day, month and year/,
  "decide the number of steps at once and keep it": /Decide the number of steps in your first answer and keep it/,
  "number without gaps": /without gaps/,
};

describePublished("the specification's list of the Planner's instructions", () => {
  const spec = readFileSync(shared("specs", "captions.md"), "utf8");
  const between = (start: string, end: string) => spec.split(start)[1]!.split(end)[0]!.split("; ");

  test("contains the prompt without hints", () => {
    expect(between("Planner (Listing 2): ", ". Nothing else.")).toEqual(Object.keys(plannerSays));
    for (const says of Object.values(plannerSays)) expect(prompts.get("API off")).toMatch(says);
    const shared = Object.values(plannerSays).slice(0, 6);
    for (const says of shared) expect(prompts.get("APP off")).toMatch(says);
  });

  test("contains the additions of Planwright, which the prompt has only with hints", () => {
    expect(between("to stand behind `hints: on`: ", ". The layout of a date")).toEqual(Object.keys(oursBeyond));
    for (const says of Object.values(oursBeyond)) {
      expect(sent("PlanningArena", "off")).not.toMatch(says);
      expect(sent("PlanningArena", "on")).toMatch(says);
    }
  });
});

test("the format of a date is given once, next to the type of its parameter", async () => {
  const text = prompts.get("API off")!;
  expect(text).not.toMatch(/Dates are written/);
  for (const [, type] of text.matchAll(/: ((?:date|time)[^;\n]*)/g))
    expect(type).toMatch(/^date [^Y]*YYYY-MM-DD[^Y]*$/);
  expect(text).toMatch(/: date \(YYYY-MM-DD\)/);
});

describePublished("published tools of PlanningArena", () => {
  test("state the date format that the publisher's notes omit", async () => {
    const loaded = await planningarena.open({ folder: shared("data", "planningarena"), data: "published" });
    const tasks = await loaded.tasks("examples");
    const offers = tasks.map((task) => textOf(loaded.asks.dialogue!(task, { options: {} as Json } as RunSpec).opening));
    expect(offers.join("\n")).toMatch(/: date YYYY-MM-DD/);
  });
});
