/** Scoring answers that another program produced. */
import type { Figure } from "./figure.ts";
import type { DataKind, Json, Score, Task } from "./types.ts";

/** Scores answers made elsewhere (`planwright score`). */
export type PredictionScorer = {
  readonly splits: readonly string[];
  /** True if scores are sums over labels. Labels belong to no task, so these scores cannot be saved as a run. */
  readonly sumsOnly?: boolean;
  /** Further flags, such as `--parser`, with their possible values; the first value is the default. */
  readonly flags?: Readonly<Record<string, readonly string[]>>;
  /** Scores the lines. Throws `PredictionProblem` for a malformed line; a bad answer is scored, never thrown. */
  score(request: PredictionRequest): Promise<Predictions>;
};

/** A parsed line with its 1-based number in the file; `text` is the source text, in which 2.0 differs from 2. */
export type PredictionLine = { readonly number: number; readonly value: Json; readonly text?: string };

export type PredictionRequest = {
  readonly lines: readonly PredictionLine[];
  readonly folder: string;
  readonly data: DataKind;
  readonly split: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

export type Predictions = {
  /** One record per input line, in input order; absent for suites that only aggregate. */
  readonly records: readonly Json[];
  readonly aggregate: Json;
  /** The results as figures for people. */
  readonly figures: readonly Figure[];
  /** Answers that `--into` keeps as a run. */
  readonly entries: readonly { readonly task: Task; readonly answer: Json; readonly score: Score }[];
};

/** Returns whether a predictions file is, by its name, a recording of whole tasks instead of a file of answers. */
export const isRecording = (path: string): boolean =>
  /\.(eval|inspect\.json|atif\.jsonl|claude-code\.jsonl|otlp\.jsonl)(\.gz)?$/.test(path);

/** In characters. */
const longestMessage = 1000;

/** A malformed line of a predictions file. */
export class PredictionProblem extends Error {
  override readonly name = "PredictionProblem";
  /** 1-based number of the line in its file. */
  readonly line: number;

  /** `message` names the expectation; the line's number is prepended, and a message with a long value is cut. */
  constructor(line: number, message: string) {
    super(`Line ${line}: ${message.length > longestMessage ? `${message.slice(0, longestMessage)}...` : message}`);
    this.line = line;
  }
}
