/** `planwright evolve` with models behind an endpoint: they write, rules check, and everything made is kept. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Chunk, Json, Message } from "../../source/engine/types.ts";
import { standInAuthor } from "../../suites/planningarena/data/evolution/stand-in.ts";
import { refuses, says, scriptedServer, type Answer, type Seen } from "../engine/models/scripted-server.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();
const words = { suggest: "You help to make", edit: "You write planning", evaluate: "You judge planning" } as const;
type Stage = keyof typeof words;

const messagesOf = ({ body }: Seen) => body["messages"] as readonly Message[];
const stageOf = (seen: Seen) =>
  (Object.keys(words) as Stage[]).find((stage) => messagesOf(seen)[0]!.content.startsWith(words[stage]))!;

/** A server whose model writes like the built-in one, but in a Markdown fence like many models. */
function author(grade = 4): Answer {
  const model = standInAuthor(grade);
  return (response, seen) => {
    const asker = { stage: stageOf(seen), role: "model", task: "", spec: {} };
    const request = { messages: messagesOf(seen), asker } as unknown as Parameters<typeof model.stream>[0];
    const chunks = model.stream(request) as AsyncIterable<Chunk>;
    void (async () => {
      let text = "";
      for await (const chunk of chunks) if (chunk.type === "text") text += chunk.text;
      says(`\`\`\`json\n${text}\n\`\`\``)(response, seen);
    })();
  };
}

const added = (url: string, name = "lab") =>
  typed("endpoint", "add", name, "--base-url", url, "--models", "m", "--concurrency", "2");
const evolve = (...more: string[]) =>
  typed("evolve", "planningarena", "--count", "4", "--rounds", "1", "--seed", "3", "--out", at("out"), ...more);
const lines = (name: string) =>
  readFileSync(at("out", name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly [name: string]: Json });

describe("evolution with an endpoint's models", () => {
  test("makes a data folder whose log contains the model, the stage and the reply of every call", async () => {
    await using server = await scriptedServer(author());
    await added(server.url);
    const { status, err } = await evolve("--model", "lab/m");
    expect({ status, err }).toMatchObject({ status: 0, err: expect.stringContaining("4 accepted, 0 rejected") });
    const calls = lines("calls.jsonl");
    expect(calls).toHaveLength(server.seen.length);
    expect(calls.map(({ stage }) => stage)).toEqual(server.seen.map(stageOf));
    expect(new Set(calls.map(({ model }) => model))).toEqual(new Set(["lab/m"]));
    expect(calls.every(({ reply }) => String(reply).startsWith("```json"))).toBe(true);
    expect((await typed("data", "add", "planningarena", "--from", at("out"))).status).toBe(0);
  });

  test("uses the user's own prompts, and checks their slots", async () => {
    await using server = await scriptedServer(author());
    await added(server.url);
    writeFileSync(at("edit.md"), "You write planning tasks of my kind.\n{{task}}\n");
    const own = `edit=${at("edit.md")}`;
    expect(await evolve("--model", "lab/m", "--prompts", own)).toMatchObject({ status: 0 });
    const edits = server.seen.filter((seen) => stageOf(seen) === "edit").map((seen) => messagesOf(seen)[0]!.content);
    expect(edits.length).toBeGreaterThan(0);
    for (const text of edits) expect(text).toMatch(/^You write planning tasks of my kind\.\n\{"scenario":.*\}$/);
    const before = server.seen.length;
    expect((await evolve("--model", "lab/m", "--prompts", "edit={{taks}}")).err).toContain(
      "Expected `prompts.edit` to have a slot such as `{{task}}`, got `{{taks}}` in line 1 of the text",
    );
    expect((await evolve("--model", "lab/m", "--prompts", "edti=Write.")).err).toContain(
      "Expected `prompts` to name prompts such as `edit`, got `edti`",
    );
    expect((await evolve("--model", "lab/m", "--prompts", "edit")).err).toContain(
      "Expected `--prompts NAME=FILE`, got `edit`",
    );
    expect((await evolve("--model", "lab/m", "--prompts", "edit=gone.md")).err).toContain(
      "Expected a file at gone.md, found none",
    );
    expect(server.seen).toHaveLength(before);
  });

  test("can use the user's own evaluator, which grades the rewritten tasks", async () => {
    await using server = await scriptedServer(author(2));
    await added(server.url);
    expect(await evolve("--evaluator", "lab/m")).toMatchObject({ status: 0 });
    expect(new Set(server.seen.map(stageOf))).toEqual(new Set(["evaluate"]));
    expect(lines("tasks.jsonl")).toEqual([]);
    expect(lines("rejected.jsonl").map(({ reasons }) => String(reasons))).toEqual(
      Array.from(
        { length: 4 },
        () => "The evaluator's grades are too low: completeness 2, clarity 2, feasibility 2, specificity 2",
      ),
    );
  });

  test("ends if a model fails in the middle, and keeps earlier tasks", async () => {
    const { author: good, bad } = { author: author(), bad: refuses(400, { error: { message: "no more" } }) };
    await using server = await scriptedServer(...Array.from({ length: 7 }, () => good), bad);
    await added(server.url);
    const { status, err } = await evolve("--model", "lab/m");
    expect(status).toBe(2);
    expect(err).toContain("stopped: 2 accepted, 0 rejected, 7 calls");
    expect(err).toContain("no more");
    expect([lines("tasks.jsonl").length, lines("calls.jsonl").length]).toEqual([2, 7]);
  });
});
