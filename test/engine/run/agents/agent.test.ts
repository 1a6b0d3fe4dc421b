import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { UserProgram } from "../../../../source/engine/settings/user-program.ts";
import type { Event } from "../../../../source/engine/types.ts";
import { mcp } from "../../../../suites/own/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../../workbench/temporary-session.ts";
import { type ToyTools, toyTools } from "../tool-servers/toy-tools.ts";

const sessions = temporarySessions();

const document = readFileSync(join(import.meta.dirname, "../../../../documentation/agents.md"), "utf8");
const example = /```python\n(.*?)```/s.exec(document)![1]!;
const describePython = spawnSync("python3", ["--version"]).status === 0 ? describe : describe.skip;

const questions = [
  { id: "a", question: "What is 2 + 3?", answer: 5 },
  { id: "b", question: "What is 20 + 30?", answer: 50 },
  { id: "c", question: "What is the capital of Spain?", answer: "Madrid", check: "exact" },
];

/** Runs tasks with an agent until all have ended. All tasks share one tool server process unless others are given. */
async function run(
  command: readonly string[],
  more: Partial<UserProgram> = {},
  tasks: readonly object[] = questions,
  { toys = toyTools({ kept: true }), concurrency }: { toys?: ToyTools; concurrency?: number } = {},
) {
  const agent = { name: "mine", command, folder: sessions.folder, seconds: 60, megabytes: 4000, ...more };
  const cell = "suite: mcp\ntools: [toys]\ncheck: number\nstrategy: agent\nagent: mine\nmodel: builtin/oracle\n";
  const workbench = await sessions.open(`# Mine\n\n\`\`\`run main\n${cell}\`\`\`\n`, {
    suites: [mcp],
    settings: { toolServers: [await toys.reported()], agents: [agent] },
  });
  writeFileSync(join(sessions.path, "tasks.jsonl"), tasks.map((task) => `${JSON.stringify(task)}\n`).join(""));
  workbench.refresh();
  const main = cellNamed(workbench, "main");
  workbench.programs.allow(workbench.programs.unallowed(main));
  if (concurrency !== undefined) workbench.setConcurrency(main, concurrency);
  await workbench.run(main, undefined, "stop");
  const [state] = runsOf(workbench, "main");
  const events = () =>
    readFileSync(join(sessions.path, "runs", state!.run, "events.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
  return { state: state!, rows: workbench.rows(state!.run), events, workbench, main };
}

/** An agent in JavaScript that runs this code for each line; `starts` has a line for each process. */
const javascript = (body: string) => [
  process.execPath,
  "-e",
  `require("node:fs").appendFileSync("starts", "x\\n");
  const send = (line) => console.log(JSON.stringify(line));
  require("node:readline").createInterface({ input: process.stdin }).on("line", async (text) => {
    const line = JSON.parse(text);
    ${body}
  });`,
];
const starts = () => readFileSync(join(sessions.folder, "starts"), "utf8").trim().split("\n").length;
const answering = javascript('if (line.type === "task") send({ type: "answer", answer: 5 });');

describe("a detached child process that keeps an agent's output open", () => {
  const left = () => readFileSync(join(sessions.folder, "left"), "utf8").trim().split("\n").map(Number);
  afterEach(() => {
    for (const pid of left()) process.kill(pid, "SIGKILL");
  });

  test("delays no task, whether the agent answered or not", async () => {
    const agent = javascript(`
      const served = 'require("node:net").createServer().listen(0, "127.0.0.1")';
      const child = require("node:child_process").spawn(process.execPath, ["-e", served], { detached: true, stdio: "inherit" });
      require("node:fs").appendFileSync("left", child.pid + "\\n");
      if (line.task === "a") send({ type: "answer", answer: 5 });
      process.exitCode = 3;
      child.unref();
      process.stdin.destroy();`);
    const { rows } = await run(agent, {}, questions.slice(0, 2));
    expect(rows.map(({ task, failure }) => [task, failure?.message])).toEqual([
      ["a", undefined],
      ["b", "`mine` gave no answer: the program ended with status 3"],
    ]);
    expect(left()).toHaveLength(2);
  });
});

describePython("the agent that the documentation shows, in Python", () => {
  test("calls a tool, asks the model, and has its requests logged, in twenty lines", async () => {
    expect(example.trim().split("\n")).toHaveLength(20);
    writeFileSync(join(sessions.folder, "agent.py"), example);
    const toys = toyTools();
    const { state, rows, events } = await run(["python3", "agent.py"], {}, questions, { toys });
    await toys.gone();
    expect(state).toMatchObject({ status: "done", counts: { right: 3, wrong: 0, failed: 0 } });
    expect(rows.map(({ task, counted: { calls, toolCalls } }) => [task, calls, toolCalls])).toEqual([
      ["a", 0, 2],
      ["b", 0, 2],
      ["c", 1, 1],
    ]);
    const prompts = events().filter((event) => event.type === "prompt");
    expect(prompts).toMatchObject([{ task: "c", role: "model", stage: "agent", model: "builtin/oracle" }]);
    const nodes = events().filter((event) => event.type === "node" && event.task === "a");
    expect(nodes).toMatchObject(["open", "done"].map((state) => ({ state, label: 'add({"a":2,"b":3})' })));
  });

  test("gives a run another id after its file changes", async () => {
    const path = join(sessions.folder, "agent.py");
    writeFileSync(path, example);
    const { state, workbench, main } = await run(["python3", "agent.py"]);
    writeFileSync(path, `${example}\n# better`);
    await workbench.run(main, undefined, "stop");
    expect(runsOf(workbench, "main")[0]!.run).not.toBe(state.run);
  });
});

describe("an agent whose file changed", () => {
  // Eight tasks are in flight at a time.
  const sums = Array.from({ length: 9 }, (_, index) => ({ id: `${index}`, question: "What is 2 + 3?", answer: 5 }));
  const script = () => join(sessions.folder, "agent.cjs");
  const write = (body: string) => writeFileSync(script(), javascript(body)[2]!);
  const answer = (number: number) => `if (line.type === "task") send({ type: "answer", answer: ${number} });`;

  test("fails the tasks of the active run, and a later run gets another id", async () => {
    write(`require("node:fs").appendFileSync(__filename, "// x"); ${answer(5)}`);
    const { state, workbench, main } = await run([process.execPath, script()], {}, sums);
    expect(state.counts.failed).toBeGreaterThan(0);
    expect(state.failure).toEqual({
      kind: "tool",
      message: expect.stringMatching(/^`mine` was changed while runs were active/),
    });
    write(answer(5));
    await workbench.run(main, undefined, "stop");
    const [next] = runsOf(workbench, "main");
    expect(next!.run).not.toBe(state.run);
    expect(next!.counts).toMatchObject({ right: sums.length, failed: 0 });
  });

  test("gives a run another id and new processes, even if the old process is alive and another cell was read", async () => {
    write(answer(5));
    const { state, workbench, main } = await run([process.execPath, script()], { kept: true }, sums.slice(0, 2));
    expect(state.counts).toMatchObject({ right: 2 });
    write(answer(6));
    const { source } = workbench.cells().find(({ id }) => id === main)!;
    workbench.state(workbench.insert("run", main, `${source}limit: 1\n`, "other"));
    await workbench.run(main, undefined, "stop");
    const [next] = runsOf(workbench, "main");
    expect(next!.run).not.toBe(state.run);
    expect(next!.counts).toMatchObject({ right: 0, wrong: 2 });
  });
});

describe("an agent", () => {
  test("is one process per task, or stays for the next task if the user configured it", async () => {
    const sums = Array.from({ length: 9 }, (_, index) => ({ id: `${index}`, question: "What is 2 + 3?", answer: 5 }));
    const each = await run(answering, {}, sums);
    expect(each.state.counts).toMatchObject({ right: 9 });
    expect(starts()).toBe(9);
    await sessions.end();
    const kept = await run(answering, { kept: true }, sums);
    expect(kept.state.counts).toMatchObject({ right: 9 });
    // Eight tasks are in flight at a time.
    expect(starts()).toBeLessThanOrEqual(8);
  });

  test("answers a task without output from the previous task", async () => {
    // One task at a time: four of five reach an agent that has written for the task before.
    const sums = Array.from({ length: 5 }, (_, index) => ({ id: `${index}`, question: "What is 2 + 3?", answer: 5 }));
    const answers = 'const [right, wrong] = [5, 0].map((answer) => JSON.stringify({ type: "answer", answer }));';
    const body = `${answers} console.log([right, ...Array(300).fill(wrong)].join("\\n"));`;
    // The rest of the agent's output is read while its own tool server starts for the next task.
    const { state } = await run(javascript(body), { kept: true }, sums, { toys: toyTools(), concurrency: 1 });
    expect(state.counts).toMatchObject({ right: 5 });
    expect(starts()).toBe(1);
  });

  test.each([
    [
      "ends without an answer",
      "console.error('no idea'); process.exit(3);",
      "the program ended with status 3: no idea",
      4000,
    ],
    ["writes an endless line", "process.stdout.write('x'.repeat(11e6));", "a line of more than 10 MB", 4000],
    ["uses too much memory", "", "the program used more than 1 MB of memory", 1],
    ["exits with unread output", "console.log('x\\n'.repeat(5000)); process.exit();", "status 0", 4000],
  ])("fails a task as a fault of the environment if it %s", async (_, body, message, megabytes) => {
    const { state } = await run(javascript(body), { megabytes }, questions.slice(0, 1));
    expect(state.counts).toMatchObject({ right: 0, wrong: 0, failed: 1 });
    expect(state.failure).toMatchObject({ kind: "tool", message: expect.stringContaining(message) });
  });

  test("is scored on its answer so far when its time limit is reached", async () => {
    const { rows } = await run(javascript(""), { seconds: 2 }, questions.slice(0, 1));
    expect(rows[0]).toMatchObject({
      score: { value: 0 },
      failure: { kind: "timeout", message: "`mine` did not answer within 2 seconds" },
    });
  });

  test("can print anything, describe its steps, and call unknown tools", async () => {
    const body = `if (line.type === "task") {
      console.log("Thinking ..."); console.log("[1]"); send({ type: "note", text: "a note" });
      send({ type: "call", id: 7, name: "nothing", arguments: 3 });
    } else if (!line.ok && line.id === 7) send({ type: "answer", answer: 5 });`;
    const { state, events } = await run(javascript(body), {}, questions.slice(0, 1));
    expect(state.counts).toMatchObject({ right: 1 });
    const notes = events().flatMap((event) => (event.type === "note" ? [[event.kind, event.text]] : []));
    expect(notes).toEqual([
      ["unread", "null"],
      ["unread", "[1]"],
      ["agent", "a note"],
      ["end", "answered"],
    ]);
  });

  test("gives up with null, and gets an error for an unreadable request", async () => {
    const { rows } = await run(javascript('send({ type: "answer", answer: null });'), {}, questions.slice(0, 1));
    expect(rows[0]!.score).toMatchObject({ value: 0, errors: [{ kind: "no-answer" }] });
    await sessions.end();
    const body = `const reply = await fetch(line.model.url + "/chat/completions", { method: "POST", body: JSON.stringify({ model: "x" }) });
      send({ type: "answer", answer: reply.status === 400 ? 5 : 0 });`;
    const { state } = await run(javascript(body), {}, questions.slice(0, 1));
    expect(state.counts).toMatchObject({ right: 1 });
  });

  test("is not started by a session without permission", async () => {
    const agent = { name: "mine", command: answering, folder: sessions.folder, seconds: 60, megabytes: 4000 };
    const toys = toyTools();
    const cell = "suite: mcp\ntools: [toys]\nstrategy: agent\nagent: mine\n";
    const workbench = await sessions.open(`# Mine\n\n\`\`\`run main\n${cell}\`\`\`\n`, {
      suites: [mcp],
      settings: { toolServers: [await toys.reported()], agents: [agent] },
    });
    writeFileSync(join(sessions.path, "tasks.jsonl"), JSON.stringify(questions[0]));
    workbench.refresh();
    const main = cellNamed(workbench, "main");
    const wanted = workbench.programs.unallowed(main);
    expect(wanted.map(({ name }) => name)).toEqual(["toys", "mine"]);
    workbench.programs.allow(wanted.slice(0, 1));
    await workbench.run(main, undefined, "stop");
    expect(runsOf(workbench, "main")[0]).toMatchObject({ label: "agent", counts: { failed: 1 } });
    expect(existsSync(join(sessions.folder, "starts"))).toBe(false);
  });

  test.each([
    ["strategy: agent", "Expected `agent` to be one of your agents (mine), got none"],
    ["strategy: agent\nagent: other", 'Expected `agent` to be one of your agents (mine), got `"other"`'],
  ])("is rejected with %j: %s", async (fields, message) => {
    const agent = { name: "mine", command: answering, folder: sessions.folder, seconds: 60, megabytes: 4000 };
    const workbench = await sessions.open(
      `\`\`\`run main\nsuite: toolbench\ndata: sample\n${fields}\nmodel: builtin/oracle\n\`\`\`\n`,
      { suites: [(await import("../../../../suites/toolbench/index.ts")).toolbench], settings: { agents: [agent] } },
    );
    expect(workbench.state(cellNamed(workbench, "main"))).toMatchObject({ problems: [{ message }] });
  });
});
