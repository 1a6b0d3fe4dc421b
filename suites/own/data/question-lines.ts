/** Questions of a large file: only the file's packed bytes and the places of its records stay in memory, and each is read on demand. */
import { type PackedBytes, UnpackedText } from "./packed-file.ts";
import type { Question, QuestionTask } from "./question.ts";
import { indexedQuestion, type QuestionIndex } from "./question-index.ts";

/** Returns a function for the question at a place, from 0, which is read from the bytes when one of its fields is. */
export function questionsInLines(bytes: PackedBytes, index: QuestionIndex): (at: number) => Question {
  const file = new QuestionLines(bytes, index);
  /**
   * A question, and its task, whose fields are read from the file's bytes. There may be a million of them, so each has only its number
   * and the class has the file.
   */
  class LineQuestion {
    readonly #at: number;

    constructor(at: number) {
      this.#at = at;
    }

    get whole(): Question {
      return file.question(this.#at);
    }
    get input(): Question {
      return this.whole;
    }
    get fields(): QuestionTask {
      const { id, question, answer, facets } = this;
      return { id, question, input: this.whole, answer, facets };
    }
    get id(): string {
      return file.id(this.#at);
    }
    get question(): string {
      return this.whole.question;
    }
    get answer(): string {
      return this.whole.answer;
    }
    get facets(): Question["facets"] {
      return this.whole.facets;
    }
    get tools(): Question["tools"] {
      return this.whole.tools;
    }
    get check(): Question["check"] {
      return this.whole.check;
    }
    get rubric(): Question["rubric"] {
      return this.whole.rubric;
    }
    toJSON(): Question {
      return this.whole;
    }
  }
  return (at) => new LineQuestion(at) as unknown as Question;
}

class QuestionLines {
  readonly #bytes: UnpackedText;
  readonly #index: QuestionIndex;
  /** Ids that were asked for, because lists of tasks are searched by them. */
  #ids: string[] = [];
  #last: { readonly at: number; readonly question: Question } | undefined;

  constructor(bytes: PackedBytes, index: QuestionIndex) {
    this.#bytes = new UnpackedText(bytes);
    this.#index = index;
  }

  id(at: number): string {
    return (this.#ids[at] ??= this.#index.isNumbered ? String(at + 1) : this.question(at).id);
  }

  /** Usually several fields of one question are needed. */
  question(at: number): Question {
    if (this.#last?.at === at) return this.#last.question;
    const { places } = this.#index;
    const question = indexedQuestion(this.#index, this.#bytes.text(places[2 * at]!, places[2 * at + 1]!), at);
    this.#last = { at, question };
    return question;
  }
}
