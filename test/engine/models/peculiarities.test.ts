/** Replies as real servers of all kinds send them, recorded from an imitation (`bench/servers/quirks.ts` runs it). */
import { describe, expect, it } from "vitest";
import { tokenCost } from "../../../source/engine/settings/price.ts";
import type { Chunk, ModelRequest } from "../../../source/engine/types.ts";
import { until } from "../../until.ts";
import { openTestClock } from "../work/test-clock.ts";
import { recorded, refuses, says, scriptedServer, type Answer } from "./scripted-server.ts";
import { chunksOf, failure, modelsAt, retriesOf, textOf, toyRequest, toySpec } from "./toy.ts";

/** Everything streamed for one request to a server that answers with these recordings in order. */
async function reply(names: readonly string[], request: ModelRequest = toyRequest()) {
  await using server = await scriptedServer(...names.map((name) => (name === "" ? says("Pick B") : recorded(name))));
  const chunks = await chunksOf(modelsAt(server.url).model("lab/m"), request);
  return { chunks, bodies: server.seen.map(({ body }) => body) };
}

const thinkingOf = (chunks: readonly Chunk[]) =>
  chunks.reduce(
    (text, chunk, index) =>
      chunk.type !== "thinking"
        ? text
        : (chunk.textBefore === true ? textOf(chunks.slice(0, index)) : text) + chunk.text,
    "",
  );
/** The answer, without text that a later chunk declared to be thinking. */
const answerOf = (chunks: readonly Chunk[]) =>
  textOf(chunks.slice(chunks.findLastIndex((chunk) => chunk.type === "thinking" && chunk.textBefore === true) + 1));
const finishOf = (chunks: readonly Chunk[]) => chunks.at(-1) as Extract<Chunk, { type: "finish" }>;
const usageOf = (chunks: readonly Chunk[]) => chunks.find((chunk) => chunk.type === "usage")!;
const callsOf = (chunks: readonly Chunk[]) => chunks.flatMap((chunk) => (chunk.type === "call" ? [chunk.call] : []));
const tools = ["find", "book"].map((name) => ({ name, description: "", parameters: { type: "object" } }));
const withSpec = (more: object, request: Partial<ModelRequest> = {}) =>
  toyRequest(request, "t1", { ...toySpec, ...more });

describe("a stream of a chat completion", () => {
  const framings = ["plain", "crlf", "cr", "nospace", "events", "multiline", "bom", "comments", "gzip", "no-ctype"];
  const contents = [
    "azure",
    "null-content",
    "nullfirst",
    "no-done",
    "cut-after-finish",
    "emptyfinish",
    "xgroq",
    "two-choices",
  ];

  it.each([...framings, ...contents])("is read with any framing and with any additional events: %s", async (name) => {
    const { chunks, bodies } = await reply([name]);
    expect([answerOf(chunks), finishOf(chunks).reason, bodies.length]).toEqual(["Pick B", "stop", 1]);
    expect(retriesOf(chunks)).toEqual([]);
  });

  it("is read correctly one byte at a time", async () => {
    await using server = await scriptedServer(byteByByte("plain"));
    const chunks = await chunksOf(modelsAt(server.url).model("lab/m"), toyRequest());
    expect([answerOf(chunks), finishOf(chunks).reason]).toEqual(["Pick B", "stop"]);
  });
});

/** Cuts the recording into pieces of one byte each. */
function byteByByte(name: string): Answer {
  return (response, request) => {
    const end = response.end.bind(response);
    response.end = ((body: Buffer) => {
      for (const byte of body) response.write(Buffer.of(byte));
      return end();
    }) as typeof response.end;
    return recorded(name)(response, request);
  };
}

