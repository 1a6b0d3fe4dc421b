/** What each benchmark's official reading gets out of a reply, and whether more text behind it could change that. */
import { describe, expect, it } from "vitest";
import { type FormQuestion, freeText, type TextForm } from "../../source/engine/benchmark.ts";
import { field } from "../../source/engine/text/json-record.ts";
import { hubForm } from "../../suites/apibench/score/form.ts";
import { planForm } from "../../suites/appbench/score/form.ts";
import { replyForm } from "../../suites/planbench/score/form.ts";
import { suites } from "../../suites/index.ts";
import { simulateStage } from "../../suites/toolbench/ask/simulated-reply.ts";
import { queryForm } from "../../suites/toolbench/score/form.ts";
import { tripForm } from "../../suites/travelplanner/score/form.ts";

const short = (form: TextForm | undefined) =>
  form === undefined
    ? "unread"
    : form === freeText
      ? "free"
      : `${form.isAll === true ? "all" : form.extent} ${form.got}`;
const asked = (more: object) => more as unknown as FormQuestion;

describe("TravelPlanner", () => {
  const read = (text: string, stage: string, mode = "two-stage") =>
    short(tripForm(text, asked({ stage, spec: { options: { mode } } })));

  it("has thoughts that are read unchanged, and an action that is read after its label", () => {
    expect([read("x", "thought"), read("x", "reflect")]).toEqual(["free", "free"]);
    expect(read("Action 3: FlightSearch[A, B]", "action")).toBe("closed FlightSearch[A, B]");
    expect(read("Action 1234: A[b]", "action")).toBe("unread");
    expect([read("Look", "action"), read("[x]", "action")]).toEqual(["unread", "unread"]);
  });

  it("has one line after a label from the two-stage agent, and all lines up to the next label from other strategies", () => {
    expect(read("CitySearch[Texas]\nObservation: x", "action")).toBe("closed CitySearch[Texas]");
    const lines = "CostEnquiry[{\n'a': 1}]";
    expect(read(lines, "action")).toBe("unread");
    for (const label of ["Observation 1: x", "Thought 2: y", "Action 2: A[b]"])
      expect(read(`${lines}\n${label}`, "action", "sole-planning")).toBe("closed CostEnquiry[{'a': 1}]");
  });

  it("has a plan that is a complete list, or is in the prescribed layout, which may continue", () => {
    expect(read('[{"days": 1, "current_city": "A"}]', "plan")).toBe('closed [{"days":1,"current_city":"A"}]');
    expect(read('[{"step":1,"text":"A"}]', "plan")).toBe('part [{"step":1,"text":"A"}]');
    const fields = ["Transportation", "Breakfast", "Attraction", "Lunch", "Dinner", "Accommodation"];
    const layout = ["Day 1:", "Current City: A", ...fields.map((field) => `${field}: -`), ""].join("\n");
    expect(read(layout, "plan")).toMatch(/^all \[\{"days":1,"current_city":"A","transportation":"-",/);
    for (const other of [
      `So:\n${layout}`,
      `${layout}Lunch: B (as you like)`,
      `${layout}Lunch: B.`,
      `${layout}Lunch: **B**`,
    ])
      expect(read(other, "plan")).toMatch(/^open /);
    expect(read(`${layout}Lunch: St. B & C's; D`, "plan")).toMatch(/^all /);
    expect([read("no", "plan"), read("[]", "plan")]).toEqual(["unread", "unread"]);
  });
});

describe("AppBench", () => {
  const read = (text: string, stage: string, strategy = "direct") =>
    short(planForm(text, asked({ stage, spec: { strategy } })));

  it("has names that are searched for in the first stage, which requires only one letter", () => {
    expect([read("Trains", "apps"), read("123", "apps")]).toEqual(["free", "unread"]);
  });

  it("has calls that are read line by line, even unparsable calls; a decorated name counts only as a part", () => {
    const call = '[["find",["a"],[["#to","\'York\'"]]]]';
    expect(read("Trains: [a = find(#to='York')]", "plan")).toBe(`all [["Trains"],${call}]`);
    expect(read("Answer: [Trains: [a = find(#to='York')]]", "plan")).not.toMatch(/^all /);
    expect(read("- Trains: [a = find(#to='York')]", "plan")).toBe(`part [["- Trains"],${call}]`);
    expect(read(": [a = find(#to='York')]", "plan")).toBe(`part [[],${call}]`);
    expect(read("A: [find York] B: [find Rome]", "plan")).toMatch(/^part /);
    const plan = (...apps: string[]) => read(apps.map((app) => `${app}: [find York]`).join("\n"), "plan").split(" ")[0];
    expect([plan("A", "- B"), plan("A", "B", "- C"), plan("A", "B", "")]).toEqual(["part", "part", "part"]);
    expect(read("Trains: [find York]", "plan")).toBe('all [["Trains"],[["find York",[],[]]]]');
    // The official reading ignores the words behind the call, but they may be around it.
    expect(read("Trains: [find York] now", "plan")).toBe('open [["Trains"],[["find York",[],[]]]]');
    expect(read("Hello\nTrains: [find York]", "plan")).toBe('open [["Trains"],[["find York",[],[]]]]');
    expect(read("none", "plan")).toBe("unread");
  });
});

describe("PlanBench", () => {
  const read = (text: string, split: string, extractor = "official") =>
    short(replyForm(text, asked({ spec: { split, options: { extractor } } })));

  it("has a plan in words, which ends with its own marker, and a lenient extractor that accepts any text", () => {
    const split = "blocksworld/task_1_plan_generation";
    expect(read("pick up the red block", split)).toBe("open (pick-up a)");
    expect(read("[plan]\npick up the red block\n[PLAN END]", split)).toBe("closed (pick-up a)");
    expect([read("hm", split), read("hm", split, "lenient")]).toEqual(["unread", "free"]);
    const steps = [
      "load package_0 into truck_0 at location_0_0",
      "drive truck_0 from location_0_0 to location_0_1 in city_0",
      "unload package_0 from truck_0 at location_0_1",
    ];
    const extent = (of: readonly string[], between: string) =>
      read(of.join(between), "logistics/task_1_plan_generation").split(" ")[0];
    expect([extent(steps, " "), extent(steps.slice(0, 2), " "), extent(steps, "\n")]).toEqual([
      "unread",
      "open",
      "open",
    ]);
  });

  it("has a plan in PDDL, which any other line makes invalid", () => {
    const split = "blocksworld/task_1_plan_generation_pddl";
    expect(read("(pick-up a)\n\n (stack a b)", split)).toBe("all (pick-up a)\n(stack a b)");
    expect(read("Plan:\n(pick-up a)", split)).toBe("part Plan:\n(pick-up a)");
    expect(read("Plan:\n(pick-up a)\n(stack a b)", split)).toBe("part Plan:\n(pick-up a)\n(stack a b)");
    expect(read("((pick-up a))", split)).toBe("open ((pick-up a))");
    for (const words of ["(2 words)", "(Count: 2)", "(I think so.)", "(done!)"])
      expect(read(`(pick-up a)\n\n${words}`, split)).toBe(`part (pick-up a)\n${words}`);
    expect(["Plan", "(a", "a)"].map((text) => read(text, split))).toEqual(["unread", "unread", "unread"]);
  });

  it("has a verdict, a state, and the answer that no plan exists", () => {
    expect(read("The above plan is valid.", "blocksworld/task_3_plan_verification")).toBe('open {"valid":true}');
    expect(read("hm", "blocksworld/task_3_plan_verification")).toBe("unread");
    const state = "the red block is clear and the hand is empty";
    expect(read(state, "blocksworld/task_7_plan_execution")).toBe('open ["clear_a","handempty"]');
    expect(read("nothing", "blocksworld/task_7_plan_execution")).toBe("unread");
    const none = "No plan possible.";
    expect(read(none, "unsolvable_blocksworld/task_1_plan_generation")).toBe("open no plan possible");
    expect(read(none, "blocksworld/task_1_plan_generation")).toBe("unread");
    expect(read("pick up the red block", "unsolvable_blocksworld/task_1_plan_generation")).toBe("open (pick-up a)");
  });
});

describe("ToolBench", () => {
  const read = (text: string, stage: string) => short(queryForm(text, asked({ stage, spec: {} })));

  it("has replies of a simulated server, plans and checks; a step is a call, and an answer is free text", () => {
    expect(read('{"error": "", "response": "x"}', simulateStage)).toBe("free");
    expect(read("hm", simulateStage)).toBe("unread");
    expect(["final", "check", "state", "reflect"].map((stage) => read("x", stage))).toEqual([
      "free",
      "free",
      "free",
      "free",
    ]);
    expect(read("x", "step")).toBe("unread");
    for (const stage of ["plan", "replan", "refine", "foresee"]) {
      expect(read('So: [{"1": "x"}].', stage)).toBe('closed [{"1":"x"}]');
      expect(read("x", stage)).toBe("unread");
      expect([read(" [ ]", stage), read('{"plan": []}', stage)]).toEqual(["closed []", "closed []"]);
    }
    expect(read('a {"met": true}', "extract")).toBe('closed {"met":true}');
    expect(read("none", "extract")).toBe("unread");
  });
});

describe("APIBench", () => {
  const read = (text: string, hub: string | undefined = "huggingface") =>
    short(hubForm(text, asked({ stage: "answer", facets: { ...(hub !== "" && { hub }) } })));
  const call = "<<<api_call>>>: AutoModel.from_pretrained('bert')";

  it("has a last call, which ends with the provider or with another line", () => {
    expect(read(call)).toBe("open AutoModel.from_pretrained('bert')");
    expect(read(`${call}, <<<api_provider>>>: HF`)).toBe("closed AutoModel.from_pretrained('bert')");
    expect(read(`${call}\nand more`)).toBe("closed AutoModel.from_pretrained('bert')");
    expect(read("AutoModel.from_pretrained('bert')\nmore")).toBe("open AutoModel.from_pretrained('bert')");
    expect(read("no call")).toBe("unread");
  });

  it("has the calls of its hub, or those of Hugging Face if it has no hub", () => {
    expect(read("<<<api_call>>>: torch.hub.load('a', 'b')", "torchhub")).toBe("open torch.hub.load('a', 'b')");
    expect(read(call, "")).toBe("open AutoModel.from_pretrained('bert')");
  });
});

describe("the name of the form that is asked for", () => {
  const named = (suite: string, more: object) =>
    suites.find(({ name }) => name === suite)!.formName!(
      asked({ facets: {}, ...more, spec: { split: "", options: {}, ...(field(more as never, "spec") as object) } }),
    );

  it("depends on the stage of a strategy", () => {
    const stages = ["plan", "step", "extract", "reflect", "answer"];
    const list = ["a list of steps in JSON", "a function call", "an object in JSON", undefined];
    const of = (suite: string) => stages.map((stage) => named(suite, { stage }));
    expect(of("toolbench")).toEqual([...list, undefined]);
    expect(of("apibench")).toEqual([...list, "a call after `<<<api_call>>>`"]);
    expect(named("toolbench", { stage: simulateStage })).toBe("an object in JSON with `response`");
    expect(["thought", "action", "plan"].map((stage) => named("travelplanner", { stage }))).toEqual([
      undefined,
      "an action such as `Name[...]`",
      "days with their labels, or a list of days in JSON",
    ]);
    expect(["apps", "plan"].map((stage) => named("appbench", { stage }))).toEqual([
      "names of apps",
      "lines such as `App: [call(...)]`",
    ]);
    expect(named("planningarena", { stage: "" })).toBe("an object in JSON with `GlobalThought` and `OrderSteps`");
  });

  it("depends on the kind of task", () => {
    const aspects = [undefined, "planning", "tool_usage"].map((aspect) => named("ultratool", { facets: { aspect } }));
    expect(aspects).toEqual([
      "numbered steps, one per line",
      "numbered steps, one per line",
      "a list in JSON of objects with `step`",
    ]);
    const tasks = ["task_1_plan_generation", "task_1_plan_generation_zero_shot_pddl", "task_3_plan_verification"];
    const split = (task: string) => named("planbench", { spec: { split: `blocksworld/${task}` } });
    expect([...tasks, "task_7_plan_execution"].map(split)).toEqual([
      "steps in words, one per line",
      "steps such as `(action a b)`, one per line",
      "a sentence that states whether the plan is valid",
      "facts about the state",
    ]);
  });

  it("depends on the check of an own question", () => {
    const of = (check: string) => named("own", { stage: "answer", spec: { options: { check } } });
    expect(["exact", "one-of", "number", "json", "contains", "judge", "none"].map(of)).toEqual([
      "a short answer",
      "a short answer",
      "a number",
      "JSON",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
