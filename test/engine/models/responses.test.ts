/**
 * The Responses protocol: its requests, and its events as real servers send them. `llama-responses` was recorded from llama.cpp's
 * server; the others have the events of chat servers' peculiarities.
 */
import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../../source/engine/settings/settings.ts";
import type { Chunk, ModelRequest } from "../../../source/engine/types.ts";
import { recorded, refuses, says, scriptedServer, type Answer } from "./scripted-server.ts";
import { chunksOf, failure, modelsAt, retriesOf, textOf, toyRequest, toySpec } from "./toy.ts";

/** Everything streamed for one request to a server that answers with these recordings in order. */
async function reply(
  names: readonly string[],
  request: ModelRequest = toyRequest(),
  api: Endpoint["api"] = "responses",
) {
  await using server = await scriptedServer(
    ...names.map((name): Answer => (name === "" ? says("Pick B") : recorded(name))),
  );
  const chunks = await chunksOf(modelsAt(server.url, { api }).model("lab/m"), request);
  return { chunks, urls: server.seen.map(({ url }) => url), bodies: server.seen.map(({ body }) => body) };
}

const thinkingOf = (chunks: readonly Chunk[]) => chunks.filter((chunk) => chunk.type === "thinking");
const thoughtOf = (chunks: readonly Chunk[]) =>
  thinkingOf(chunks)
    .map(({ text }) => text)
    .join("");
const finishOf = (chunks: readonly Chunk[]) => chunks.at(-1) as Extract<Chunk, { type: "finish" }>;
const usageOf = (chunks: readonly Chunk[]) => chunks.find((chunk) => chunk.type === "usage")!;
const callsOf = (chunks: readonly Chunk[]) => chunks.flatMap((chunk) => (chunk.type === "call" ? [chunk.call] : []));
const tools = ["find", "book"].map((name) => ({ name, description: "A tool", parameters: { type: "object" } }));
const withSpec = (more: object, request: Partial<ModelRequest> = {}) =>
  toyRequest(request, "t1", { ...toySpec, ...more });
const item = { type: "reasoning", id: "rs_0", summary: [], encrypted_content: "gAAA" };
const loop: ModelRequest["messages"] = [
  { role: "system", content: "Help." },
  { role: "user", content: "Where is it?" },
  {
    role: "assistant",
    content: "I look.",
    calls: [{ id: "call_a", name: "find", text: '{"q":1}', arguments: { q: 1 } }],
    thinking: { text: "Hmm", field: "reasoning_content", items: [item] },
  },
  { role: "tool", callId: "call_a", content: "here" },
  { role: "assistant", content: "Found.", thinking: { text: "Done", items: [{ ...item, id: "rs_1" }] } },
  { role: "user", content: "Thanks" },
];
const called = { type: "function_call", call_id: "call_a", name: "find", arguments: '{"q":1}' };
const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });

