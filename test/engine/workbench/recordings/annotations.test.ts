/** Annotations of recorded tasks made elsewhere: in spans, and as edits of Inspect's scores. */
import { describe, expect, it } from "vitest";
import { inspectTask } from "../../../../source/engine/workbench/recordings/inspect-sample.ts";
import {
  recordedAnnotation,
  stepOfRequest,
} from "../../../../source/engine/workbench/recordings/recorded-annotation.ts";
import type { RecordedEvent } from "../../../../source/engine/workbench/recordings/recording.ts";
import { annotationsOf } from "../../../../source/engine/workbench/recordings/span-annotations.ts";

const at = 1_700_000_000_000;

describe("a recorded annotation", () => {
  it("has a kind and an annotator that codes accept, without empty parts", () => {
    const said = ["wrong", "", "0.5", "x".repeat(3_000)];
    const found = recordedAnnotation({ by: " Ada|Lo\u0007ve:lace ", kind: `## tone: ${"y".repeat(90)}`, at }, said)!;
    expect(found).toMatchObject({ by: "Ada Lo ve lace", at });
    expect(found.kind).toBe(`tone  ${"y".repeat(90)}`.slice(0, 60));
    expect(found.remark).toHaveLength(2_000);
    expect(found.remark.startsWith("wrong, 0.5, xxx")).toBe(true);
    expect(recordedAnnotation({ by: "model:judge:7", kind: "tone", request: 3, at }, [])).toEqual({
      by: "model:judge 7",
      kind: "tone",
      remark: "",
      request: 3,
      at,
    });
  });

  it.each([
    ["", "tone"],
    ["Ada", ""],
    ["Ada", "__proto__"],
    ["Ada", " :| "],
    ["model: ", "tone"],
  ])("is ignored with annotator %j and kind %j", (by, kind) => {
    expect(recordedAnnotation({ by, kind, at }, ["said"])).toBeUndefined();
  });

  it("has the step of its request: requests, results, notes and answers count, but not chunks", () => {
    const events = [
      { type: "prompt", request: 0 },
      { type: "text", request: 0 },
      { type: "result" },
      { type: "note" },
      { type: "answer" },
      { type: "prompt", request: 1 },
    ] as unknown as RecordedEvent[];
    expect([0, 1, 2].map((request) => stepOfRequest(events, request))).toEqual([0, 4, undefined]);
  });
});

describe("annotations of a span", () => {
  const own = { request: 2, at };

  it("include the annotations of its trace, with their annotators", () => {
    const attributes = new Map<string, string | number>([
      ["annotations.0.annotation.name", "hallucination"],
      ["annotations.0.annotation.label", "factual"],
      ["annotations.0.annotation.score", 0],
      ["annotations.0.annotation.explanation", "All is supported"],
      ["annotations.0.annotation.annotator_kind", "LLM"],
      ["annotations.1.annotation.name", "tone"],
      ["annotations.1.annotation.annotator_kind", "HUMAN"],
      ["annotations.3.annotation.name", "behind a gap"],
      ["evaluations.0.evaluation.name", "length"],
      ["evaluations.0.evaluation.score", 12.5],
      ["trace.annotations.0.annotation.name", "solved"],
      ["trace.annotations.0.annotation.label", "no"],
      ["session.evaluations.0.evaluation.name", "mood"],
    ]);
    expect(annotationsOf(attributes, [], own)).toEqual([
      { by: "model:otel", kind: "hallucination", remark: "factual, 0, All is supported", request: 2, at },
      { by: "otel human", kind: "tone", remark: "", request: 2, at },
      { by: "otel", kind: "length", remark: "12.5", request: 2, at },
      { by: "otel", kind: "solved", remark: "no", at },
      { by: "otel", kind: "mood", remark: "", at },
    ]);
  });

  it("are read from evaluation events, but not from other events", () => {
    const event = (name: string, score: number) => ({
      name,
      attributes: new Map<string, string | number>([
        ["gen_ai.evaluation.name", "Relevance"],
        ["gen_ai.evaluation.score.value", score],
        ["gen_ai.evaluation.score.label", "pass"],
        ["gen_ai.evaluation.explanation", "To the point"],
      ]),
    });
    const events = [event("gen_ai.evaluation.result", 4), event("exception", 1)];
    expect(annotationsOf(new Map(), events, { request: undefined, at })).toEqual([
      { by: "otel", kind: "Relevance", remark: "pass, 4, To the point", at },
    ]);
  });
});

it("edits of Inspect's scores are read with their authors, and skipped without an author", () => {
  const edited = {
    value: "C",
    history: [
      { value: "I", answer: "no", explanation: "The scorer's own" },
      {
        value: "C",
        explanation: "UNCHANGED",
        provenance: { timestamp: "2026-03-01T10:00:00Z", author: "Ada", reason: "The key is wrong" },
      },
      { value: "UNCHANGED", explanation: { note: 1 }, provenance: { author: "Lin", reason: null } },
    ],
  };
  const sample = { id: "a", started_at: "2026-01-01T00:00:00Z", scores: { match: edited, other: { value: 1 } } };
  expect(inspectTask(sample, false).annotations).toEqual([
    { by: "Ada", kind: "match", remark: "C, The key is wrong", at: Date.UTC(2026, 2, 1, 10) },
    { by: "Lin", kind: "match", remark: '{"note":1}', at: Date.UTC(2026, 0, 1) },
  ]);
  expect(inspectTask(sample, true).annotations).toEqual([]);
});
