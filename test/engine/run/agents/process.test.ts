/** The user's processes that bring their own tasks: `suite: process`. */
import { until } from "../../../until.ts";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { taskLines } from "../../../../source/engine/run/agents/task-list.ts";
import type { UserProcess } from "../../../../source/engine/settings/user-program.ts";
import type { Event, Json } from "../../../../source/engine/types.ts";
import { process as processes } from "../../../../suites/process/index.ts";
import type { Clock } from "../../../../source/engine/work/clock.ts";
import { nearClock, openTestClock } from "../../work/test-clock.ts";
import { cellNamed, runsOf, temporarySessions } from "../../workbench/temporary-session.ts";

const sessions = temporarySessions();

/**
 * A process in JavaScript: `body` is run with each `line` of a task; `ask(line, model, content)` asks a model at the task's own
 * address. `starts` has a line for each process, `most` the largest number of tasks that were open in it at once.
 */
const javascript = (body: string, hello: object) => `
  const { appendFileSync, writeFileSync } = require("node:fs");
  appendFileSync("starts", "x\\n");
  const send = (line) => console.log(JSON.stringify(line));
  send({ type: "hello", ...${JSON.stringify(hello)} });
  const ask = async ({ model }, role, content, tools) => {
    const body = JSON.stringify({ model: role, messages: [{ role: "user", content }], tools });
    const response = await fetch(model.url + "/chat/completions", { method: "POST", body });
    const reply = await response.json();
    if (!response.ok) throw new Error(reply.error.message);
    return reply.choices[0].message;
  };
  let [open, most] = [0, 0];
  require("node:readline").createInterface({ input: process.stdin }).on("line", async (text) => {
    const line = JSON.parse(text);
    if (line.type === "task") writeFileSync("most", String((most = Math.max(most, (open += 1)))));
    ${body}
    if (line.type === "task") open -= 1;
  });`;

const three = ["a", "b", "c"].map((id, index) => ({
  id,
  question: `What is ${index}?`,
  facets: { kind: index === 0 ? "first" : "later" },
  reference: String(index),
}));

const hello = { name: "toy", version: "1", atOnce: 2 };

/** Opens a session whose cell `main` runs this process, which is allowed. */
async function opened(
  body: string,
  { tasks = three, said = hello, more = "model: builtin/oracle\n", clock }: Given = {},
) {
  mkdirSync(join(sessions.folder, "settings", "processes"), { recursive: true });
  writeFileSync(join(sessions.folder, "toy.cjs"), javascript(body, said));
  writeFileSync(join(sessions.folder, "settings", "processes", `${hash}.jsonl`), taskLines(tasks as unknown as Json[]));
  const process_: UserProcess = {
    name: "toy",
    command: [process.execPath, join(sessions.folder, "toy.cjs")],
    folder: sessions.folder,
    seconds: 60,
    megabytes: 4000,
    reported: { ...said, tasks: tasks.length, hash },
  };
  const cell = `suite: process\nprocess: toy\n${more}`;
  const workbench = await sessions.open(`# Mine\n\n\`\`\`run main\n${cell}\`\`\`\n`, {
    suites: [processes],
    settings: { processes: [process_] },
    ...(clock && { clock }),
  });
  workbench.refresh();
  const main = cellNamed(workbench, "main");
  workbench.programs.allow(workbench.programs.unallowed(main));
  return { workbench, main };
}
type Given = {
  tasks?: readonly object[];
  said?: UserProcess["reported"] | typeof hello;
  more?: string;
  clock?: Clock;
};
const hash = "0123456789abcdef";

async function ran(body: string, given: Given = {}) {
  const { workbench, main } = await opened(body, given);
  await workbench.run(main, undefined, "stop");
  const states = runsOf(workbench, "main");
  const [state] = states;
  return { state: state!, states, rows: workbench.rows(state!.run), events: eventsOf(state!.run), workbench, main };
}

