/** What the run cells of an open session are given: the defaults of its front matter, and what a command sets. */
import type { Suite } from "../../suite.ts";
import type { CellProblem, SessionCell } from "../cell.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import type { GivenFields } from "../fields/given-fields.ts";
import { readSetFields, type SetFields } from "../fields/set-fields.ts";

export class NotebookFields {
  readonly #suites: readonly Suite[];
  readonly #cells: () => readonly SessionCell[];
  #set: SetFields = { all: {}, cells: new Map() };
  #front: (FrontMatter & { readonly source: string }) | undefined;
  /** By name of a cell, until something changes: cells are planned again where the object is another one. */
  readonly #given = new Map<string, GivenFields>();

  constructor(suites: readonly Suite[], cells: () => readonly SessionCell[]) {
    this.#suites = suites;
    this.#cells = cells;
  }

  /** Sets fields as a command's arguments say, for as long as the session is open. Throws `RangeError`; nothing is set then. */
  set(written: readonly string[]): void {
    this.#set = readSetFields(written, this.#cells(), this.#suites);
    this.#given.clear();
  }

  /** What is wrong with the front matter. */
  problems(): readonly CellProblem[] {
    return this.#read().problems;
  }

  /** What cells of a name are given. */
  given(cell: string): GivenFields {
    const front = this.#read();
    // Most cells are given the same.
    const key = this.#set.cells.has(cell) ? cell : "";
    const given = this.#given.get(key) ?? this.#giving(front, key);
    this.#given.set(key, given);
    return given;
  }

  /** What cells would be given with this front matter. */
  givenWith(frontMatter: string): GivenFields {
    return this.#giving(readFrontMatter(frontMatter, this.#suites), "");
  }

  #giving({ defaults, problems: [mistake] }: FrontMatter, cell: string): GivenFields {
    const { all, cells } = this.#set;
    const problem = mistake && { problem: `The notebook's defaults are mistaken: ${mistake.message}` };
    return { defaults, set: all, replaced: cells.get(cell) ?? {}, ...problem };
  }

  #read(): FrontMatter {
    // It opens the document or is not there.
    const [first] = this.#cells();
    const source = first?.kind === "front-matter" ? first.source : "";
    if (this.#front?.source !== source) {
      this.#front = { source, ...readFrontMatter(source, this.#suites) };
      this.#given.clear();
    }
    return this.#front;
  }
}
