/** The Messages protocol, with a server scripted from Anthropic's documentation; event types are from `@anthropic-ai/sdk`. */
import type { Anthropic } from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import type { Chunk, ModelRequest } from "../../../source/engine/types.ts";
import { until } from "../../until.ts";
import { openTestClock } from "../work/test-clock.ts";
import { refuses, scriptedServer, type Answer } from "./scripted-server.ts";
import { chunksOf, failure, modelsAt, retriesOf, textOf, toyRequest, toySpec } from "./toy.ts";

type StreamEvent = Anthropic.RawMessageStreamEvent;
type Block = Extract<StreamEvent, { type: "content_block_start" }>["content_block"];
type Delta = Extract<StreamEvent, { type: "content_block_delta" }>["delta"];

const usage: Anthropic.Usage = {
  cache_creation: null,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 30,
  inference_geo: null,
  input_tokens: 7,
  output_tokens: 1,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: "standard",
  speed: null,
};
const message: Anthropic.Message = {
  id: "msg_01",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_reason: null,
  stop_sequence: null,
  usage,
};

/** Frames an event; the event's type is also its name. */
const framed = (event: StreamEvent | Anthropic.ErrorResponse | { readonly type: "ping" }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const start = framed({ type: "message_start", message });
const block = (index: number, content_block: Block, ...deltas: readonly Delta[]) =>
  [
    framed({ type: "content_block_start", index, content_block }),
    ...deltas.map((delta) => framed({ type: "content_block_delta", index, delta })),
    framed({ type: "content_block_stop", index }),
  ].join("");
const text = (index: number, ...pieces: readonly string[]) =>
  block(
    index,
    { type: "text", text: "", citations: null },
    ...pieces.map((piece) => ({ type: "text_delta", text: piece }) as const),
  );
const call = (index: number, id: string, name: string, ...pieces: readonly string[]) =>
  block(
    index,
    { type: "tool_use", id, name, input: {}, caller: { type: "direct" } },
    ...pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece }) as const),
  );
const end = (stop_reason: Anthropic.StopReason, details: Anthropic.Usage["output_tokens_details"] = null) => {
  const counted = {
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    input_tokens: null,
    output_tokens: 20,
    output_tokens_details: details,
    server_tool_use: null,
  };
  return (
    framed({
      type: "message_delta",
      delta: { container: null, stop_details: null, stop_reason, stop_sequence: null },
      usage: counted,
    }) + framed({ type: "message_stop" })
  );
};

const streams =
  (...events: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.join(""));
  };
const says = (...pieces: readonly string[]) =>
  streams(start, framed({ type: "ping" }), text(0, ...pieces), end("end_turn"));
const errorOf = (error: Anthropic.ErrorObject): Anthropic.ErrorResponse => ({
  type: "error",
  error,
  request_id: "req_01",
});
const invalid = (words: string) => refuses(400, errorOf({ type: "invalid_request_error", message: words }));

/** Everything streamed for one request to a server that gives these answers in order. */
async function reply(answers: readonly Answer[], request: ModelRequest = toyRequest({ maxTokens: 64 })) {
  await using server = await scriptedServer(...answers);
  const chunks = await chunksOf(modelsAt(server.url, { api: "messages" }).model("lab/m"), request);
  return { chunks, seen: server.seen, bodies: server.seen.map(({ body }) => body) };
}

const finishOf = (chunks: readonly Chunk[]) => chunks.at(-1) as Extract<Chunk, { type: "finish" }>;
const usageOf = (chunks: readonly Chunk[]) => chunks.find((chunk) => chunk.type === "usage");
const callsOf = (chunks: readonly Chunk[]) => chunks.flatMap((chunk) => (chunk.type === "call" ? [chunk.call] : []));
const thinkingOf = (chunks: readonly Chunk[]) => chunks.filter((chunk) => chunk.type === "thinking");
const tools = ["find", "book"].map((name) => ({ name, description: "A tool", parameters: { type: "object" } }));
const withSpec = (more: object, request: Partial<ModelRequest> = {}) =>
  toyRequest({ maxTokens: 64, ...request }, "t1", { ...toySpec, ...more });

