/**
 * Reads spans in OTLP JSON (one document, or one per line) as a recording: one task per trace. Requests, calls and agents are
 * those of the GenAI conventions of OpenTelemetry, or of OpenInference. Log records are events of their spans.
 */
import { DataProblem } from "../../text/json-lines.ts";
import { isRecord, listAt, nestsDeeper, parseJson, recordAt, textAt } from "../../text/json-record.ts";
import type { Texts } from "./claude-code-recording.ts";
import type { Json } from "../../types.ts";
import type { RecordedTask, Recording } from "./recording.ts";
import type { RecordedAnnotation } from "./recorded-annotation.ts";
import { RecordedAgents } from "./recorded-agents.ts";
import { LogRecords, recordsIn, timeAt } from "./log-records.ts";
import { annotationsOf, type SpanEvent } from "./span-annotations.ts";
import { type Attributes, attributesOf, readRequest, readTool } from "./span-attributes.ts";

/** Deepest nesting of a document, and most ancestors of a span. */
const deepest = 200;

type Span = {
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly error: string | undefined;
};

/** Throws `DataProblem` for a file without spans. */
export async function otelRecording(lines: Texts, path: string): Promise<Recording> {
  let [isThere, model] = [false, undefined as string | undefined];
  for await (const { spans } of documentsIn(lines, path)) {
    isThere ||= spans.length > 0;
    model = spans.flatMap(({ attributes }) => readRequest(attributes)?.model || []).at(0);
    if (model !== undefined) break;
  }
  if (!isThere) throw new DataProblem(`Expected ${path} to be OTLP JSON (\`resourceSpans\`), found no span in it`);
  return {
    source: "OpenTelemetry spans",
    spec: undefined,
    warnings: [],
    model,
    async *tasks() {
      const all: Span[] = [];
      const records = new LogRecords();
      // Spans and records of a trace may come in any of its documents.
      for await (const { spans, document } of documentsIn(lines, path)) {
        for (const span of spans) all.push(span);
        for (const record of recordsIn(document)) records.add(record);
      }
      records.place(all);
      const traces = Map.groupBy(all, ({ trace }) => trace);
      for (const [trace, spans] of traces) yield taskOf(trace, spans, records);
    },
  };
}

async function* documentsIn(
  lines: Texts,
  path: string,
): AsyncGenerator<{ readonly spans: readonly Span[]; readonly document: Json }> {
  let number = 0;
  for await (const text of lines()) {
    number += 1;
    const value = parseJson(text);
    if (value === undefined || nestsDeeper(value, deepest))
      throw new DataProblem(`Expected line ${number} of ${path} to be OTLP JSON, got something else`);
    yield { spans: spansOf(value), document: value };
  }
}

function spansOf(document: Json): readonly Span[] {
  const scopes = listAt(document, "resourceSpans").flatMap((resource) => [
    ...listAt(resource, "scopeSpans"),
    ...listAt(resource, "instrumentationLibrarySpans"),
  ]);
  return scopes.flatMap((scope) => listAt(scope, "spans").filter(isRecord).map(spanOf));
}

function spanOf(span: Json): Span {
  const events = listAt(span, "events").map((event) => {
    return { name: textAt(event, "name"), attributes: attributesOf(listAt(event, "attributes")) };
  });
  const status = recordAt(span, "status");
  const isError = status["code"] === 2 || status["code"] === "STATUS_CODE_ERROR";
  return {
    trace: textAt(span, "traceId").slice(0, 64) || "trace",
    id: textAt(span, "spanId"),
    parent: textAt(span, "parentSpanId"),
    name: textAt(span, "name"),
    from: timeAt(span, "startTimeUnixNano"),
    to: timeAt(span, "endTimeUnixNano"),
    attributes: attributesOf(listAt(span, "attributes")),
    events,
    error: isError ? textAt(status as Json, "message") || "error" : undefined,
  };
}

/** Some instruments put the messages into an event of the span. */
const withEvents = (span: Span, records: LogRecords): Span => {
  const events = [...span.events, ...records.eventsOf(span)];
  return {
    ...span,
    events,
    attributes: new Map([...events.flatMap((each) => [...each.attributes]), ...span.attributes]),
  };
};

function taskOf(trace: string, given: readonly Span[], records: LogRecords): RecordedTask {
  const spans = given.map((span) => withEvents(span, records));
  const collected = new RecordedAgents();
  const byId = new Map(spans.map((span) => [span.id, span]));
  const ordered = spans.toSorted((one, other) => one.from - other.from || one.to - other.to);
  const annotations: RecordedAnnotation[] = [];
  let [question, last, requests] = ["", undefined as string | undefined, 0];
  for (const span of ordered) {
    const request = readRequest(span.attributes);
    const tool = request === undefined ? readTool(span.attributes, span.name) : undefined;
    const place = { request: request === undefined ? undefined : requests++, at: span.to };
    const said = annotationsOf(span.attributes, span.events, place);
    annotations.push(...said);
    if (request !== undefined) {
      const asked = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
      if (question === "") question = asked;
      collected.request({ ...request, agent: agentOf(span, byId), from: span.from, to: span.to });
      if (span.error !== undefined) collected.note("error", span.error, span.to);
      if (request.text !== "") last = request.text;
    } else if (tool !== undefined) {
      const content = tool.content === "" ? (span.error ?? "") : tool.content;
      collected.result(tool.callId, tool.name, { ok: span.error === undefined, content, at: span.to });
    } else if (agentName(span) === undefined && said.length === 0) collected.unknown(told(span), span.from);
  }
  annotations.push(...records.ofTrace(trace));
  for (const { told, at } of records.unreadOf(trace)) collected.unknown(told, at);
  const times = ordered.flatMap(({ from, to }) => [from, to]).filter((at) => at > 0);
  return {
    id: trace,
    question,
    facets: {},
    reference: "",
    record: undefined,
    overrides: [],
    events: collected.events,
    text: last,
    failure: undefined,
    ends: "scored",
    labels: {},
    annotations,
    unset: undefined,
    from: times.reduce((least, at) => Math.min(least, at), times[0] ?? 0),
    to: times.reduce((most, at) => Math.max(most, at), 0),
  };
}

const told = ({ name, attributes }: Span): string => `${name} ${JSON.stringify(Object.fromEntries(attributes))}`;

/** Returns the agent of a span: the name that it contains, or that of the nearest enclosing span with a name. */
function agentOf(span: Span, byId: ReadonlyMap<string, Span>): string | undefined {
  let at: Span | undefined = span;
  // Spans that are each other's parents have no outermost one.
  for (let depth = 0; at !== undefined && depth < deepest; depth++) {
    const name = agentName(at);
    if (name !== undefined) return name;
    at = byId.get(at.parent);
  }
  return undefined;
}

function agentName({ name, attributes }: Span): string | undefined {
  const own = attributes.get("gen_ai.agent.name") ?? attributes.get("agent.name");
  if (typeof own === "string" && own !== "") return own.slice(0, 100);
  const isAgent =
    attributes.get("openinference.span.kind") === "AGENT" || attributes.get("gen_ai.operation.name") === "invoke_agent";
  return isAgent ? name.slice(0, 100) : undefined;
}
