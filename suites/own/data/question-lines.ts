/**
 * Questions of a large file: only the file's bytes and the positions of its records stay in memory, and each question is read on
 * demand.
 */
import type { Question } from "./question.ts";

/** Places of records in bytes, as starts and exclusive ends. */
export class RecordPlaces {
  #places = new Uint32Array(2_048);
  length = 0;

  add(from: number, to: number): void {
    const at = 2 * this.length++;
    if (at === this.#places.length) {
      const more = new Uint32Array(2 * at);
      more.set(this.#places);
      this.#places = more;
    }
    this.#places[at] = from;
    this.#places[at + 1] = to;
  }
  from(at: number): number {
    return this.#places[2 * at]!;
  }
  to(at: number): number {
    return this.#places[2 * at + 1]!;
  }
}

/** `isNumbered`: the ids are the numbers of the records. */
type Lines = {
  readonly bytes: Buffer;
  readonly places: RecordPlaces;
  readonly isNumbered: boolean;
  read(text: string, at: number): Question;
};

/** Returns the questions; `read` makes a question from the text and the number, from 0, of its record. */
export function questionsInLines(lines: Lines): readonly Question[] {
  const file = new QuestionLines(lines);
  return Array.from({ length: lines.places.length }, (_, at) => new LineQuestion(file, at) as unknown as Question);
}

class QuestionLines {
  readonly #lines: Lines;
  #last: { readonly at: number; readonly question: Question } | undefined;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  get isNumbered(): boolean {
    return this.#lines.isNumbered;
  }

  /** Usually several fields of one question are needed. */
  question(at: number): Question {
    if (this.#last?.at === at) return this.#last.question;
    const { bytes, places, read } = this.#lines;
    const question = read(bytes.toString("utf8", places.from(at), places.to(at)), at);
    this.#last = { at, question };
    return question;
  }
}

/** A question, and its task, whose fields are read from the file's bytes. */
class LineQuestion {
  readonly #file: QuestionLines;
  readonly #at: number;
  #id: string | undefined;

  constructor(file: QuestionLines, at: number) {
    this.#file = file;
    this.#at = at;
  }

  get whole(): Question {
    return this.#file.question(this.#at);
  }
  get input(): Question {
    return this.whole;
  }
  /** The id, computed once because lists of tasks are searched by it. */
  get id(): string {
    return (this.#id ??= this.#file.isNumbered ? String(this.#at + 1) : this.whole.id);
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
