/** A user's agent in each kind of suite: what it receives, and that its answers count like any other's. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Suite } from "../../../../source/engine/suite.ts";
import type { Event } from "../../../../source/engine/types.ts";
import { simpleSuite } from "../../../../source/engine/simple-suite/simple-suite.ts";
import { suites } from "../../../../suites/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../../workbench/temporary-session.ts";

const sessions = temporarySessions();

/** An agent in JavaScript that runs this code for each line it receives; `ask` sends messages to our model. */
const agentOf = (body: string) => [
  process.execPath,
  "-e",
  `const send = (line) => console.log(JSON.stringify(line));
  const ask = async ({ model, messages }) => {
    const body = JSON.stringify({ model: "model", messages });
    const request = { method: "POST", headers: { "content-type": "application/json" }, body };
    return (await (await fetch(model.url + "/chat/completions", request)).json()).choices[0].message.content;
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", async (text) => {
    const line = JSON.parse(text);
    ${body}
  });`,
];
const passingOn = agentOf('if (line.type === "task") send({ type: "answer", answer: await ask(line) });');

async function run(command: readonly string[], fields: string, own: readonly Suite[] = suites) {
  const agent = { name: "mine", command, folder: sessions.folder, seconds: 60, megabytes: 4000 };
  const cell = (name: string, more: string) =>
    `\`\`\`run ${name}\nmodel: builtin/oracle\nlimit: 6\n${fields}\n${more}\n\`\`\`\n`;
  const text = `# Mine\n\n${cell("by-agent", "strategy: agent\nagent: mine")}\n`;
  const workbench = await sessions.open(text, { suites: own, settings: { agents: [agent] } });
  const id = cellNamed(workbench, "by-agent");
  expect(workbench.state(id)).toMatchObject({ problems: [] });
  workbench.programs.allow(workbench.programs.unallowed(id));
  await workbench.run(id, undefined, "stop");
  const [state] = runsOf(workbench, "by-agent");
  const log = readFileSync(join(sessions.path, "runs", state!.run, "events.jsonl"), "utf8");
  const events = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);
  return { state: state!, rows: workbench.rows(state!.run), events };
}

describe("an agent in a suite that asks in stages", () => {
  test("receives each stage, and is scored like a model: all tasks with the oracle's answers are right", async () => {
    const { state, events } = await run(passingOn, "suite: appbench\nsplit: mm\nprompting: hierarchical");
    expect(state).toMatchObject({ status: "done", counts: { right: 6, wrong: 0, failed: 0 }, calls: 12 });
    const asked = events.flatMap((event) => (event.type === "prompt" ? [event.stage] : []));
    expect(new Set(asked)).toEqual(new Set(["apps", "plan"]));
  });

  test.each([
    ["ultratool", "split: en/planning"],
    ["ultratool", "split: en/tool_usage"],
  ])("solves all tasks of %s, %s", async (suite, more) => {
    const { state } = await run(passingOn, `suite: ${suite}\n${more}\njudge: builtin/oracle`);
    expect(state).toMatchObject({ status: "done", counts: { right: 6, wrong: 0, failed: 0 } });
  });

  test("can run a suite of a few lines written by the user", async () => {
    const tasks = [3, 4].map((sum) => ({ id: `${sum}`, question: `1 + ${sum - 1}`, answer: `${sum}` }));
    const sums = simpleSuite({
      name: "sums",
      tasks,
      prompt: ({ question }) => `Answer with the number only: ${question}`,
      score: ({ answer }, reply) => reply === answer,
    });
    const adding = agentOf(
      'const [one, other] = line.question.split(" + ").map(Number); send({ type: "answer", answer: one + other });',
    );
    expect((await run(adding, "suite: sums", [sums])).state.counts).toMatchObject({ right: 2 });
  });

  test("answers the user's own questions without any tools", async () => {
    const text = "question,answer\n1 + 2,3\n3 + 4,7\n";
    const adding = agentOf(
      'const [one, other] = line.question.split(" + ").map(Number); send({ type: "answer", answer: one + other });',
    );
    mkdirSync(sessions.path, { recursive: true });
    writeFileSync(join(sessions.path, "questions.csv"), text);
    const { state } = await run(adding, "suite: own\nfrom: questions.csv\ncheck: number");
    expect(state).toMatchObject({ status: "done", counts: { right: 2, failed: 0 }, calls: 0 });
  });

  test("has no tools to call, and leaves a task without an answer if it gives up", async () => {
    const tries = agentOf(`if (line.type === "task") send({ type: "call", id: 1, name: "search", arguments: {} });
      else { send({ type: "note", text: line.content }); send({ type: "answer", answer: null }); }`);
    const { state, events } = await run(tries, "suite: appbench\nsplit: ss");
    expect(state.counts).toMatchObject({ right: 0, wrong: 6, failed: 0 });
    const notes = events.flatMap((event) => (event.type === "note" ? [event.text] : []));
    expect(new Set(notes)).toEqual(new Set(["There are no tools in this task", "gave up"]));
  });
});

describe("an agent in TravelPlanner", () => {
  const searching = agentOf(`globalThis.calls ??= [];
    if (line.type === "task") {
      if (line.tools.some(({ name }) => name === "Planner")) {
        globalThis.task = line;
        calls.push(["CitySearch", { state: "Nowhere" }], ["NotebookWrite", { description: "cities" }]);
        calls.push(["Planner", { query: line.question }]);
      }
    }
    const [name, given] = calls.shift() ?? [];
    if (name) send({ type: "call", id: name, name, arguments: given });`);

  test("gets the tools of both stages with named arguments, and the agent's planner writes the plan", async () => {
    const { state, rows, events } = await run(searching, "suite: travelplanner\nsplit: train");
    expect(state.spec.options["mode"]).toBe("two-stage");
    expect(state).toMatchObject({ status: "done", counts: { right: 6, wrong: 0, failed: 0 } });
    expect(rows[0]!.score!.metrics).toMatchObject({ "tool:CitySearch": 1, "tool:NotebookWrite": 1, "tool:Planner": 1 });
    const results = events.flatMap((event) => (event.type === "result" ? [event.result.status] : []));
    expect(results.slice(0, 3)).not.toContain("invalidAction");
  });

  test("can give a plan itself, in either mode", async () => {
    for (const mode of ["two-stage", "sole-planning"]) {
      const { state, events } = await run(passingOn, `suite: travelplanner\nsplit: train\nmode: ${mode}`);
      expect(state, mode).toMatchObject({ status: "done", counts: { right: 6, wrong: 0, failed: 0 } });
      expect(JSON.stringify(events).includes("Information:"), mode).toBe(mode === "sole-planning");
      await sessions.end();
    }
  });

  test("can ask for the price of a day, given as an object, when the agent plans alone", async () => {
    const pricing = agentOf(`if (line.type === "task") {
        globalThis.task = line;
        const day = { people_number: 1, day: 1, current_city: "-", transportation: "-", breakfast: "-", lunch: "-", dinner: "-", accommodation: "-" };
        send({ type: "call", id: 1, name: "CostEnquiry", arguments: { day } });
      } else {
        send({ type: "note", text: line.content });
        send({ type: "answer", answer: null });
      }`);
    const { state, events } = await run(pricing, "suite: travelplanner\nsplit: train\nmode: sole-planning");
    expect(state.counts).toMatchObject({ right: 0, wrong: 6, failed: 0 });
    const notes = events.flatMap((event) => (event.type === "note" && event.kind === "agent" ? [event.text] : []));
    expect(new Set(notes)).toEqual(new Set(["Cost: The cost of your plan is 0 dollars."]));
  });
});
