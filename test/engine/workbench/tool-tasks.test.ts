/** Tasks that a model answers with a real tool server. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test, vi } from "vitest";
import type { Models } from "../../../source/engine/models/models.ts";
import type { Chunk, Model, ModelRequest } from "../../../source/engine/types.ts";
import { mcp, own } from "../../../suites/own/index.ts";
import { toyTools } from "../run/tool-servers/toy-tools.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

/** Adds the question's numbers with the tool, and replies with the result. */
async function* adding({ messages }: ModelRequest): AsyncIterable<Chunk> {
  const last = messages.at(-1)!;
  const [a, b] = [...messages.find(({ role }) => role === "user")!.content.matchAll(/\d+/g)].map(Number);
  const [name, given] = last.role === "tool" ? ["Finish", { answer: last.content }] : ["add", { a: a!, b: b! }];
  yield { type: "call", call: { id: `c${messages.length}`, name, text: JSON.stringify(given), arguments: given } };
  yield { type: "finish", reason: "stop" };
}

const sums = Array.from({ length: 20 }, (_, index) => ({
  question: `What is ${index * 17} + ${index + 5}?`,
  answer: index * 18 + 5,
}));
const cell = "```run main\nsuite: mcp\ntools: [toys]\ncheck: number\nmodel: builtin/oracle\n```\n";

async function open(text = cell, more = {}, stream = adding) {
  const toys = toyTools(more);
  const workbench = await sessions.open(`# Sums\n\n${text}`, {
    suites: [own, mcp],
    settings: { toolServers: [await toys.reported()] },
    between: (models: Models) => ({ ...models, model: (name): Model => ({ ...models.model(name), stream }) }),
  });
  writeFileSync(join(sessions.path, "tasks.jsonl"), sums.map((sum) => `${JSON.stringify(sum)}\n`).join(""));
  const main = cellNamed(workbench, "main");
  workbench.refresh();
  return { toys, workbench, main };
}

