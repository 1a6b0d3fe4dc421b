/**
 * Requests the verdicts of a task's judge. An unreadable verdict is requested once more; a task without a readable verdict
 * fails.
 */
import type { ScoreContext, VerdictReading } from "../loaded-suite.ts";
import { Problem } from "../problem.ts";
import type { ReplyForm } from "../protocol.ts";
import type { Message, RunSpec } from "../types.ts";

/** The judge replied, but the scorer can read none of its verdicts. */
export class UnreadVerdicts extends Problem {
  constructor(first: string) {
    const brief = first.length > longestShown ? `${first.slice(0, longestShown)}...` : first;
    super("judge", `No verdict of the judge can be read; the first reply is ${JSON.stringify(brief)}`);
  }
}

/** Characters of a verdict that a message contains. */
const longestShown = 160;

type Asked = (stage: string, messages: readonly Message[], form: ReplyForm | undefined) => Promise<string>;

export class Verdicts {
  readonly #spec: RunSpec;
  readonly #asked: Asked;
  #isRead = false;
  #first: string | undefined;

  /** `asked` sends one request to the judge. */
  constructor(spec: RunSpec, asked: Asked) {
    this.#spec = spec;
    this.#asked = asked;
  }

  /** Sends a request to the judge. Runs that an older version started keep its rules: no response format, and a single request. */
  readonly ask: NonNullable<ScoreContext["ask"]> = async (stage, messages, verdict) => {
    const isOlder = this.#spec.judging === undefined;
    const form = isOlder ? undefined : verdict?.form;
    const reply = await this.#asked(stage, messages, form);
    if (this.#reads(reply, verdict) || isOlder) return reply;
    const again = await this.#asked(stage, messages, form);
    this.#reads(again, verdict);
    return again;
  };

  get isAsked(): boolean {
    return this.#isRead || this.#first !== undefined;
  }

  /** Returns the problem if the judge was asked and none of its replies can be read. */
  unread(): UnreadVerdicts | undefined {
    return this.#isRead || this.#first === undefined ? undefined : new UnreadVerdicts(this.#first);
  }

  /** Throws the error of unreadable verdicts, if any. */
  mustBeRead(): void {
    const problem = this.unread();
    if (problem !== undefined) throw problem;
  }

  #reads(reply: string, verdict: VerdictReading | undefined): boolean {
    const isRead = verdict?.isReadable(reply) ?? true;
    if (isRead) this.#isRead = true;
    else this.#first ??= reply;
    return isRead;
  }
}
