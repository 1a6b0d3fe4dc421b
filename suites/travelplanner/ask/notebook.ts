/** The agent's notebook: all that the planner gets to see of what was found. */
import type { Json } from "../../../source/engine/types.ts";
import { pythonReprOfJson } from "../../../source/engine/python/text.ts";

type Entry = { readonly description: string; readonly content: string | undefined };

/** Entries in the order they were written, numbered from 0. `content` is undefined where nothing had been searched yet. */
export class Notebook {
  readonly #entries: Entry[] = [];

  write(content: string | undefined, description: string): string {
    this.#entries.push({ content, description });
    return `The information has been recorded in Notebook, and its index is ${this.#entries.length - 1}.`;
  }

  /** Replaces an entry. Throws a RangeError where there is none of this index. */
  update(content: string | undefined, index: number, description: string): string {
    this.#entry(index);
    this.#entries[index] = { content, description };
    return "The information has been updated in Notebook.";
  }

  /** The content of one entry. Throws a RangeError where there is none of this index. */
  read(index: number): string | undefined {
    return this.#entry(index).content;
  }

  list(): readonly Json[] {
    return this.#entries.map(({ description }, index) => ({ index, "Short Description": description }));
  }

  listAll(): readonly Json[] {
    return this.#entries.map(({ description, content }, index) => ({
      index,
      "Short Description": description,
      Content: content ?? null,
    }));
  }

  reset(): void {
    this.#entries.length = 0;
  }

  /** Everything as its Python `repr`: what the planner is given. */
  written(): string {
    return pythonReprOfJson(this.listAll());
  }

  #entry(index: number): Entry {
    const entry = this.#entries[index];
    if (entry === undefined) {
      throw new RangeError(`Expected a notebook index below ${this.#entries.length}, got \`${index}\``);
    }
    return entry;
  }
}