const eventsOf = (run: string) =>
  readFileSync(join(sessions.path, "runs", run, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);

const starts = () => {
  const path = join(sessions.folder, "starts");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").length : 0;
};
const most = () => Number(readFileSync(join(sessions.folder, "most"), "utf8"));

/** Asks the model, scores itself, and answers. */
const scoring = `
  if (line.type !== "task") return;
  const { content } = await ask(line, "model", line.question);
  send({ type: "step", task: line.task, name: "look", arguments: { at: line.task }, content: "seen" });
  send({ type: "note", task: line.task, text: "thought about it" });
  const right = content !== "1";
  send({ type: "score", task: line.task, value: Number(right), parts: { state: right, words: 0.5 }, errors: right ? [] : ["not this one"] });
  send({ type: "answer", task: line.task, answer: content });`;

describe("a user's process that plays tasks", () => {
  it("plays all tasks after one start, as many at a time as it reported, and scores the tasks itself", async () => {
    const { state, rows, events } = await ran(scoring);
    expect(state).toMatchObject({ status: "done", counts: { right: 2, wrong: 1, failed: 0 } });
    expect([starts(), most()]).toEqual([1, 2]);
    const scores = rows.map(({ task, score }) => [task, score?.value, score?.metrics, score?.errors]);
    expect(scores.toSorted()).toEqual([
      ["a", 1, { score: 1, "part.state": 1, "part.words": 0.5 }, []],
      ["b", 0, { score: 0, "part.state": 0, "part.words": 0.5 }, [{ kind: "reported", note: "not this one" }]],
      ["c", 1, { score: 1, "part.state": 1, "part.words": 0.5 }, []],
    ]);
    const own = events.filter((event) => "task" in event && event.task === "b");
    const types = "started prompt text usage finish node result node note note answer scored";
    expect(own.map(({ type }) => type).join(" ")).toBe(types);
    expect(own).toMatchObject(
      Object.assign([...own], {
        1: { role: "model", stage: "process", messages: [{ role: "user", content: "What is 1?" }] },
        6: { name: "look", result: { ok: true, observation: "seen" } },
        8: { kind: "agent", text: "thought about it" },
      }),
    );
  });

  it("receives a request for the score of its answer if it has not scored the answer yet", async () => {
    const { rows } = await ran(`
      if (line.type === "task") send({ type: "answer", task: line.task, answer: { said: line.task } });
      else send({ type: "score", task: line.task, value: line.answer.said === "b" ? 0.25 : true });`);
    const seen = rows.map(({ task, score }) => [task, score?.value, score?.errors]).toSorted();
    expect(seen).toEqual([
      ["a", 1, []],
      ["b", 0.25, [{ kind: "wrong-answer", expected: "1", got: '{"said":"b"}' }]],
      ["c", 1, []],
    ]);
    expect(starts()).toBe(1);
  });

  it("asks each role by name, is identified by the address of the task, and answers a model's calls", async () => {
    const { rows, events } = await ran(
      `if (line.type !== "task") return;
       for (const role of ["user", "actor", "gpt-9"]) await ask(line, role, line.question + " " + role);
       send({ type: "score", task: line.task, value: 1 });
       send({ type: "answer", task: line.task, answer: "x" });`,
      { more: "model: builtin/oracle\nuser: builtin/filler\n" },
    );
    expect(rows.map(({ score }) => score?.value)).toEqual([1, 1, 1]);
    const prompts = events.filter((event) => event.type === "prompt");
    expect(prompts.filter(({ task }) => task === "c").map(({ role, model }) => [role, model])).toEqual([
      ["user", "builtin/filler"],
      ["actor", "builtin/oracle"],
      ["model", "builtin/oracle"],
    ]);
    for (const { task, messages } of prompts)
      expect(messages[0]!.content).toContain(three.find(({ id }) => id === task)!.question);
  });

  it("asks the judge while it scores, so that a run with another judge has another id", async () => {
    const body = `
      if (line.type === "task") return send({ type: "answer", task: line.task, answer: "mine" });
      try {
        const { content } = await ask(line, "judge", "right?");
        send({ type: "score", task: line.task, value: content === "" ? 0 : 1 });
      } catch (error) {
        send({ type: "score", task: line.task, value: null, errors: [error.message] });
      }`;
    const { states, workbench } = await ran(body, {
      more: "model: builtin/oracle\njudge: [builtin/nothing, builtin/filler]\n",
    });
    const values = states.map(({ run }) => workbench.rows(run).map(({ score }) => score?.value));
    expect(values).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
    expect(eventsOf(states[1]!.run).filter((event) => event.type === "prompt" && event.role === "judge")).toHaveLength(
      3,
    );
  });

  it("answers as the oracle itself if it supports this, and receives the trial", async () => {
    const { rows, events } = await ran(
      `if (line.type !== "task") return;
       const { name, url } = line.model;
       send({ type: "score", task: line.task, value: name === "oracle" && line.trial === 1 ? 1 : 0 });
       send({ type: "answer", task: line.task, answer: "x" });`,
      { said: { ...hello, models: ["oracle"] } as unknown as typeof hello },
    );
    expect(rows.map(({ score }) => score?.value)).toEqual([1, 1, 1]);
    expect(events.some(({ type }) => type === "prompt")).toBe(false);
  });

  it("runs as one process per trial, and its tasks can be grouped and filtered by their facets", async () => {
    const { states } = await ran(scoring, { more: "model: builtin/oracle\nrepeats: 2\nfilter: {kind: later}\n" });
    expect(states.map(({ counts }) => [counts.right, counts.wrong])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(starts()).toBe(2);
  });
});

describe("a process that fails", () => {
  it("leaves its tasks unscored as faults of the environment, and is started again only after it has ended", async () => {
    const { state, rows, workbench, main } = await ran(`
      const { existsSync } = require("node:fs");
      if (line.type !== "task") return;
      if (line.task === "b" && !existsSync("healed")) { writeFileSync("healed", ""); console.error("ValueError: no"); process.exit(3); }
      while (!existsSync("healed")) await new Promise((resolve) => setImmediate(resolve));
      send({ type: "score", task: line.task, value: 1 });
      send({ type: "answer", task: line.task, answer: "x" });`);
    const failed = rows.filter(({ state: each }) => each === "failed");
    expect(state.counts.failed).toBe(failed.length);
    expect(failed.map(({ task }) => task)).toContain("b");
    for (const { score, failure, cause } of failed) {
      expect(score).toBeUndefined();
      expect(failure).toEqual({
        kind: "tool",
        message: "`toy` has ended: the program ended with status 3: ValueError: no",
      });
      expect(cause ?? { cause: "environment" }).toMatchObject({ cause: "environment" });
    }
    expect(starts()).toBe(2);
    await workbench.run(main, undefined, "stop");
    expect(runsOf(workbench, "main")[0]!.counts).toMatchObject({ right: 3, failed: 0 });
    expect(starts()).toBe(3);
  });

  it("gives a reason if a task cannot be scored", async () => {
    const { rows } = await ran(`
      if (line.type !== "task") return;
      await ask(line, "model", "x");
      send({ type: "score", task: line.task, value: null, errors: ["the sandbox is gone"] });
      send({ type: "answer", task: line.task, answer: null });`);
    for (const { failure, cause, score } of rows) {
      expect(failure).toEqual({ kind: "tool", message: "`toy` gave no score: the sandbox is gone" });
      expect([cause?.cause, score]).toEqual(["environment", undefined]);
    }
  });

  it("is ended if it does not respond for all its tasks, and another process gets the next tasks", async () => {
    const far = openTestClock();
    const running = ran(
      `const { existsSync } = require("node:fs");
       if (line.type !== "task") return;
       if (!existsSync("hung") || globalThis.held !== undefined) {
         globalThis.held = (globalThis.held ?? 0) + 1;
         if (globalThis.held === 2) writeFileSync("hung", "");
         return;
       }
       send({ type: "score", task: line.task, value: 1 });
       send({ type: "answer", task: line.task, answer: "x" });`,
      { clock: nearClock(far, 60_000) },
    );
    await until(() => expect(existsSync(join(sessions.folder, "hung"))).toBe(true));
    await far.advance(60_000);
    const { rows } = await running;
    const failed = rows.filter(({ failure }) => failure !== undefined);
    expect(failed.map(({ failure }) => failure!.message)).toEqual([
      "`toy` did not answer within 60 seconds",
      "`toy` did not answer within 60 seconds",
    ]);
    expect(rows.filter(({ score }) => score?.value === 1)).toHaveLength(1);
    expect(starts()).toBe(2);
  });

  it("plays nothing if its description has changed since its test", async () => {
    const { workbench, main } = await opened(scoring);
    const path = join(sessions.folder, "toy.cjs");
    writeFileSync(path, readFileSync(path, "utf8").replace('"version":"1"', '"version":"2"'));
    await workbench.run(main, undefined, "stop");
    const [state] = runsOf(workbench, "main");
    expect(state!.failure?.message).toMatch(
      /^The process `toy` has changed since its last test: `planwright processes test/,
    );
  });

  it.each([
    ["'nonsense'", /^Expected the first line of `toy` to be/],
    ["JSON.stringify({ type: 'hello', name: 'x', atOnce: 0 })", /^Expected the first line/],
  ])("is rejected if its first output line is %s", async (line, message) => {
    const { workbench, main } = await opened("");
    writeFileSync(join(sessions.folder, "toy.cjs"), `console.log(${line}); process.stdin.resume();`);
    await workbench.run(main, undefined, "stop");
    expect(runsOf(workbench, "main")[0]!.failure?.message).toMatch(message);
  });
});

it("a stopped task of a process resumes with its earlier replies, in a new process", async () => {
  const { workbench, main } = await opened(
    `if (line.type !== "task") return;
     const { existsSync } = require("node:fs");
     const first = await ask(line, "model", "one of " + line.task);
     if (!existsSync("again")) { writeFileSync("reached-" + line.task, ""); return; }
     const second = await ask(line, "model", "two of " + line.task);
     send({ type: "score", task: line.task, value: 1 });
     send({ type: "answer", task: line.task, answer: first.content + second.content });`,
    { tasks: three.slice(0, 1) },
  );
  const ended = workbench.run(main, undefined, "stop");
  await until(() => expect(existsSync(join(sessions.folder, "reached-a"))).toBe(true));
  workbench.stop(main);
  await ended;
  writeFileSync(join(sessions.folder, "again"), "");
  await workbench.run(main, undefined, "stop");
  const [state] = runsOf(workbench, "main");
  expect(state!.counts).toMatchObject({ right: 1, stopped: 0 });
  const prompts = eventsOf(state!.run).filter((event) => event.type === "prompt");
  expect(prompts.map(({ saved }) => saved !== undefined)).toEqual([false, true, false]);
  expect(starts()).toBe(2);
});

describe("a cell with `suite: process`", () => {
  it.each([
    ["", /^Expected `process` to be one of your processes \(toy\), got nothing/],
    ["process: other\n", /^Expected `process` to be one of your processes \(toy\), got `?"?other/],
    ["process: toy\nfrom: questions.csv\n", /^Expected no `from` for `process`, whose `process` names the tasks/],
  ])("is rejected with %j", async (fields, message) => {
    const { workbench, main } = await opened(scoring);
    workbench.edit(main, `suite: process\n${fields}model: builtin/oracle\n`);
    const state = workbench.state(main);
    expect(state.problems[0]?.message).toMatch(message);
  });

  it("starts no process before the user allows it", async () => {
    const { workbench } = await opened(scoring);
    const other = workbench.insert(
      "run",
      cellNamed(workbench, "main"),
      "suite: process/toy\nmodel: builtin/oracle\n",
      "b",
    );
    expect(workbench.state(other).problems).toEqual([]);
    expect(starts()).toBe(0);
  });
});

it("a process may send message content in parts, and its developer messages count as system messages", async () => {
  const { events } = await ran(
    `if (line.type !== "task") return;
     const parts = [{ type: "text", text: "one " }, { type: "image_url", image_url: {} }, { type: "text", text: "two" }];
     const messages = [{ role: "developer", content: "be brief" }, { role: "user", content: parts }];
     await fetch(line.model.url + "/chat/completions", { method: "POST", body: JSON.stringify({ model: "model", messages }) });
     send({ type: "score", task: line.task, value: 1 });
     send({ type: "answer", task: line.task, answer: "x" });`,
    { tasks: three.slice(0, 1) },
  );
  expect(events.find(({ type }) => type === "prompt")).toMatchObject({
    messages: [
      { role: "system", content: "be brief" },
      { role: "user", content: "one two" },
    ],
  });
});
