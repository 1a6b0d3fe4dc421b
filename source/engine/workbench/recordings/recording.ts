/** Recordings by other programs of models at work, converted to Planwright's events, for reading and scoring. */
import type { NewEvent } from "../../log/file/log.ts";
import type { JsonRecord } from "../../text/json-record.ts";
import type { Facets, Failure, Json, TaskEvent } from "../../types.ts";
import { DataProblem } from "../../text/json-lines.ts";
import type { RecordedAnnotation } from "./recorded-annotation.ts";

export type Recording = {
  /** The source in words: the program, and the model if named. */
  readonly source: string;
  /** The settings of the run as in Planwright's own log; not checked yet. */
  readonly spec: Json | undefined;
  /** Remarks shown with the results of the recording. */
  readonly warnings: readonly string[];
  /** The model, if named. */
  readonly model: string | undefined;
  /** Yields tasks one by one, because recordings may be larger than memory. Throws `DataProblem`. */
  tasks(): AsyncIterable<RecordedTask>;
};

/** An event of a task as written to a log: with its time, without number and task. */
export type RecordedEvent = Recorded<Exclude<TaskEvent, { type: "started" | "scored" | "failed" }>>;
type Recorded<E> = E extends TaskEvent ? Omit<E, "seq" | "task"> : never;

export type RecordedTask = {
  readonly id: string;
  readonly question: string;
  readonly facets: Facets;
  /** The right answer as text, if the recording has it. */
  readonly reference: string;
  /** The task as a record of the user's own file, if Planwright exported such a record; not checked yet. */
  readonly record: JsonRecord | undefined;
  /** Corrections by persons, if Planwright exported them; not checked yet. */
  readonly overrides: readonly Json[];
  /** Requests, replies, results and notes, in order. */
  readonly events: readonly RecordedEvent[];
  /** The model's last text, which is the answer if the events contain none; undefined if there is no answer. */
  readonly text: string | undefined;
  readonly failure: Failure | undefined;
  /** `open`: truncated or still running. */
  readonly ends: "scored" | "failed" | "open";
  /** Scores of the other program, by the scorer's name, as text. */
  readonly labels: Readonly<Record<string, string>>;
  /** The annotations in the recording. Absent if there are none. */
  readonly annotations?: readonly RecordedAnnotation[];
  /** Settings of the run that were not sent; undefined if unknown. */
  readonly unset: Extract<NewEvent, { type: "started" }>["unset"];
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
};

/** Equals 4,000 steps, each with a call and a result: 80 MB. */
const most = 10_000_000;

export class SentMessages {
  #count = 0;

  /** Throws `DataProblem` for more than a task of an experiment has. */
  add(count: number): void {
    this.#count += count;
    if (this.#count > most)
      throw new DataProblem(
        `Expected the requests of a task to have at most ${most.toLocaleString("en")} messages in total, got more`,
      );
  }
}
