/** Lets rows share equal parts, because most of many rows have the same facets, notes, cause or whole score as other rows. */
import type { Row } from "../../types.ts";

/** Maximum number of different parts of one kind that are remembered, because parts are seldom equal if there are more. */
const most = 5_000;

export class EqualParts {
  readonly #known = new Map<string, Map<string, unknown>>();

  /** Returns an equal row. */
  row(row: Row): Row {
    const { facets, score, failure, cause, counted, spent, notes } = row;
    const usage = this.#part("usage", counted);
    const parts = {
      facets: this.#part("facets", facets),
      score: score && this.#score(score),
      failure: failure && this.#part("failure", failure),
      counted: usage,
      spent: this.#part("usage", spent),
      notes: this.#part("notes", notes),
    };
    return { ...row, ...parts, ...(cause && { cause: this.#part("cause", cause) }) };
  }

  /** Scores of the same checks often differ only in some numbers. */
  #score(score: NonNullable<Row["score"]>): NonNullable<Row["score"]> {
    const { metrics, checks, errors, labels } = score;
    return this.#part("score", {
      ...score,
      metrics: this.#part("metrics", metrics),
      checks: this.#part(
        "checks",
        checks.map((check) => this.#part("check", check)),
      ),
      errors: errors.length === 0 ? this.#part("errors", errors) : errors,
      ...(labels && { labels: this.#part("labels", labels) }),
    });
  }

  /**
   * Returns the remembered part that equals the given part, so that the caller can drop its copy. Undefined if there are too many
   * different parts.
   */
  shared<Part>(kind: string, part: Part): Part | undefined {
    const shared = this.#part(kind, part);
    return this.#known.get(kind)!.size < most || shared !== part ? shared : undefined;
  }

  /** Returns the same object for the same parts, so that rows can share it; these must be parts that `shared` returned. */
  together<Parts extends object>(parts: Parts): Parts {
    const key = Object.values(parts)
      .map((part: unknown) => this.#numbers.get(part) ?? this.#numbered(part))
      .join();
    const known = this.#together.get(key);
    if (known === undefined && this.#together.size < most) this.#together.set(key, parts);
    return (known ?? parts) as Parts;
  }
  readonly #together = new Map<string, object>();
  readonly #numbers = new Map<unknown, number>();

  #numbered(part: unknown): number {
    const number = this.#numbers.size;
    this.#numbers.set(part, number);
    return number;
  }

  #part<Part>(kind: string, part: Part): Part {
    const known = this.#known.get(kind) ?? new Map<string, unknown>();
    this.#known.set(kind, known);
    const key = JSON.stringify(part);
    const found = known.get(key);
    if (found !== undefined) return found as Part;
    if (known.size < most) known.set(key, part);
    return part;
  }
}