describe("a request of the Responses protocol", () => {
  it("contains the conversation as items, and asks the server to store nothing", async () => {
    const { bodies, urls } = await reply(
      ["responses-text"],
      toyRequest({ messages: loop, tools, maxTokens: 64, topP: 1 }),
    );
    expect(urls).toEqual(["/v1/responses"]);
    expect(bodies[0]).toEqual({
      model: "m",
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      max_output_tokens: 64,
      top_p: 1,
      tools: tools.map((tool) => ({ type: "function", ...tool, strict: false })),
      input: [
        { role: "system", content: "Help." },
        { role: "user", content: "Where is it?" },
        item,
        said("I look."),
        called,
        { type: "function_call_output", call_id: "call_a", output: "here" },
        said("Found."),
        { role: "user", content: "Thanks" },
      ],
    });
  });

  it.each([
    ["keep", ["rs_0", "rs_1"]],
    ["drop", []],
  ] as const)("sends reasoning items back as the run requests: %s", async (reasoning, ids) => {
    const { bodies } = await reply(["responses-text"], withSpec({ reasoning }, { messages: loop }));
    const input = bodies[0]!["input"] as { type?: string; id?: string }[];
    expect(input.flatMap(({ type, id }) => (type === "reasoning" ? [id] : []))).toEqual(ids);
  });

  it("contains the fields of the run's cell, under this protocol's names if they differ", async () => {
    const request = { store: true, reasoning_effort: "low", reasoning: { summary: "auto" }, lab_field: 5 };
    const { bodies } = await reply(["responses-text"], toyRequest({ request }));
    expect(bodies[0]).toMatchObject({ store: true, lab_field: 5, reasoning: { effort: "low", summary: "auto" } });
    expect(bodies[0]).not.toHaveProperty("reasoning_effort");
  });

  it("omits stop strings, seed and min_p: the client applies the stop strings, and the run reports the others", async () => {
    const { bodies, chunks } = await reply(["responses-text"], toyRequest({ stop: [" B"], seed: 7, minP: 0.1 }));
    for (const field of ["stop", "seed", "min_p"]) expect(bodies[0]).not.toHaveProperty(field);
    expect(textOf(chunks)).toBe("Pick");
    expect(finishOf(chunks)).toMatchObject({ adjusted: ["asked-by-responses"], without: ["stop", "seed", "minP"] });
  });

  it.each([
    ["responses-no-include", "include", "include"],
    ["responses-no-store", "store", "store"],
    ["responses-no-temperature", "temperature", "temperature"],
  ])("is sent again without a rejected field: %s", async (name, field, without) => {
    const { bodies, chunks } = await reply([name, "responses-text"], toyRequest({ temperature: 0 }));
    expect(bodies.map((body) => field in body)).toEqual([true, false]);
    expect(finishOf(chunks).without).toEqual([without]);
  });
});

describe("a reply of the Responses protocol", () => {
  it.each([
    ["responses-text"],
    ["responses-llama"],
    ["responses-litellm"],
    ["responses-no-names"],
    ["responses-no-deltas"],
    ["responses-no-added"],
    ["responses-only-end"],
    ["responses-whole"],
    ["responses-comments"],
    ["responses-no-end"],
  ])("is read in any order of events: %s", async (name) => {
    const { chunks, bodies } = await reply([name]);
    expect([textOf(chunks), bodies.length, retriesOf(chunks)]).toEqual(["Pick B", 1, []]);
    expect(finishOf(chunks).reason).toBe(name === "responses-no-end" ? "" : "stop");
  });

  it("of llama.cpp's server counts as truncated although the server reports it as complete", async () => {
    const { chunks } = await reply(["llama-responses"], toyRequest({ maxTokens: 4 }));
    expect(finishOf(chunks)).toMatchObject({ reason: "length", model: "tiny.gguf" });
    expect(usageOf(chunks)).toMatchObject({ output: 4, estimated: false });
    expect(textOf(chunks)).not.toBe("");
  });

  it.each([
    ["responses-summary", "Hmm,\n\nA or B?", "rs_0"],
    ["responses-reasoning-text", "Hmm, A or B?", "rs_0"],
    ["responses-reasoning-whole", "Hmm, A or B?", "rs_0"],
    ["responses-think-tags", "\nHmm, A or B?\n", undefined],
  ])("separates thinking from text, and keeps the item that is sent back: %s", async (name, thought, id) => {
    const { chunks } = await reply([name]);
    expect([textOf(chunks), thoughtOf(chunks)]).toEqual(["Pick B", thought]);
    const items = thinkingOf(chunks).flatMap((chunk) => chunk.item ?? []);
    expect(items).toEqual(id === undefined ? [] : [expect.objectContaining({ type: "reasoning", id })]);
  });

  it.each([
    ["responses-calls", ["call_a", "call_b"], undefined],
    ["responses-calls-llama", ["fc_a", "fc_b"], undefined],
    ["responses-calls-whole", ["call_a", "call_b"], undefined],
    ["responses-calls-only-end", ["call_a", "call_b"], undefined],
    ["responses-calls-object", ["call_a", "call_b"], "call-arguments-were-an-object"],
    ["responses-calls-as-text", ["text-call-0", "text-call-1"], "calls-read-from-text"],
  ] as const)("contains tool calls: %s", async (name, ids, adjustment) => {
    const { chunks } = await reply([name], toyRequest({ tools }));
    expect(callsOf(chunks).map((call) => [call.name, call.arguments])).toEqual([
      ["find", { city: "Rome" }],
      ["book", {}],
    ]);
    if (adjustment !== "calls-read-from-text") expect(callsOf(chunks).map(({ id }) => id)).toEqual(ids);
    expect(finishOf(chunks).adjusted).toEqual([
      "asked-by-responses",
      ...(adjustment === undefined ? [] : [adjustment]),
    ]);
  });

  it.each([
    ["responses-cut", "length", "Pick B"],
    ["responses-filter", "content_filter", "Pick B"],
    ["responses-refusal", "refusal", "I cannot."],
  ])("reports how it ended: %s", async (name, reason, text) => {
    const { chunks } = await reply([name]);
    expect([finishOf(chunks).reason, textOf(chunks)]).toEqual([reason, text]);
  });

  it.each([
    ["responses-text", { input: 40, output: 12, cached: 32, reasoning: 5, estimated: false }],
    ["responses-usage-zero", { input: 7, output: 2, estimated: true }],
    ["responses-usage-none", { input: 7, output: 2, estimated: true }],
  ])("has its tokens counted: %s", async (name, usage) => {
    expect(usageOf((await reply([name])).chunks)).toEqual({ type: "usage", ...usage });
  });

  it.each([
    ["responses-stopped", "ended before"],
    ["responses-failed", "The model overheated"],
    ["responses-failed-busy", "Slow down"],
    ["responses-error-event", "The model overheated"],
    ["responses-error-nested", "The model overheated"],
    ["responses-error-stream-500", "500 Error processing stream start"],
  ])("is requested again after a failure, and the retry has the server's words: %s", async (name, words) => {
    const { chunks } = await reply([name, "responses-text"]);
    expect(textOf(chunks)).toContain("Pick B");
    expect(retriesOf(chunks).map(({ error }) => error)).toEqual([expect.stringContaining(words)]);
  });
});