describe("thinking in a reply", () => {
  it.each(["reasoning-content", "reasoning", "reasoning-details", "content-list", "think-tags", "think-close"])(
    "is separated from the answer: %s",
    async (name) => {
      const { chunks } = await reply([name]);
      expect(answerOf(chunks)).toBe("Pick B");
      expect(thinkingOf(chunks)).toBe("Hmm, A or B?");
      expect(usageOf(chunks)).toMatchObject({ estimated: true, reasoning: 3 });
    },
  );

  it.each(["think-stop", "reasoning-stop"])("is not cut by the stop strings of the answer: %s", async (name) => {
    await using server = await scriptedServer(recorded(name), says("Pick B\nObservation: none"));
    const model = modelsAt(server.url).model("lab/m");
    const request = toyRequest({ stop: ["\nObservation", "\n\n"] });
    const first = await chunksOf(model, request);
    expect(retriesOf(first)).toHaveLength(1);
    expect(answerOf(first)).toBe("Pick B");
    expect(finishOf(first)).toEqual({ type: "finish", reason: "stop", adjusted: ["stop-applied-here"] });
    // Learned once: the next request omits them at once, and the client cuts here.
    expect(retriesOf(await chunksOf(model, request))).toEqual([]);
    expect(server.seen.map(({ body }) => "stop" in body)).toEqual([true, false, false]);
  });

  const call = { id: "a", name: "find", text: "{}", arguments: {}, extra: { google: { thought_signature: "c2ln" } } };
  const loop = [
    { role: "user", content: "Find it" },
    { role: "assistant", content: "", calls: [call], thinking: { text: "Where?", field: "reasoning_content" } },
    { role: "tool", callId: "a", content: "here" },
    { role: "assistant", content: "Found", thinking: { text: "Done.", field: "reasoning_content" } },
    { role: "user", content: "Thanks" },
  ] as const;

  it.each([
    ["auto", ["Where?", undefined], "c2ln"],
    ["keep", ["Where?", "Done."], "c2ln"],
    ["drop", [undefined, undefined], undefined],
  ] as const)("is sent back as the run requests: %s", async (reasoning, thinking, signature) => {
    const { bodies, chunks } = await reply([""], withSpec({ reasoning }, { messages: loop }));
    const sent = bodies[0]!["messages"] as Record<string, any>[];
    expect([sent[1]!["reasoning_content"], sent[3]!["reasoning_content"]]).toEqual(thinking);
    expect(sent[1]!["tool_calls"][0].extra_content?.google.thought_signature).toBe(signature);
    expect(finishOf(chunks).adjusted).toEqual(reasoning === "drop" ? undefined : ["thinking-handed-back"]);
  });

  it("is omitted if the server rejects it, and the run reports the omission", async () => {
    const strict: Answer = (response, { body }) => {
      if (!JSON.stringify(body).includes("reasoning_content"))
        return says("ok")(response, { url: "", body, headers: {} });
      response.writeHead(422, { "content-type": "application/json" });
      response.end('{"detail":[{"loc":["body","reasoning_content"],"msg":"Extra inputs are not permitted"}]}');
    };
    await using server = await scriptedServer(strict);
    const chunks = await chunksOf(modelsAt(server.url).model("lab/m"), toyRequest({ messages: loop }));
    expect(finishOf(chunks).adjusted).toEqual(["thinking-not-taken-back"]);
  });
});

