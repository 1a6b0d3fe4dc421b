/** Messages of all requests of a task: each request has those before it, so that a small file may stand for any number of them. */
import { DataProblem } from "../../text/json-lines.ts";

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
