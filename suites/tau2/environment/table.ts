/** Tables of a database that many episodes share: an episode keeps copies of the records it changes. */
import { createHash, type Hash } from "node:crypto";
import { byCodePoint, canonicalJson, copied, fail, type Fields, pythonJson, type Value } from "./value.ts";

/** How a state is written before it is hashed: as the official program does, or as canonical JSON. */
type Form = {
  readonly write: (value: Value) => string;
  readonly comma: string;
  readonly colon: string;
};

const forms = {
  official: { write: (value: Value) => pythonJson(value, true), comma: ", ", colon: ": " },
  canonical: { write: canonicalJson, comma: ",", colon: ":" },
} satisfies Readonly<Record<string, Form>>;

export type FormName = keyof typeof forms;

/** Records by id as loaded; their texts are kept, because most of them never change. */
export class BaseTable {
  readonly records: ReadonlyMap<string, Fields>;
  readonly #texts = { official: new Map<string, string>(), canonical: new Map<string, string>() };
  readonly sortedIds: readonly string[];

  constructor(records: ReadonlyMap<string, Fields>) {
    this.records = records;
    this.sortedIds = [...records.keys()].toSorted(byCodePoint);
  }

  text(form: FormName, id: string): string {
    const known = this.#texts[form].get(id) ?? entryText(form, id, this.records.get(id)!);
    this.#texts[form].set(id, known);
    return known;
  }
}

const entryText = (form: FormName, id: string, record: Fields) => {
  const { write, colon } = forms[form];
  return `${write(id)}${colon}${write(record)}`;
};

/** One episode's view of a table. */
export class Table<Record extends Fields = Fields> {
  readonly #base: BaseTable;
  readonly #own = new Map<string, Record>();

  constructor(base: BaseTable) {
    this.#base = base;
  }

  /** Returns a record to read. An id that Python cannot hash fails, as a key of any other type is in no table. */
  get(id: Value): Record | undefined {
    if (typeof id === "object" && id !== null) fail("unhashable type");
    if (typeof id !== "string") return undefined;
    return this.#own.get(id) ?? (this.#base.records.get(id) as Record | undefined);
  }

  /** Returns the episode's own copy of a record, to change. */
  edit(id: string): Record {
    const own = this.#own.get(id) ?? copied(this.#base.records.get(id) as Record);
    this.#own.set(id, own);
    return own;
  }

  add(id: string, record: Record): void {
    this.#own.set(id, record);
  }

  /** Returns all records, in the order of the file. */
  values(): readonly Record[] {
    const added = [...this.#own].flatMap(([id, record]) => (this.#base.records.has(id) ? [] : [record]));
    return [...Array.from(this.#base.records.keys(), (id) => this.get(id)!), ...added];
  }

  /** Returns whether nothing was copied. */
  isUntouched(): boolean {
    return this.#own.size === 0;
  }

  /** Returns whether two episodes of the same data are in the same state; floats differ from ints. */
  equals(other: Table): boolean {
    const ids = new Set([...this.#own.keys(), ...other.#own.keys()]);
    return [...ids].every((id) => {
      const [first, second] = [this.get(id), other.get(id)];
      return first !== undefined && second !== undefined && pythonJson(first, true) === pythonJson(second, true);
    });
  }

  /** Adds the table's text to a hash. */
  addTo(hash: Hash, form: FormName): void {
    const added = [...this.#own.keys()].filter((id) => !this.#base.records.has(id));
    const ids = added.length === 0 ? this.#base.sortedIds : [...this.#base.sortedIds, ...added].toSorted(byCodePoint);
    const texts = ids.map((id) => {
      const own = this.#own.get(id);
      return own === undefined ? this.#base.text(form, id) : entryText(form, id, own);
    });
    hash.update(`{${texts.join(forms[form].comma)}}`);
  }
}

/** The tables of a domain as loaded, by name. */
export class BaseTables {
  readonly tables: Readonly<Record<string, BaseTable>>;
  readonly #names: readonly string[];
  /** Hashes of what comes before a table, if no table before it was changed. */
  readonly #before = new Map<string, Hash>();

  constructor(tables: Readonly<Record<string, BaseTable>>) {
    this.tables = tables;
    this.#names = Object.keys(tables).toSorted(byCodePoint);
  }

  /** Returns the SHA-256 of an episode's tables between `head` and `tail`. */
  digest(form: FormName, own: Readonly<Record<string, Table>>, head = "", tail = ""): string {
    const { comma, colon, write } = forms[form];
    const changed = this.#names.findIndex((name) => !own[name]!.isUntouched());
    const from = changed === -1 ? this.#names.length : changed;
    const key = `${form} ${from}`;
    const before = this.#before.get(key)?.copy() ?? createHash("sha256").update(`${head}{`);
    const isKnown = this.#before.has(key);
    for (const [index, name] of this.#names.entries()) {
      if (isKnown && index < from) continue;
      if (index === from && !isKnown) this.#before.set(key, before.copy());
      before.update(`${index === 0 ? "" : comma}${write(name)}${colon}`);
      own[name]!.addTo(before, form);
    }
    if (from === this.#names.length && !isKnown) this.#before.set(key, before.copy());
    return before.update(`}${tail}`).digest("hex");
  }
}

/** Returns the SHA-256 of a value in a form. */
export function digestOf(form: FormName, value: Value): string {
  return createHash("sha256").update(forms[form].write(value)).digest("hex");
}