const thought = { type: "thinking", thinking: "Hmm", signature: "EqQB" } satisfies Anthropic.ThinkingBlockParam;
const loop: ModelRequest["messages"] = [
  { role: "system", content: "Help." },
  { role: "system", content: "Briefly." },
  { role: "user", content: "Where is it?" },
  {
    role: "assistant",
    content: "I look.",
    calls: [
      { id: "call:a", name: "find", text: '{"q":1}', arguments: { q: 1 } },
      { id: "b", name: "book", text: "{not json", arguments: undefined },
    ],
    thinking: { text: "Hmm", items: [thought, { type: "reasoning", id: "rs_0" }] },
  },
  { role: "tool", callId: "call:a", content: "here" },
  { role: "tool", callId: "b", content: "" },
  { role: "user", content: "And now?" },
];

describe("a request of the Messages protocol", () => {
  it("contains the system text separately, and alternating turns of blocks", async () => {
    const { bodies, seen } = await reply(
      [says("ok")],
      toyRequest({ messages: loop, tools, maxTokens: 64, temperature: 0, topP: 0.9, stop: ["\n"] }),
    );
    expect(seen[0]!.url).toBe("/v1/messages");
    const expected: Anthropic.MessageCreateParamsStreaming = {
      model: "m",
      stream: true,
      max_tokens: 64,
      stop_sequences: ["\n"],
      system: "Help.\n\nBriefly.",
      tools: [
        { name: "find", description: "A tool", input_schema: { type: "object" } },
        { name: "book", description: "A tool", input_schema: { type: "object" } },
      ],
      messages: [
        { role: "user", content: [{ type: "text", text: "Where is it?" }] },
        {
          role: "assistant",
          content: [
            thought,
            { type: "text", text: "I look." },
            { type: "tool_use", id: "call_a", name: "find", input: { q: 1 } },
            { type: "tool_use", id: "b", name: "book", input: { INVALID_JSON: "{not json" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_a", content: "here" },
            { type: "tool_result", tool_use_id: "b", content: "" },
            { type: "text", text: "And now?" },
          ],
        },
      ],
    };
    // Sampling is for older models: the newest types have no such fields.
    expect(bodies[0]).toEqual({ ...expected, temperature: 0, top_p: 0.9 });
  });

  it("contains the protocol's version, and the key as `x-api-key`, which no message shows", async () => {
    const key = "sk-ant-very-secret-0123456789";
    await using server = await scriptedServer(
      refuses(401, errorOf({ type: "authentication_error", message: `invalid ${key}` })),
    );
    const models = modelsAt(server.url, { api: "messages", keyEnv: "LAB_KEY" }, { LAB_KEY: key });
    const problem = await failure(chunksOf(models.model("lab/m")));
    const { headers } = server.seen[0]!;
    expect([headers["x-api-key"], headers["anthropic-version"], headers.authorization]).toEqual([
      key,
      "2023-06-01",
      undefined,
    ]);
    expect(problem.message).toContain("401 invalid [key]");
    expect(server.seen).toHaveLength(1);
  });

  it("has a token limit even if the cell sets none, and the run reports this limit", async () => {
    const { bodies, chunks } = await reply([says("ok")], toyRequest());
    expect(bodies[0]!["max_tokens"]).toBe(8192);
    expect(finishOf(chunks).adjusted).toEqual(["asked-by-messages", "max-tokens-by-default"]);
    const thinking = { type: "enabled", budget_tokens: 4000 };
    const thoughtful = await reply([says("ok")], toyRequest({ request: { thinking } }));
    expect(thoughtful.bodies[0]).toMatchObject({ thinking, max_tokens: 12_192 });
  });

  it("contains the fields of the run's cell, under this protocol's names if they differ", async () => {
    const format = { type: "json_schema", json_schema: { name: "plan", schema: { type: "object" } } };
    const request = { reasoning_effort: "low", response_format: format, lab_field: 5, tool_choice: { type: "any" } };
    const { bodies } = await reply([says("ok")], toyRequest({ request }));
    expect(bodies[0]).toMatchObject({
      lab_field: 5,
      tool_choice: { type: "any" },
      output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
    });
    for (const field of ["reasoning_effort", "response_format", "stream_options"])
      expect(bodies[0]).not.toHaveProperty(field);
  });

  it("omits seed, min_p and a format of any JSON, which the run reports", async () => {
    const request = { response_format: { type: "json_object" } };
    const { bodies, chunks } = await reply([says("ok")], toyRequest({ seed: 7, minP: 0.1, maxTokens: 9, request }));
    for (const field of ["seed", "min_p", "output_config"]) expect(bodies[0]).not.toHaveProperty(field);
    expect(finishOf(chunks)).toMatchObject({ adjusted: ["asked-by-messages"], without: ["seed", "minP", "format"] });
  });

  it("puts the system text into a user message if the conversation does not start with a user message", async () => {
    const { bodies } = await reply([says("ok")], toyRequest({ messages: [{ role: "system", content: "Plan." }] }));
    expect(bodies[0]!["messages"]).toEqual([{ role: "user", content: [{ type: "text", text: "Plan." }] }]);
    expect(bodies[0]).not.toHaveProperty("system");
  });

  it.each([
    ["`temperature` is deprecated for this model.", "temperature", "temperature"],
    ["temperature: Extra inputs are not permitted", "temperature", "temperature"],
    ["`temperature` may only be set to 1 when thinking is enabled.", "temperature", "temperature"],
    ["`temperature` and `top_p` cannot both be specified for this model. Please use only one.", "top_p", "topP"],
    ["stop_sequences: this model does not support stop sequences (stop_sequences)", "stop_sequences", "stop"],
  ])("is sent again without a rejected field: %s", async (words, field, without) => {
    const { bodies, chunks } = await reply(
      [invalid(words), says("ok\nmore")],
      toyRequest({ temperature: 0, topP: 0.9, maxTokens: 9, stop: ["\nmore"] }),
    );
    expect(bodies.map((body) => field in body)).toEqual([true, false]);
    expect(finishOf(chunks).without).toEqual([without]);
    expect(textOf(chunks)).toBe(without === "stop" ? "ok" : "ok\nmore");
  });

  it.each([
    ["auto", [true, false], "thinking-not-taken-back"],
    ["drop", [false], undefined],
  ] as const)(
    "contains earlier thinking as the run requests, unless the server rejects its signature: %s",
    async (reasoning, sent, said) => {
      const refused = invalid("messages.1.content.0: Invalid `signature` in `thinking` block");
      const answers = reasoning === "auto" ? [refused, says("ok")] : [says("ok")];
      const { bodies, chunks } = await reply(answers, withSpec({ reasoning }, { messages: loop }));
      expect(bodies.map((body) => JSON.stringify(body).includes("EqQB"))).toEqual(sent);
      expect(finishOf(chunks).adjusted?.at(-1)).toBe(said ?? "asked-by-messages");
    },
  );
});

describe("a reply of the Messages protocol", () => {
  it("streams text, then its usage including cached tokens, then its finish reason", async () => {
    expect((await reply([says("Pick", " B")])).chunks).toEqual([
      { type: "text", text: "Pick B" },
      { type: "usage", input: 137, output: 20, cached: 30, estimated: false },
      { type: "finish", reason: "stop", adjusted: ["asked-by-messages"] },
    ]);
  });

  it("separates thinking from text, and keeps the blocks to send back unchanged", async () => {
    const thinking = block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Hm" },
      { type: "thinking_delta", thinking: "m" },
      { type: "signature_delta", signature: "EqQB" },
    );
    const redacted: Anthropic.RedactedThinkingBlock = { type: "redacted_thinking", data: "c2Vj" };
    const { chunks } = await reply([
      streams(start, thinking, block(1, redacted), text(2, "Pick B"), end("end_turn", { thinking_tokens: 12 })),
    ]);
    expect(textOf(chunks)).toBe("Pick B");
    expect(
      thinkingOf(chunks)
        .map((chunk) => chunk.text)
        .join(""),
    ).toBe("Hmm");
    expect(thinkingOf(chunks).flatMap((chunk) => chunk.item ?? [])).toEqual([
      { ...thought, thinking: "Hmm" },
      redacted,
    ]);
    expect(usageOf(chunks)).toMatchObject({ output: 20, reasoning: 12 });
  });

  it("contains tool calls, including a call without arguments", async () => {
    const { chunks } = await reply(
      [
        streams(
          start,
          text(0, "I look."),
          call(1, "toolu_1", "find", "", '{"q":', '"cup"}'),
          call(2, "toolu_2", "book", ""),
          end("tool_use"),
        ),
      ],
      toyRequest({ tools, maxTokens: 64 }),
    );
    expect(callsOf(chunks)).toEqual([
      { id: "toolu_1", name: "find", text: '{"q":"cup"}', arguments: { q: "cup" } },
      { id: "toolu_2", name: "book", text: "{}", arguments: {} },
    ]);
    expect([textOf(chunks), finishOf(chunks).reason]).toEqual(["I look.", "tool_calls"]);
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"],
    ["pause_turn", "pause_turn"],
  ] as const)("reports how it ended: %s", async (reason, shown) => {
    const { chunks } = await reply([streams(start, text(0, "Pick B"), end(reason))]);
    expect(finishOf(chunks).reason).toBe(shown);
  });

  it("can arrive in one piece", async () => {
    const whole: Anthropic.Message = {
      ...message,
      stop_reason: "tool_use",
      content: [
        thought,
        { type: "text", text: "I look.", citations: null },
        { type: "tool_use", id: "toolu_1", name: "find", input: { q: "cup" }, caller: { type: "direct" } },
      ],
    };
    const { chunks } = await reply([refuses(200, whole)], toyRequest({ tools, maxTokens: 64 }));
    expect([textOf(chunks), finishOf(chunks).reason]).toEqual(["I look.", "tool_calls"]);
    expect(callsOf(chunks)[0]!.arguments).toEqual({ q: "cup" });
    expect(thinkingOf(chunks).flatMap((chunk) => chunk.item ?? [])).toEqual([thought]);
  });
});

describe("an error of the Messages protocol", () => {
  const overloaded = errorOf({ type: "overloaded_error", message: "Overloaded" });

  it.each([
    ["529", refuses(529, overloaded), "529 Overloaded"],
    ["in the middle of a stream", streams(start, text(0, "half of "), framed(overloaded)), "Overloaded"],
    ["a stream that ends too early", streams(start, text(0, "half of ")), "ended before"],
  ])("is retried: %s", async (_name, trouble, words) => {
    const { chunks } = await reply([trouble, says("whole")]);
    expect(textOf(chunks)).toBe("whole");
    expect(retriesOf(chunks).map(({ error }) => error)).toEqual([expect.stringContaining(words)]);
  });

  it("is retried after the server's delay if there were too many requests", async () => {
    const limited = errorOf({ type: "rate_limit_error", message: "Slow down" });
    await using server = await scriptedServer(refuses(429, limited, { "retry-after": "20" }), says("at last"));
    const clock = openTestClock();
    const endpoint = { api: "messages", idleTimeout: 1e6 } as const;
    const reading = chunksOf(modelsAt(server.url, endpoint, {}, clock).model("lab/m"));
    await until(() => expect(clock.due()).toEqual([20_000]));
    await clock.advance(20_000);
    expect(textOf(await reading)).toBe("at last");
  });

  it.each([
    ["billing_error", 402, "Check your payment details"],
    ["invalid_request_error", 400, "Your credit balance is too low to access the API"],
  ] as const)("ends the run if the account has no credit left: %s", async (type, status, words) => {
    const problem = await failure(reply([refuses(status, errorOf({ type, message: words }))]));
    expect(problem).toMatchObject({ status, hopeless: true, attempts: 1 });
    expect(problem.message).toContain(words);
  });

  it("is a ContextProblem if the prompt is longer than the context", async () => {
    const refused = invalid("prompt is too long: 208310 tokens > 200000 maximum");
    await expect(reply([refused])).rejects.toMatchObject({ name: "ContextProblem" });
  });
});
