/** What a fork does not repeat: calls of tool servers, and steps that bring our environments into their state. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Models } from "../../../source/engine/models/models.ts";
import type { Turn } from "../../../source/engine/log/trajectory.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import type { Chunk, Json, Model, ModelRequest } from "../../../source/engine/types.ts";
import { mcp, own } from "../../../suites/own/index.ts";
import { suites } from "../../../suites/index.ts";
import { builtServer } from "../../built-program.ts";
import { cellNamed, runsOf, temporarySessions } from "../workbench/temporary-session.ts";
import { toyTools } from "./tool-servers/toy-tools.ts";

const sessions = temporarySessions();

/** Asks for the contact, sends the mail, and answers with the server's reply. */
async function* mailing({ messages }: ModelRequest): AsyncIterable<Chunk> {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  const last = results.at(-1) ?? "";
  const steps: readonly (readonly [string, Json])[] = [
    ["contact", {}],
    ["send", { to: last }],
  ];
  const [name, given] = steps[results.length] ?? ["Finish", { answer: last }];
  yield { type: "call", call: { id: `c${results.length}`, name, text: JSON.stringify(given), arguments: given } };
  yield { type: "finish", reason: "stop" };
}

async function openMail() {
  const sent = join(sessions.folder, "sent.txt");
  const command = [process.execPath, builtServer("mail-server"), sent];
  const workbench = await sessions.open("```run main\nsuite: mcp\ntools: [toys]\nmodel: builtin/oracle\n```\n", {
    suites: [own, mcp],
    settings: { toolServers: [await toyTools({ command }).reported()] },
    between: (models: Models) => ({ ...models, model: (name): Model => ({ ...models.model(name), stream: mailing }) }),
  });
  writeFileSync(join(sessions.path, "tasks.jsonl"), '{"question": "Write a mail.", "answer": "sent to alice"}\n');
  workbench.refresh();
  const main = cellNamed(workbench, "main");
  workbench.programs.allow(workbench.programs.unallowed(main));
  await workbench.run(main);
  const [original] = runsOf(workbench, "main");
  const mails = () => (existsSync(sent) ? readFileSync(sent, "utf8").trim().split("\n") : []);
  return { workbench, mails, ref: { run: original!.run, task: workbench.rows(original!.run)[0]!.task } };
}

/** Runs the fork and returns its run, its results and its notes. */
async function forked(
  workbench: SessionWorkbench,
  ref: Parameters<SessionWorkbench["fork"]>[0],
  request: number,
  change: Parameters<SessionWorkbench["fork"]>[2] = {},
) {
  const cell = workbench.fork(ref, request, change);
  await workbench.run(cell);
  workbench.refresh();
  const state = workbench.state(cell);
  const run = state.kind === "run" ? state.runs[0] : undefined;
  if (run === undefined) throw new Error(JSON.stringify(state));
  const { entries } = (await workbench.trajectory({ run: run.run, task: ref.task }))!;
  const results = entries.flatMap((entry) => (entry.kind === "result" ? [entry.result.observation] : []));
  const notes = entries.flatMap((entry) => (entry.kind === "note" ? [entry.note] : []));
  return { run, results, notes, turns: entries.filter((entry): entry is Turn => entry.kind === "turn"), cell };
}

describe("a fork of a task with a mail server", () => {
  it("sends no mail twice, whichever request the fork starts from", async () => {
    const { workbench, mails, ref } = await openMail();
    expect(mails()).toEqual(["alice"]);
    for (const request of [0, 1, 2]) {
      const { run, results, notes } = await forked(workbench, ref, request);
      expect(run).toMatchObject({ status: "done", counts: { right: 1 } });
      expect(results).toEqual(["alice", "sent to alice", "answered"]);
      expect(notes).not.toContain("calls-not-repeated");
    }
    expect(mails()).toEqual(["alice"]);
  });

  it("makes the calls that the original did not make, and warns that earlier calls were not repeated", async () => {
    const { workbench, mails, ref } = await openMail();
    const { run, results, notes } = await forked(workbench, ref, 1, { result: "bob" });
    expect(results).toEqual(["bob", "sent to bob", "answered"]);
    expect(mails()).toEqual(["alice", "bob"]);
    expect(notes).toEqual(["replaced", "calls-not-repeated", "end"]);
    expect(run.warnings.join()).toContain("without the calls made before the fork");
  });

  it("continues with a reply that a person wrote, including its calls", async () => {
    const { workbench, mails, ref } = await openMail();
    const reply = 'To Carol.\n<tool_call>{"name": "send", "arguments": {"to": "carol"}}</tool_call>';
    const { run, results, turns, notes } = await forked(workbench, ref, 1, { reply });
    expect(turns[1]).toMatchObject({ text: "To Carol.\n", calls: [{ name: "send" }], saved: 0 });
    expect(results).toEqual(["alice", "sent to carol", "answered"]);
    expect(notes).toContain("replaced");
    expect(mails()).toEqual(["alice", "carol"]);
    expect(run.counts.wrong).toBe(1);
  });

  it("replaces any message by its index", async () => {
    const { workbench, ref } = await openMail();
    const { turns } = await forked(workbench, ref, 1, { message: "Be brief.", index: 0 });
    expect(turns[1]!.messages.map(({ content }) => content)).toMatchObject(["Be brief.", "Write a mail.", "", "alice"]);
  });

  it.each([
    [{ result: "x", index: 3 }, "to have returned result 3 before request 1"],
    [{ message: "x", index: 30 }, "to have a message 30, found 4 messages"],
  ])("fails with the reason if there is no text to replace: %j", async (change, message) => {
    const { workbench, ref } = await openMail();
    const cell = workbench.fork(ref, 1, change);
    await workbench.run(cell);
    workbench.refresh();
    const state = workbench.state(cell);
    expect(JSON.stringify(state)).toContain(message);
  });
});

