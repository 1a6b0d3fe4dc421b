/**
 * Log records of OTLP JSON next to spans. The GenAI conventions emit evaluations, and messages of a request, as records with the
 * ids of their span, or of the reply (`gen_ai.response.id`).
 */
import { field, isRecord, listAt, textAt } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";
import type { RecordedAnnotation } from "./recorded-annotation.ts";
import { annotationsOf, evaluationEvent, type SpanEvent } from "./span-annotations.ts";
import { type Attributes, attributesOf } from "./span-attributes.ts";

const responseId = "gen_ai.response.id";

/** Events whose attributes are read; other records become notes. */
const understood: readonly string[] = [evaluationEvent, "gen_ai.client.inference.operation.details"];

export type LogRecord = SpanEvent & {
  readonly trace: string;
  readonly span: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

type Placed = { readonly trace: string; readonly id: string; readonly attributes: Attributes };

/** Returns the records of a document. Older writers name the event in an attribute. */
export function recordsIn(document: Json): readonly LogRecord[] {
  const scopes = listAt(document, "resourceLogs").flatMap((resource) => listAt(resource, "scopeLogs"));
  return scopes.flatMap((scope) => listAt(scope, "logRecords").filter(isRecord).map(recordOf));
}

function recordOf(record: Json): LogRecord {
  const attributes = attributesOf(listAt(record, "attributes"));
  const named = attributes.get("event.name");
  return {
    name: textAt(record, "eventName") || (typeof named === "string" ? named : ""),
    attributes,
    trace: textAt(record, "traceId").slice(0, 64),
    span: textAt(record, "spanId"),
    at: timeAt(record, "timeUnixNano") || timeAt(record, "observedTimeUnixNano"),
  };
}

/** Returns milliseconds since 1970; 0 if there is no valid time. Nanoseconds may be a text or a number. */
export function timeAt(record: Json, name: string): number {
  const written = field(record, name);
  const at = Math.floor(Number(typeof written === "string" || typeof written === "number" ? written : 0) / 1_000_000);
  return Number.isSafeInteger(at) && at > 0 ? at : 0;
}

/** Adds a record to the records under this key. */
function put(into: Map<string, LogRecord[]>, key: string, record: LogRecord): void {
  const there = into.get(key);
  if (there === undefined) into.set(key, [record]);
  else there.push(record);
}

const keyOf = (trace: string, span: string): string => JSON.stringify([trace, span]);

/** Finds the span or the trace that each record is about. */
export class LogRecords {
  readonly #all: LogRecord[] = [];
  readonly #ofSpans = new Map<string, LogRecord[]>();
  readonly #ofTraces = new Map<string, LogRecord[]>();
  readonly #unread = new Map<string, LogRecord[]>();

  add(record: LogRecord): void {
    this.#all.push(record);
  }

  /** Adds records of `spans` without a trace to the first trace as notes. */
  place(spans: readonly Placed[]): void {
    const known = new Set(spans.map(({ trace, id }) => keyOf(trace, id)));
    const traces = new Set(spans.map(({ trace }) => trace));
    const replies = new Map(spans.map((span) => [span.attributes.get(responseId), span]));
    for (const record of this.#all) {
      const { trace, span, name, attributes } = record;
      const reply = attributes.has(responseId) ? replies.get(attributes.get(responseId)) : undefined;
      const isReplys = reply !== undefined && (trace === "" || trace === reply.trace);
      const isUnderstood = understood.includes(name);
      if (isUnderstood && known.has(keyOf(trace, span))) put(this.#ofSpans, keyOf(trace, span), record);
      else if (isUnderstood && span === "" && isReplys) put(this.#ofSpans, keyOf(reply.trace, reply.id), record);
      else if (span === "" && traces.has(trace) && name === evaluationEvent) put(this.#ofTraces, trace, record);
      else put(this.#unread, traces.has(trace) ? trace : spans[0]!.trace, record);
    }
  }

  /** Returns the records about this span. */
  eventsOf({ trace, id }: Pick<Placed, "trace" | "id">): readonly SpanEvent[] {
    return this.#ofSpans.get(keyOf(trace, id)) ?? [];
  }

  /** Returns evaluations of a whole trace. */
  ofTrace(trace: string): readonly RecordedAnnotation[] {
    return (this.#ofTraces.get(trace) ?? []).flatMap((record) =>
      annotationsOf(new Map(), [record], { request: undefined, at: record.at }),
    );
  }

  unreadOf(trace: string): readonly { readonly told: string; readonly at: number }[] {
    return (this.#unread.get(trace) ?? []).map(({ name, attributes, at }) => ({
      told: `${name} ${JSON.stringify(Object.fromEntries(attributes))}`,
      at,
    }));
  }
}
