/** Spans in OTLP JSON, by the conventions of OpenInference and by those of OpenTelemetry for GenAI. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTask } from "../../source/engine/log/file/indexed-log.ts";
import type { Event, TaskEvent } from "../../source/engine/types.ts";
import { jsonLines, temporaryFolder, typed } from "../commands/typed.ts";

const folder = temporaryFolder();

const attributes = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).map(([key, value]) => ({
    key,
    value:
      typeof value === "number"
        ? { intValue: String(value) }
        : Array.isArray(value)
          ? { arrayValue: { values: value.map((each) => ({ stringValue: each })) } }
          : { stringValue: value },
  }));
let count = 0;
/** A one-second span, later than the spans before. */
const span = (name: string, fields: Readonly<Record<string, unknown>>, more: object = {}) => {
  count += 1;
  return {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: name,
    name,
    startTimeUnixNano: `${1_700_000_000_000 + count * 1000}000000`,
    endTimeUnixNano: `${1_700_000_000_500 + count * 1000}000000`,
    attributes: attributes(fields),
    ...more,
  };
};
const document = (...spans: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

async function imported(...paths: string[]) {
  const said = await typed("import", "otel", ...paths, "--into", folder("mine"));
  const runs = said.status === 0 ? readdirSync(folder("mine", "runs")) : [];
  const events = runs.flatMap((run) => {
    const log = folder("mine", "runs", run, "events.jsonl");
    const lines = readFileSync(log, "utf8").trim().split("\n");
    const tasks = lines.map((line) => JSON.parse(line) as Event).filter(({ type }) => type === "started");
    return tasks.flatMap((event) => ("task" in event ? readTask(log, event.task) : []));
  });
  return { said, events };
}
const of = <Type extends TaskEvent["type"]>(events: readonly TaskEvent[], type: Type) =>
  events.filter((event): event is Extract<TaskEvent, { type: Type }> => event.type === type);

describe("planwright import otel", () => {
  it("reads annotations of spans as codes of their steps, each only once", async () => {
    const llm = {
      "openinference.span.kind": "LLM",
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Hi",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.content": "Ho",
    };
    const said = {
      "annotations.0.annotation.name": "tone",
      "annotations.0.annotation.label": "curt",
      "annotations.0.annotation.annotator_kind": "HUMAN",
    };
    writeFileSync(folder("said.json"), JSON.stringify(document(span("one", llm), span("two", { ...llm, ...said }))));
    const first = await imported(folder("said.json"));
    expect(first.said.err).toContain("1 annotation kept as codes");
    await imported(folder("said.json"));
    const lines = readFileSync(folder("mine", "codes", "otel%20human.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1]!)).toMatchObject({
      type: "code",
      by: "otel human",
      task: "0af7651916cd43dd8448eb211c80319c",
      kind: "tone",
      place: { section: "steps", request: 1, step: 1, block: "step 1 reply" },
      remark: "curt",
    });
  });

  it("reads requests, calls, tokens and agents of OpenInference", async () => {
    const planner = { parentSpanId: "planner" };
    const messages = {
      "llm.input_messages.0.message.role": "system",
      "llm.input_messages.0.message.content": "Be brief.",
      "llm.input_messages.1.message.role": "user",
      "llm.input_messages.1.message.contents.0.message_content.type": "text",
      "llm.input_messages.1.message.contents.0.message_content.text": "Weather in Rome?",
    };
    const tool = { name: "weather", description: "Tells it", parameters: { type: "object" } };
    const path = jsonLines(folder("spans.jsonl"), [
      document(
        span("planner", { "openinference.span.kind": "AGENT", "agent.name": "planner" }),
        span(
          "first",
          {
            "openinference.span.kind": "LLM",
            "llm.model_name": "toy-1",
            ...messages,
            "llm.tools.0.tool.json_schema": JSON.stringify({ type: "function", function: tool }),
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "weather",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"city": "Rome"}',
            "llm.token_count.prompt": 11,
            "llm.token_count.completion": 3,
          },
          planner,
        ),
      ),
      document(
        span("weather", { "openinference.span.kind": "TOOL", "tool.id": "c1", "output.value": "sunny" }, planner),
        span("teller", { "openinference.span.kind": "AGENT" }, planner),
        span(
          "second",
          {
            "openinference.span.kind": "LLM",
            "llm.model_name": "toy-1",
            ...messages,
            "llm.input_messages.2.message.role": "tool",
            "llm.input_messages.2.message.tool_call_id": "c1",
            "llm.input_messages.2.message.content": "sunny",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "Sunny.",
          },
          { parentSpanId: "teller" },
        ),
        span("lookup", { "openinference.span.kind": "RETRIEVER", "input.value": "q" }, planner),
      ),
    ]);
    const { said, events } = await imported(path);
    expect(said).toMatchObject({ status: 0, err: expect.stringContaining("1 record not understood, kept as notes") });
    expect(said.out).toMatch(/^toy-1 \(spans.otlp.jsonl\): done/);
    const [first, second] = of(events, "prompt");
    expect(first).toMatchObject({
      agent: "planner",
      model: "toy-1",
      tools: [tool],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Weather in Rome?" },
      ],
    });
    expect(second).toMatchObject({
      agent: "teller",
      messages: [{}, {}, { role: "tool", callId: "c1", content: "sunny" }],
    });
    expect(of(events, "call").map(({ call }) => call)).toEqual([
      { id: "c1", name: "weather", text: '{"city": "Rome"}', arguments: { city: "Rome" } },
    ]);
    expect(of(events, "result")).toMatchObject([
      { callId: "c1", name: "weather", result: { ok: true, observation: "sunny" } },
    ]);
    expect(of(events, "usage")).toMatchObject([{ request: 0, input: 11, output: 3 }]);
    expect(of(events, "text").map(({ text }) => text)).toEqual(["Sunny."]);
    expect(of(events, "note").map(({ kind, text }) => [kind, text.slice(0, 6)])).toEqual([["unread", "lookup"]]);
    expect(of(events, "started")).toMatchObject([
      { task: "0af7651916cd43dd8448eb211c80319c", question: "Weather in Rome?" },
    ]);
  });

  it("reads messages of the GenAI conventions as JSON, in attributes or in an event of the span", async () => {
    const input = [
      { role: "user", parts: [{ type: "text", content: "Add 2 and 3." }] },
      { role: "assistant", parts: [{ type: "tool_call", id: "t", name: "add", arguments: { a: 2, b: 3 } }] },
      { role: "tool", parts: [{ type: "tool_call_response", id: "t", response: "5" }] },
    ];
    const output = [
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "Easy." },
          { type: "text", content: "Five." },
        ],
        finish_reason: "stop",
      },
    ];
    const usage = { "gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 2 };
    const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "toy", ...usage };
    const said = {
      "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: "Be exact." }]),
      "gen_ai.input.messages": JSON.stringify(input),
      "gen_ai.output.messages": JSON.stringify(output),
    };
    const older = {
      "gen_ai.request.model": "old",
      "gen_ai.prompt.0.role": "user",
      "gen_ai.prompt.0.content": "Hi",
      "gen_ai.completion.0.role": "assistant",
      "gen_ai.completion.0.content": "Hello",
    };
    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "add", "gen_ai.tool.call.id": "t" };
    writeFileSync(
      folder("spans.json"),
      JSON.stringify(
        document(
          span("invoke", { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "adder" }),
          span("add", tool, { parentSpanId: "invoke", status: { code: 2, message: "no such number" } }),
          span(
            "chat",
            { ...chat, "gen_ai.response.finish_reasons": ["stop"] },
            {
              parentSpanId: "invoke",
              events: [{ name: "gen_ai.client.inference.operation.details", attributes: attributes(said) }],
            },
          ),
          span("chat-2", { ...chat, ...said }),
          span("chat-3", older),
        ),
        null,
        2,
      ),
    );
    const { events } = await imported(folder("spans.json"));
    const prompts = of(events, "prompt");
    expect(
      prompts.map(({ agent, model, messages }) => [agent, model, messages.map(({ role }) => role).join(" ")]),
    ).toEqual([
      ["adder", "toy", "system user assistant tool"],
      [undefined, "toy", "system user assistant tool"],
      [undefined, "old", "user"],
    ]);
    expect(of(events, "thinking").map(({ text }) => text)).toEqual(["Easy.", "Easy."]);
    expect(of(events, "text").map(({ text }) => text)).toEqual(["Five.", "Five.", "Hello"]);
    expect(of(events, "result")).toMatchObject([
      { callId: "t", name: "add", result: { ok: false, observation: "no such number" } },
    ]);
    expect(of(events, "usage")).toMatchObject([
      { input: 7, output: 2 },
      { input: 7, output: 2 },
    ]);
  });

  it("reads log records as events of their spans: evaluations and messages", async () => {
    const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "toy" };
    const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
    const evaluation = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
      attributes({ "gen_ai.evaluation.name": name, "gen_ai.evaluation.score.label": "fail", ...more });
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const eventName = "gen_ai.evaluation.result";
    const timeUnixNano = "1700000900000000000";
    const records = [
      { traceId, spanId: "two", eventName, timeUnixNano, attributes: evaluation("tone") },
      // Without the span's id the reply's id tells it, and without either it is about the whole trace.
      { eventName, timeUnixNano, attributes: evaluation("style", { "gen_ai.response.id": "reply-one" }) },
      { traceId, attributes: [...evaluation("solved"), ...attributes({ "event.name": eventName })] },
      {
        traceId,
        spanId: "one",
        eventName: "gen_ai.client.inference.operation.details",
        attributes: attributes({
          "gen_ai.input.messages": message("user", "Hi"),
          "gen_ai.output.messages": message("assistant", "Ho"),
        }),
      },
      // Neither is about a span of the file.
      { traceId, spanId: "gone", eventName, attributes: evaluation("lost") },
      { traceId: "ffff", eventName: "other", attributes: [] },
      { eventName: "of no trace" },
    ];
    const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [...records, 7] }] }] };
    const spans = jsonLines(folder("traces.jsonl"), [
      document(span("one", { ...chat, "gen_ai.response.id": "reply-one" }), span("two", chat)),
    ]);
    const { said, events } = await imported(jsonLines(folder("logs.jsonl"), [logs]), spans);
    expect(said).toMatchObject({ status: 0, err: expect.stringContaining("3 annotations kept as codes") });
    expect(said.err).toContain("3 records not understood, kept as notes");
    expect(of(events, "started").map(({ task }) => task)).toEqual([traceId]);
    expect(of(events, "prompt")[0]).toMatchObject({ messages: [{ role: "user", content: "Hi" }] });
    expect(of(events, "text").map(({ text }) => text)).toEqual(["Ho"]);
    const [, ...codes] = readFileSync(folder("mine", "codes", "otel.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(codes.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { kind: "style", remark: "fail", place: { request: 0, step: 0 } },
      { kind: "tone", place: { request: 1, step: 1 } },
      { kind: "solved", task: traceId },
    ]);
    expect(of(events, "note").map(({ text }) => text.split(" {")[0])).toEqual([eventName, "other", "of no trace"]);
  });

  it("accepts hostile spans: cyclic parents, other types, deeply nested values", async () => {
    const strange = {
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": "[[[",
      "gen_ai.usage.input_tokens": -4,
    };
    const path = jsonLines(folder("bad.jsonl"), [
      document(
        span("a", strange, { parentSpanId: "b" }),
        span("b", { "openinference.span.kind": "LLM" }, { parentSpanId: "a", startTimeUnixNano: {} }),
        { attributes: 4 },
        span("c", {}, { traceId: "x\u001b[2J".repeat(100), events: [{ attributes: "no" }] }),
      ),
    ]);
    const { said, events } = await imported(path);
    expect(said.status).toBe(0);
    expect(said.out).not.toContain("\u001b[2J");
    expect(of(events, "prompt")).toHaveLength(2);
    expect(of(events, "usage")).toHaveLength(0);
    const deep = folder("deep.jsonl");
    writeFileSync(deep, `${'{"a":'.repeat(1000)}1${"}".repeat(1000)}\n`);
    expect((await imported(deep)).said.err).toContain("to be OTLP JSON, got something else");
    writeFileSync(folder("none.json"), "{}");
    expect((await imported(folder("none.json"))).said.err).toContain("found no span in it");
  });
});
