/** Scoring answers that another program produced. */
import type { Figure } from "./figure.ts";
import type { DataKind, Json, Score, Task } from "./types.ts";

/** Scores answers made elsewhere (`planwright score`). */
export type PredictionScorer = {
  readonly splits: readonly string[];
  /** True where what is scored are sums over labels, which belong to no task and cannot be kept as a run. */
  readonly sumsOnly?: boolean;
  /** Flags beyond the common ones, such as `--parser`, with their values; the first is the default. */
  readonly flags?: Readonly<Record<string, readonly string[]>>;
  /** Throws `PredictionProblem` for a line that does not fit; a bad answer is scored, never thrown. */
  score(request: PredictionRequest): Promise<Predictions>;
};

export type PredictionRequest = {
  /** Parsed input lines with their 1-based numbers in the file. */
  readonly lines: readonly { readonly number: number; readonly value: Json }[];
  readonly folder: string;
  readonly data: DataKind;
  readonly split: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

export type Predictions = {
  /** One per input line, in input order; absent for suites that only aggregate. */
  readonly records: readonly Json[];
  readonly aggregate: Json;
  /** The same for people. */
  readonly figures: readonly Figure[];
  /** What `--into` keeps as a run. */
  readonly entries: readonly { readonly task: Task; readonly answer: Json; readonly score: Score }[];
};

/** Whether a file of predictions is, by its name, what another program recorded of whole tasks, and not a file of answers. */
export function isRecording(path: string): boolean {
  return /\.(eval|inspect\.json|atif\.jsonl)(\.gz)?$/.test(path);
}

/** A line of a predictions file that does not fit. */
export class PredictionProblem extends Error {
  override readonly name = "PredictionProblem";
  /** 1-based number of the line in its file. */
  readonly line: number;

  /** `message` says what was expected; the line's number is put in front. */
  constructor(line: number, message: string) {
    super(`Line ${line}: ${message}`);
    this.line = line;
  }
}
