/** What another program recorded of models at work, in our terms: how each task went, to be read and scored here. */
import type { NewEvent } from "../../log/file/log.ts";
import type { JsonRecord } from "../../text/json-record.ts";
import type { Facets, Failure, Json, TaskEvent } from "../../types.ts";
import { DataProblem } from "../../text/json-lines.ts";

export type Recording = {
  /** What it is from, in words: the program, and the model where it names one. */
  readonly source: string;
  /** The settings of the run, as they stand in a log of ours; not checked yet. */
  readonly spec: Json | undefined;
  /** What is to be said beside its results. */
  readonly warnings: readonly string[];
  /** The model that was asked, where it is named. */
  readonly model: string | undefined;
  /** One after the other: recordings may be larger than what fits into memory. Throws `DataProblem`. */
  tasks(): AsyncIterable<RecordedTask>;
};

/** An event of a task as it is written to a log: with its time, without number and task. */
export type RecordedEvent = Recorded<Exclude<TaskEvent, { type: "started" | "scored" | "failed" }>>;
type Recorded<E> = E extends TaskEvent ? Omit<E, "seq" | "task"> : never;

export type RecordedTask = {
  readonly id: string;
  readonly question: string;
  readonly facets: Facets;
  /** The right answer as text, where the recording has it. */
  readonly reference: string;
  /** The task as a record of the user's own file, where it was one and was exported here; not checked yet. */
  readonly record: JsonRecord | undefined;
  /** Corrections by persons, where it was exported here; not checked yet. */
  readonly overrides: readonly Json[];
  /** Requests, replies, results and notes, in order. */
  readonly events: readonly RecordedEvent[];
  /** The last text of the model, the answer where none is among the events; undefined where there is then none. */
  readonly text: string | undefined;
  readonly failure: Failure | undefined;
  /** `open`: it was cut, or was still going on. */
  readonly ends: "scored" | "failed" | "open";
  /** Scores that were given there, by the scorer's name, as text. */
  readonly labels: Readonly<Record<string, string>>;
  /** Settings of the run that were not sent; undefined where that is not known. */
  readonly unset: Extract<NewEvent, { type: "started" }>["unset"];
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
};

/** As many as 4,000 steps have, each with a call and a result: 80 MB. */
const most = 10_000_000;

export class SentMessages {
  #count = 0;

  /** Throws `DataProblem` for more than a task of an experiment has. */
  add(count: number): void {
    this.#count += count;
    if (this.#count > most)
      throw new DataProblem(
        `Expected the requests of a task to have at most ${most.toLocaleString("en")} messages in all, got more`,
      );
  }
}