describe("a replaced text of a fork", () => {
  it("is saved as a file of the notebook if it is long, and the run's id depends on the text, not on the file's name", async () => {
    const { workbench, ref } = await openMail();
    const text = "bob\n".repeat(100);
    const { run, results, cell } = await forked(workbench, ref, 1, { result: text });
    expect(results[0]).toBe(text);
    const source = () => workbench.cells().find(({ id }) => id === cell)!.source;
    const [, file] = /result: "(forks\/result-[0-9a-f]{8}\.txt)"/.exec(source())!;
    expect(readFileSync(join(sessions.path, file!), "utf8")).toBe(text);
    const id = () => {
      workbench.refresh();
      const state = workbench.state(cell);
      return state.kind === "run" ? (state.runs[0]?.run ?? state.problems[0]!.message) : "";
    };
    writeFileSync(join(sessions.path, "other.md"), text);
    workbench.edit(cell, source().replace(file!, "other.md"));
    expect(id()).toBe(run.run);
    writeFileSync(join(sessions.path, "other.md"), "carol");
    const changed = id();
    expect(changed).toMatch(/^[0-9a-f]{16}$/);
    expect(changed).not.toBe(run.run);
    workbench.edit(cell, source().replace("other.md", "carol"));
    expect(id()).toBe(changed);
  });

  it.each(["missing.txt", "../outside.txt", "/etc/outside.txt", "link.txt", "folder.md"])(
    "is rejected as the file %s",
    async (file) => {
      const { workbench, ref } = await openMail();
      writeFileSync(join(sessions.folder, "outside.txt"), "secret");
      symlinkSync(join(sessions.folder, "outside.txt"), join(sessions.path, "link.txt"));
      mkdirSync(join(sessions.path, "folder.md"));
      const cell = workbench.insert(
        "run",
        undefined,
        `suite: mcp\ntools: [toys]\nmodel: builtin/oracle\nfork: {run: "${ref.run}", task: "${ref.task}", request: 1, result: ${file}}\n`,
      );
      const state = workbench.state(cell);
      expect(state).toMatchObject({ runs: [], problems: [{ line: 4 }] });
      expect(JSON.stringify(state)).not.toContain("secret");
    },
  );
});

describe("an environment with state", () => {
  it.each([
    ["tau2", "suite: tau2\nmodel: builtin/oracle\nlimit: 2\n"],
    ["toolbench", "suite: toolbench\nmodel: builtin/oracle\nlimit: 2\n"],
    ["travelplanner", "suite: travelplanner\nmodel: builtin/oracle\nstrategy: react\nlimit: 2\n"],
  ])("is restored by the calls of the log, with results from the log: %s", async (suite, cell) => {
    const workbench = await sessions.open(`\`\`\`run main\ndata: sample\n${cell}\`\`\`\n`, { suites });
    await workbench.run(cellNamed(workbench, "main"));
    const [original] = runsOf(workbench, "main");
    const row = workbench.rows(original!.run).find(({ score }) => score?.value === 1)!;
    expect(row, suite).toBeDefined();
    const ref = { run: original!.run, task: row.task };
    const { entries } = (await workbench.trajectory(ref))!;
    const turns = entries.filter(({ kind }) => kind === "turn").length;
    const before = entries.flatMap((entry) => (entry.kind === "result" ? [entry.result.observation] : []));
    const { run, results } = await forked(workbench, ref, turns - 1);
    expect(run.counts.right, JSON.stringify(run.message)).toBe(1);
    expect(results).toEqual(before);
    expect(run.calls).toBe(1);
  });
});