describe("a user's tool server", () => {
  test("answers twenty tasks and leaves no process behind", async () => {
    const { toys, workbench, main } = await open();
    expect(workbench.programs.unallowed(main)).toMatchObject([{ name: "toys" }]);
    workbench.programs.allow(workbench.programs.unallowed(main));
    expect(workbench.programs.unallowed(main)).toEqual([]);
    await workbench.run(main);
    const [run] = runsOf(workbench, "main");
    expect(run).toMatchObject({ status: "done", counts: { right: 20, wrong: 0, failed: 0 } });
    expect(workbench.rows(run!.run).map(({ counted }) => counted.toolCalls)).toEqual(sums.map(() => 2));
    await toys.gone();
    expect(readdirSync(join(sessions.folder, "settings", "started"))).toEqual([]);
  });

  describe("a model that answers in text instead of a call of Finish", () => {
    async function* inText(request: ModelRequest): AsyncIterable<Chunk> {
      const last = request.messages.at(-1)!;
      if (last.role !== "tool") return yield* adding(request);
      yield { type: "text", text: `The answer is **${last.content}**.` };
      yield { type: "finish", reason: "stop" };
    }

    it.each([
      ["strategy: react", 2],
      ["strategy: dfsdt", 2],
      ["strategy: toolchain-star\ntoolchain.samples: 1", 2],
      ["strategy: react\nend: finish", 0],
      ["strategy: react", 0, "tools: [toys, text]"],
    ])("ends with that text with %j: %d right", async (settings, expected, tools = "tools: [toys]") => {
      const { workbench, main } = await open(
        cell.replace("tools: [toys]", `${tools}\nlimit: 2\n${settings}`),
        {},
        inText,
      );
      workbench.programs.allow(workbench.programs.unallowed(main));
      await workbench.run(main);
      expect(runsOf(workbench, "main")[0]!.counts.right).toBe(expected);
    });
  });

  test("fails a question that requires a missing tool, reports the missing tool, and is ended", async () => {
    const { toys, workbench, main } = await open();
    const lines = [
      { ...sums[0], tools: ["add"] },
      { ...sums[1], tools: ["add", "divide"] },
    ];
    writeFileSync(join(sessions.path, "tasks.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    workbench.refresh();
    workbench.programs.allow(workbench.programs.unallowed(main));
    await workbench.run(main);
    const [run] = runsOf(workbench, "main");
    expect(run!.counts).toMatchObject({ right: 1, failed: 1 });
    const [, lacking] = workbench.rows(run!.run);
    expect(lacking!.failure).toMatchObject({
      kind: "tool",
      message: expect.stringMatching(/among add, .*, got `divide`/),
    });
    await toys.gone();
  });

  test("is not started by a session without permission, or after the server has changed", async () => {
    const { toys, workbench, main } = await open();
    await workbench.run(main, undefined, "stop");
    const [run] = runsOf(workbench, "main");
    expect(run!.counts).toMatchObject({ right: 0, wrong: 0 });
    expect(run!.failure?.message).toContain("may not use `toys`");
    expect(toys.living()).toEqual([]);
    workbench.programs.allow(workbench.programs.unallowed(main));
    const again = await sessions.open(undefined, {
      suites: [own, mcp],
      settings: { toolServers: [{ ...(await toys.reported()), command: ["other"] }] },
    });
    expect(again.programs.unallowed(cellNamed(again, "main"))).toMatchObject([{ name: "toys", what: "other" }]);
  });

  test("is part of the run's identity by the hash of the server's arguments and tools, without secrets", async () => {
    vi.stubEnv("TOY_KEY", "sesame-open-now");
    const few = cell.replace("check: number", "check: number\nlimit: 2");
    const { workbench, main } = await open(few, { environment: { KEY: "TOY_KEY" } });
    const [before] = runsOf(workbench, "main");
    expect(before!.spec.toolServers).toEqual({ toys: expect.stringMatching(/^[0-9a-f]{16}$/) });
    workbench.programs.allow(workbench.programs.unallowed(main));
    await workbench.run(main);
    const log = readFileSync(join(sessions.path, "runs", before!.run, "events.jsonl"), "utf8");
    expect(log).not.toMatch(/sesame|TOY_KEY|toy-server/);
    const other = toyTools();
    const changed = await sessions.open(undefined, {
      suites: [own, mcp],
      settings: { toolServers: [{ ...(await other.reported()), kept: true }] },
    });
    expect(runsOf(changed, "main")[0]!.run).not.toBe(before!.run);
  });

  test.each([
    ["tools: [other]", "Expected `tools` to name your tool servers (toys), got `other`"],
    ["tools: text", "Expected `tools: [NAME]` for `react`, which calls tool servers, got none"],
    ["limit: 1", "Expected `tools: [NAME]` for `react`, which calls tool servers, got none"],
  ])("with %s is rejected: %s", async (field, message) => {
    const { workbench, main } = await open(`\`\`\`run main\nsuite: mcp\n${field}\nmodel: builtin/oracle\n\`\`\`\n`);
    expect(workbench.state(main)).toMatchObject({ problems: [{ message }] });
  });

  test("is part of a run for any way of calling tools, but not for a strategy that calls no tools", async () => {
    const text =
      "```run main\nsuite: own\nfrom: tasks.jsonl\ntools: [toys, native, text]\nstrategy: [direct, react]\nmodel: builtin/oracle\n```\n";
    const { workbench } = await open(text);
    const specs = runsOf(workbench, "main").map(({ spec: { strategy, tools, toolServers = {} } }) => [
      strategy,
      tools,
      Object.keys(toolServers),
    ]);
    expect(specs).toEqual([
      ["direct", undefined, []],
      ["react", undefined, ["toys"]],
      ["direct", "text", []],
      ["react", "text", ["toys"]],
    ]);
  });
});