describe("tool calls in a reply", () => {
  it("are sent back as an empty object if the server rejects arguments that are not JSON, and the run reports this", async () => {
    const strict: Answer = (response, { body }) => {
      const texts = [...JSON.stringify(body).matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
        JSON.parse(text!),
      );
      if (texts.every((text) => text === "{}" || text === '{"city":"Ulm"}'))
        return says("ok")(response, { url: "", body, headers: {} });
      response.writeHead(500, { "content-type": "application/json" });
      response.end('{"error":{"message":"Failed to parse tool call arguments as JSON: parse error at line 1"}}');
    };
    await using server = await scriptedServer(strict);
    const calls = [
      { id: "a", name: "weather", text: '{"city":"Ulm"}', arguments: { city: "Ulm" } },
      { id: "b", name: "weather", text: '{"city":"Ul', arguments: undefined },
    ];
    const messages = [
      { role: "user", content: "Go" },
      { role: "assistant", content: "", calls },
      ...calls.map(({ id }) => ({ role: "tool", callId: id, content: "rain" }) as const),
    ] as const;
    const chunks = await chunksOf(modelsAt(server.url).model("lab/m"), toyRequest({ messages }));
    expect(finishOf(chunks).adjusted).toEqual(["arguments-not-sent-back"]);
    expect(server.seen).toHaveLength(2);
    const sent = server.seen[1]!.body["messages"] as Record<string, any>[];
    expect(sent[1]!["tool_calls"].map((call: any) => call.function.arguments)).toEqual(['{"city":"Ulm"}', "{}"]);
  });

  it.each([
    ["tools-as-text", "I look.\n", "calls-read-from-text"],
    ["tools-fenced", "", "calls-read-from-text"],
    ["tools-python-tag", "", "calls-read-from-text"],
    ["tools-mistral", "", "calls-read-from-text"],
    ["tools-mistral-new", "", "calls-read-from-text"],
    ["function-call", "", "calls-read-from-function-call"],
    ["tools-object", "", "call-arguments-were-an-object"],
    ["tools-no-index", "", undefined],
    ["tools-stop", "", undefined],
  ])("are read in any form: %s", async (name, text, adjustment) => {
    const { chunks } = await reply([name], toyRequest({ tools }));
    expect(callsOf(chunks).map((call) => [call.name, call.arguments])).toEqual([["find", { q: "cup" }]]);
    expect(textOf(chunks)).toBe(text);
    expect(finishOf(chunks).adjusted).toEqual(adjustment === undefined ? undefined : [adjustment]);
  });

  it("are distinguished even without ids or index numbers", async () => {
    const { chunks } = await reply(["tools-no-id"], toyRequest({ tools }));
    expect(callsOf(chunks).map(({ id, name, text }) => [id, name, text])).toEqual([
      ["call-0", "find", '{"q": "cup"}'],
      ["call-1", "book", '{"q": "cup"}'],
    ]);
  });

  it("keep the fields that the server requires in later requests", async () => {
    const { chunks } = await reply(["tools-no-index"], toyRequest({ tools }));
    expect(callsOf(chunks)[0]!.extra).toEqual({ google: { thought_signature: "c2ln" } });
  });

  it("are not parsed from text if no tools were offered, or if the text names another tool", async () => {
    const plain = await reply(["tools-as-text"]);
    expect(callsOf(plain.chunks)).toEqual([]);
    expect(textOf(plain.chunks)).toContain("<tool_call>");
    const other = await reply(["tools-fenced"], toyRequest({ tools: [tools[1]!] }));
    expect(callsOf(other.chunks)).toEqual([]);
    expect(textOf(other.chunks)).toContain("```json");
  });

  it.each(["no-tools", "no-tools-vllm"])(
    "are requested in the prompt with `tools: auto` if the server does not support tools: %s",
    async (name) => {
      const messages = [
        { role: "system", content: "Help." },
        { role: "user", content: "Where is it?" },
        { role: "assistant", content: "", calls: [{ id: "a", name: "find", text: '{"q":1}', arguments: { q: 1 } }] },
        { role: "tool", callId: "a", content: "here" },
      ] as const;
      const { chunks, bodies } = await reply([name, "tools-as-text"], withSpec({ tools: "auto" }, { messages, tools }));
      expect(callsOf(chunks)).toHaveLength(1);
      expect(finishOf(chunks).adjusted).toEqual(["tools-in-prompt", "calls-read-from-text"]);
      expect(bodies[1]).not.toHaveProperty("tools");
      const sent = bodies[1]!["messages"] as { role: string; content: string }[];
      expect(sent.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
      expect(sent[0]!.content).toContain('"name":"book"');
      expect(sent[3]!.content).toBe("<tool_response>\nhere\n</tool_response>");
    },
  );

  it("fail with advice if the server does not support tools and `tools` is `native`", async () => {
    expect((await failure(reply(["no-tools"], toyRequest({ tools })))).message).toContain("`tools: auto`");
    const servers = toyRequest({ tools });
    const named = {
      ...servers,
      asker: { ...servers.asker, spec: { ...servers.asker.spec, toolServers: { desk: "1" } } },
    };
    expect((await failure(reply(["no-tools"], named))).message).toContain("`tools: [NAME, auto]`");
  });
});

describe("replies that are not a normal stream", () => {
  it.each(["json200", "no-finish", "whole-message", "empty-finish"])("are accepted: %s", async (name) => {
    const { chunks, bodies } = await reply([name]);
    expect([textOf(chunks), bodies.length]).toEqual(["Pick B", 1]);
  });

  it.each([
    ["error200", "502 Provider returned error: model overloaded"],
    ["error200-not-found", "404 The model"],
    ["error-in-stream", "Provider disconnected"],
    ["error-event", "Overloaded"],
    ["cut-empty-finish", "ended before"],
    ["status-408", "408 Request timeout"],
    ["status-409", "409 Conflict"],
  ])("are retried, and the retry reports the server's words: %s", async (name, words) => {
    const { chunks } = await reply([name, ""]);
    expect(textOf(chunks)).toBe("Pick B");
    expect(retriesOf(chunks)[0]!.error).toContain(words);
  });

  it.each([
    ["error200-without-code", "Something is not right here", undefined, true],
    ["html200", "Please log in to continue.", undefined, true],
    ["quota", "You exceeded your current quota", 429, true],
    ["status-402", "Insufficient credits", 402, true],
    ["status-501", "Not here", 501, true],
  ])("fail after one request, with the server's words: %s", async (name, words, status, hopeless) => {
    await using server = await scriptedServer(recorded(name));
    const ended = await failure(chunksOf(modelsAt(server.url).model("lab/m")));
    expect(ended.message).toContain(words);
    expect(ended).toMatchObject({ status, hopeless, attempts: 1 });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [400, "gemma2:2b does not support tools", true],
    [400, "The model does not support Chat Completions API", true],
    [400, "This server does not support completions. Start it with another model", true],
    [404, "This model doesn't support streaming", true],
    [400, "'n' does not support 3 with this model", false],
    [400, "This model does not support image inputs in message 2", false],
    [400, "The tool `find` does not support the format given", false],
    [400, "Model does not support tool_choice `required` here", false],
  ])("end the run only if the error concerns every request: %i %s", async (status, message, hopeless) => {
    await using server = await scriptedServer(refuses(status, { error: { message } }));
    const ended = await failure(chunksOf(modelsAt(server.url).model("lab/m")));
    expect(ended).toMatchObject({ status, hopeless, attempts: 1 });
  });

  it("are retried after a 5xx status even if the error mentions an unsupported feature", async () => {
    const refusal = refuses(500, { error: { message: "This node does not support the request now" } });
    await using server = await scriptedServer(refusal, says("Pick B"));
    expect(textOf(await chunksOf(modelsAt(server.url).model("lab/m")))).toBe("Pick B");
  });

  it.each([
    ["length", "length", "Pick"],
    ["think-length", "length", ""],
    ["filter", "content_filter", "Pick"],
    ["refusal", "refusal", "I can't assist with that."],
  ])("report how the reply ended: %s", async (name, reason, text) => {
    const { chunks } = await reply([name]);
    expect([finishOf(chunks).reason, textOf(chunks)]).toEqual([reason, text]);
  });

  it("report the model that answered if it differs from the requested one", async () => {
    const { chunks } = await reply(["another-model"]);
    expect(finishOf(chunks)).toEqual({ type: "finish", reason: "stop", model: "m-2026-01", fingerprint: "fp_1" });
    expect(finishOf((await reply(["no-finish"])).chunks)).toEqual({ type: "finish", reason: "" });
  });
});

describe("waiting for a server", () => {
  it("treats comments in the stream as activity of the server", async () => {
    let say: (() => void) | undefined;
    let finish: (() => void) | undefined;
    await using server = await scriptedServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      say = () => void response.write(": processing\n\n");
      finish = () => says("Pick B")(response, { url: "", body: {}, headers: {} });
      response.writeHead = () => response;
    });
    const clock = openTestClock();
    const reading = chunksOf(modelsAt(server.url, { idleTimeout: 20 }, {}, clock).model("lab/m"));
    await until(() => expect(say).toBeDefined());
    for (let second = 15; second <= 60; second += 15) {
      const before = clock.due()[0]!;
      await clock.advance(15_000);
      say!();
      await until(() => expect(clock.due()[0]).toBeGreaterThan(before - 15_000));
    }
    finish!();
    const chunks = await reading;
    expect([textOf(chunks), retriesOf(chunks)]).toEqual(["Pick B", []]);
  });

  it("reads `retry-after-ms`", async () => {
    await using server = await scriptedServer(recorded("rate-milliseconds"), says("Pick B"));
    const clock = openTestClock();
    const reading = chunksOf(modelsAt(server.url, { idleTimeout: 1e6 }, {}, clock).model("lab/m"));
    await until(() => expect(clock.due()).toEqual([2500]));
    await clock.advance(2500);
    expect(textOf(await reading)).toBe("Pick B");
  });
});

