/** What a simple suite is made of. */
import type { ErrorKind } from "../engine/benchmark.ts";
import type { Facets, Json, Message, Score } from "../engine/types.ts";

/** One question. Fields beyond these are yours. */
export type SimpleTask = {
  readonly id: string;
  /** Shown in lists of tasks. */
  readonly question: string;
  /** The answer key: what `builtin/oracle` replies, as JSON where it is no text. */
  readonly answer: Json;
  /** What analyses group by. */
  readonly facets?: Facets;
};

/** `value` from 0 to 1, undefined where it could not be worked out; of the rest, what there is to say. */
export type SimpleScore = Partial<Score> & Pick<Score, "value">;

export type SimpleSuite<T extends SimpleTask> = {
  /** Letters, digits and dashes. */
  readonly name: string;
  /** The name, where absent. */
  readonly title?: string;
  /** Raised when prompts or rules change although the code does not; 1 where absent. */
  readonly revision?: number;
  /** Or a function that gives them, called once when the program starts. */
  readonly tasks: readonly T[] | (() => readonly T[] | Promise<readonly T[]>);
  prompt(task: T): string | readonly Message[];
  /** `reply` is the model's text, after a chain of thought what stands behind its last `Answer:`. */
  score(task: T, reply: string): boolean | number | SimpleScore | Promise<boolean | number | SimpleScore>;
  /** Kinds of mistakes that `score` tells apart, beside `wrong-answer` and `no-answer`. */
  readonly errorKinds?: readonly ErrorKind[];
};
