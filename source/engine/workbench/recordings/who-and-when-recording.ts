/**
 * Logs of Who&When (Zhang et al. 2025, arXiv 2505.00212): failed runs of several agents, annotated with the agent and the step
 * that caused the failure. A recording is one set, one log per line, each as it was published, with the names of its set and its
 * file.
 */
import { boundedLines } from "../../text/bounded-text.ts";
import { DataProblem } from "../../text/json-lines.ts";
import { field, isRecord, type JsonRecord, listAt, textAt } from "../../text/json-record.ts";
import type { ReadBounds } from "../../text/read-bounds.ts";
import type { Json } from "../../types.ts";
import type { RecordedEvent, RecordedTask, Recording } from "./recording.ts";

/** Names of the two sets, which are never pooled. */
export const annotatedSets = ["Algorithm-Generated", "Hand-Crafted"] as const;
export type AnnotatedSet = (typeof annotatedSets)[number];

/** The ending of a recording's file. */
export const annotatedLogsEnding = ".who-and-when.jsonl";

export type AnnotatedLog = {
  /** The file's name without `.json`. */
  readonly log: string;
  readonly set: AnnotatedSet;
  readonly question: string;
  readonly reference: string;
  /** `speaker` is as in the log, so that speakers of hand-crafted systems have brackets: `Orchestrator (thought)`. */
  readonly steps: readonly { readonly speaker: string; readonly text: string }[];
  readonly agent: string;
  /** 0-based. */
  readonly step: number;
  readonly reason: string;
};

/** Reads a published log. Throws `DataProblem` with `where` for a log that lacks its annotation. */
export function annotatedLog(value: Json, set: AnnotatedSet, log: string, where: string): AnnotatedLog {
  const agent = textAt(value, "mistake_agent");
  const written = field(value, "mistake_step");
  const step = typeof written === "number" ? written : Number.parseInt(typeof written === "string" ? written : "", 10);
  if (!isRecord(value) || agent === "" || !Number.isInteger(step))
    throw new DataProblem(`Expected \`mistake_agent\` and \`mistake_step\` in ${where}, found none`);
  const speaker = set === "Hand-Crafted" ? "role" : "name";
  const steps = listAt(value, "history").map((each) => ({
    speaker: textAt(each, speaker),
    text: textAt(each, "content"),
  }));
  const said = { question: textAt(value, "question"), reference: textAt(value, "ground_truth") };
  return { log, set, ...said, steps, agent, step, reason: textAt(value, "mistake_reason") };
}

/** Returns the part of a speaker before its brackets. */
export const speakerName = (speaker: string): string => speaker.split(" (")[0]!.trim();

/** Returns the recording of such a file. */
export function annotatedRecording(path: string, bounds: ReadBounds): Recording {
  return {
    source: "Who&When",
    spec: undefined,
    warnings: [],
    model: "none",
    async *tasks() {
      yield* boundedLines(path, bounds, (line, number) => taskOf(logOfLine(line, `line ${number} of ${path}`)));
    },
  };
}

function logOfLine(line: string, where: string): AnnotatedLog {
  let value: JsonRecord;
  try {
    value = JSON.parse(line) as JsonRecord;
  } catch (error) {
    throw new DataProblem(`Expected ${where} to be JSON: ${(error as Error).message}`);
  }
  const set = annotatedSets.find((name) => name === textAt(value, "set"));
  if (set === undefined) throw new DataProblem(`Expected \`set\` to be ${annotatedSets.join(" or ")} in ${where}`);
  return annotatedLog(value, set, textAt(value, "log"), where);
}

/**
 * Returns the task of a log. Every step is a request without messages, with the speaker as model, because the logs do not contain
 * the agents' prompts.
 */
function taskOf({ log, set, question, reference, steps, agent, step, reason }: AnnotatedLog): RecordedTask {
  const at = 0;
  const events = steps.flatMap(({ speaker, text }, request): readonly RecordedEvent[] => [
    {
      type: "prompt",
      at,
      request,
      role: "model",
      ...(speaker !== "" && { agent: speaker.slice(0, 100) }),
      model: speaker || "unknown",
      stage: "step",
      messages: [],
    },
    { type: "text", at, request, text },
    { type: "finish", at, request, reason: "stop" },
  ]);
  return {
    id: log,
    question,
    facets: { set },
    reference,
    record: undefined,
    overrides: [],
    events,
    text: steps.at(-1)?.text,
    failure: undefined,
    ends: "scored",
    labels: {
      set,
      mistake_agent: agent,
      mistake_step: String(step),
      mistake_reason: reason,
      ...(reference !== "" && { ground_truth: reference }),
    },
    unset: undefined,
    from: at,
    to: at,
  };
}