describe("token usage of a reply", () => {
  const price = { input: 100, output: 1000, cached: 10, reasoning: 500 };

  it.each([
    ["usage-cached", { input: 70, output: 30, cached: 60 }, (10 * 100 + 60 * 10 + 30 * 1000) / 1e6],
    ["usage-reasoning", { input: 70, output: 30, reasoning: 20 }, (70 * 100 + 10 * 1000 + 20 * 500) / 1e6],
    ["usage-reasoning-apart", { input: 70, output: 50, reasoning: 20 }, (70 * 100 + 30 * 1000 + 20 * 500) / 1e6],
    ["usage-cost", { input: 70, output: 30, cost: 0.0123 }, 0.0123],
  ])("is priced like the server's bill: %s", async (name, tokens, cost) => {
    const usage = usageOf((await reply([name])).chunks);
    expect(usage).toEqual({ type: "usage", ...tokens, estimated: false });
    expect(tokenCost(usage, price)).toBeCloseTo(cost, 12);
  });

  it("is estimated if the server reports an empty usage", async () => {
    expect(usageOf((await reply(["usage-zero"])).chunks)).toMatchObject({ input: 7, output: 2, estimated: true });
  });

  it("lists the tokens of a failed attempt separately", async () => {
    const { chunks } = await reply(["error-in-stream", ""]);
    expect(retriesOf(chunks)[0]!.usage).toEqual({ input: 7, output: 1, estimated: true });
    expect(usageOf(chunks)).toMatchObject({ input: 7, output: 3, estimated: false });
  });
});
