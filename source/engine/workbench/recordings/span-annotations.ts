/** Annotations in spans: OpenInference's `annotations` and `evaluations`, and GenAI's events `gen_ai.evaluation.result`. */
import type { Json } from "../../types.ts";
import { type RecordedAnnotation, recordedAnnotation } from "./recorded-annotation.ts";
import type { Attributes } from "./span-attributes.ts";

/** Most annotations of a span under one prefix. */
const mostAnnotations = 1_000;

/** Prefixes of annotations of the span itself, and of its whole trace or session. */
const prefixes = [
  { name: "annotations", each: "annotation", isWhole: false },
  { name: "evaluations", each: "evaluation", isWhole: false },
  { name: "trace.annotations", each: "annotation", isWhole: true },
  { name: "trace.evaluations", each: "evaluation", isWhole: true },
  { name: "session.annotations", each: "annotation", isWhole: true },
  { name: "session.evaluations", each: "evaluation", isWhole: true },
] as const;

export type SpanEvent = { readonly name: string; readonly attributes: Attributes };

export const evaluationEvent = "gen_ai.evaluation.result";

const asText = (value: Json | undefined): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

/** Returns a name for an annotator of this kind, because spans contain no names of annotators. */
function annotator(kind: string): string {
  if (kind === "LLM") return "model:otel";
  return kind === "" ? "otel" : `otel ${kind.toLowerCase()}`;
}

/**
 * Returns the annotations of a span about itself or its trace. `events` are the attributes of its events by name; `request` is its
 * number if it is a request.
 */
export function annotationsOf(
  attributes: Attributes,
  events: readonly SpanEvent[],
  { request, at }: { readonly request: number | undefined; readonly at: number },
): readonly RecordedAnnotation[] {
  const place = request === undefined ? {} : { request };
  const found: (RecordedAnnotation | undefined)[] = [];
  for (const { name, each, isWhole } of prefixes)
    for (let index = 0; index < mostAnnotations; index++) {
      const get = (field: string) => asText(attributes.get(`${name}.${index}.${each}.${field}`));
      const kind = get("name");
      if (kind === "") break;
      const own = { by: annotator(get("annotator_kind")), kind, at, ...(isWhole ? {} : place) };
      found.push(recordedAnnotation(own, [get("label"), get("score"), get("explanation")]));
    }
  for (const event of events) {
    if (event.name !== evaluationEvent) continue;
    const get = (field: string) => asText(event.attributes.get(`gen_ai.evaluation.${field}`));
    const own = { by: "otel", kind: get("name"), at, ...place };
    found.push(recordedAnnotation(own, [get("score.label"), get("score.value"), get("explanation")]));
  }
  return found.filter((each) => each !== undefined);
}