describe("`api: auto`", () => {
  it("uses chat completions, and uses Responses after the server has required it", async () => {
    await using server = await scriptedServer(recorded("responses-only"), recorded("responses-text"));
    const model = modelsAt(server.url, { api: "auto" }).model("lab/m");
    const first = await chunksOf(model);
    expect(textOf(first)).toBe("Pick B");
    expect(retriesOf(first)).toHaveLength(1);
    expect(finishOf(first).adjusted).toEqual(["asked-by-responses"]);
    expect(retriesOf(await chunksOf(model))).toEqual([]);
    const [chat, responses] = ["/v1/chat/completions", "/v1/responses"];
    expect(server.seen.map(({ url }) => url)).toEqual([chat, responses, responses]);
  });

  it("detects a server that supports only Responses, and does not retry an unknown model on that server", async () => {
    await using bare = await scriptedServer(refuses(404, { detail: "Not Found" }), recorded("responses-text"));
    expect(textOf(await chunksOf(modelsAt(bare.url, { api: "auto" }).model("lab/m")))).toBe("Pick B");
    await using other = await scriptedServer(refuses(404, { error: { message: "The model `m` does not exist." } }));
    await failure(chunksOf(modelsAt(other.url, { api: "auto" }).model("lab/m")));
    expect(other.seen).toHaveLength(1);
  });

  it("continues with chat completions if the server supports that protocol", async () => {
    const { urls, chunks } = await reply([""], toyRequest(), "auto");
    expect([urls, finishOf(chunks).adjusted]).toEqual([["/v1/chat/completions"], undefined]);
  });
});

it("a server that requires Responses gets an error that suggests `--api responses`", async () => {
  expect((await failure(reply(["responses-only"], toyRequest(), "chat"))).message).toContain("--api responses");
});
