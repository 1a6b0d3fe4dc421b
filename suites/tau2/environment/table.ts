/** Tables of a database that many episodes share: an episode keeps copies of the records that it changes. */
import { createHash, type Hash } from "node:crypto";
import { byCodePoint, canonicalJson, copied, fail, type Fields, pythonJson, type Value } from "./value.ts";

/** The text of a state from which its hash is computed: as the official program writes it, or as canonical JSON. */
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

/** The text of a table as loaded, and the position of each record in it. */
type TableText = { readonly bytes: Buffer; readonly ranges: readonly (readonly [start: number, end: number])[] };

/** Records by id as loaded. Their texts are cached, because most of them never change. */
export class BaseTable {
  readonly records: ReadonlyMap<string, Fields>;
  readonly sortedIds: readonly string[];
  readonly #texts = new Map<FormName, TableText>();

  constructor(records: ReadonlyMap<string, Fields>) {
    this.records = records;
    this.sortedIds = [...records.keys()].toSorted(byCodePoint);
  }

  /** Returns the bytes of the records from one index to another, separated by commas. */
  bytes(form: FormName, from: number, to: number): Buffer {
    const { bytes, ranges } = this.#text(form);
    return bytes.subarray(ranges[from]![0], ranges[to - 1]![1]);
  }

  #text(form: FormName): TableText {
    const known = this.#texts.get(form);
    if (known !== undefined) return known;
    const { comma } = forms[form];
    const texts = this.sortedIds.map((id) => entryText(form, id, this.records.get(id)!));
    let end = -comma.length;
    const ranges = texts.map((text) => {
      const start = end + comma.length;
      end = start + Buffer.byteLength(text);
      return [start, end] as const;
    });
    const made = { bytes: Buffer.from(texts.join(comma)), ranges };
    this.#texts.set(form, made);
    return made;
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

  /** Returns a record for reading. An id that Python cannot hash fails, and a key of any other type is in no table. */
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

  /** Returns the number of records before the first one that may have been changed; undefined if nothing was copied. */
  unchanged(): number | undefined {
    const places = Array.from(this.#own.keys(), (id) => placeOf(this.#base.sortedIds, id));
    return places.length === 0 ? undefined : Math.min(...places);
  }

  /** Returns whether two episodes of the same data are in the same state; floats differ from ints. */
  equals(other: Table): boolean {
    const ids = new Set([...this.#own.keys(), ...other.#own.keys()]);
    return [...ids].every((id) => {
      const [first, second] = [this.get(id), other.get(id)];
      return first !== undefined && second !== undefined && pythonJson(first, true) === pythonJson(second, true);
    });
  }

  /** Returns the episode's own copies by id: changed records, and some that were copied and not changed. */
  own(): ReadonlyMap<string, Record> {
    return this.#own;
  }

  /** Returns the changes as text: two episodes with the same text are in the same state. */
  changes(form: FormName): string {
    return [...this.#own].map(([id, record]) => entryText(form, id, record)).join("\n");
  }

  /** Adds the table's text to a hash that contains the first records already, in as many unchanged records as `from`. */
  addTo(hash: Hash, form: FormName, from = 0): void {
    const { comma } = forms[form];
    const ids = this.#base.sortedIds;
    let [next, isFirst] = [from, from === 0];
    const add = (part: string | Buffer) => {
      if (!isFirst) hash.update(comma);
      hash.update(part);
      isFirst = false;
    };
    for (const id of [...this.#own.keys()].toSorted(byCodePoint)) {
      const at = placeOf(ids, id);
      if (at > next) add(this.#base.bytes(form, next, at));
      add(entryText(form, id, this.#own.get(id)!));
      next = ids[at] === id ? at + 1 : at;
    }
    if (ids.length > next) add(this.#base.bytes(form, next, ids.length));
    hash.update("}");
  }
}

/** Returns the own copies of all tables, each by its table and id. */
export function ownRecords(tables: Readonly<Record<string, Table>>): ReadonlyMap<string, Value> {
  return new Map(
    Object.entries(tables).flatMap(([name, table]) => Array.from(table.own(), ([id, each]) => [`${name} ${id}`, each])),
  );
}

/** Returns the record of such a name. */
export function recordIn(tables: Readonly<Record<string, Table>>, name: string): Value | undefined {
  const [table = "", ...id] = name.split(" ");
  return tables[table]?.get(id.join(" "));
}

/** Returns the index of an id in sorted ids, or the index at which it would be inserted. */
function placeOf(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byCodePoint(ids[middle]!, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const mostDigests = 100;
/** Number of records after which the hash of all that is before is kept. */
const kept = 64;

/** The tables of a domain as loaded, by name. */
export class BaseTables {
  readonly tables: Readonly<Record<string, BaseTable>>;
  readonly #names: readonly string[];
  /** Hashes of everything before a record of a table, if nothing before it was changed. */
  readonly #before = new Map<string, Hash>();
  /** The latest digests, keyed by the changes, because most calls change nothing. */
  readonly #digests = new Map<string, string>();

  constructor(tables: Readonly<Record<string, BaseTable>>) {
    this.tables = tables;
    this.#names = Object.keys(tables).toSorted(byCodePoint);
  }

  /** Returns the SHA-256 of an episode's tables between `head` and `tail`. */
  digest(form: FormName, own: Readonly<Record<string, Table>>, head = "", tail = ""): string {
    const changes = `${form}\n${this.#names.map((name) => own[name]!.changes(form)).join("\n\n")}`;
    const digest = this.#digests.get(changes) ?? this.#worked(form, own, head, tail);
    if (this.#digests.size >= mostDigests) this.#digests.clear();
    this.#digests.set(changes, digest);
    return digest;
  }

  #worked(form: FormName, own: Readonly<Record<string, Table>>, head: string, tail: string): string {
    const changed = this.#names.findIndex((name) => own[name]!.unchanged() !== undefined);
    const from = changed === -1 ? this.#names.length : changed;
    const records = changed === -1 ? 0 : Math.floor(own[this.#names[from]!]!.unchanged()! / kept) * kept;
    const hash = this.#upTo(form, from, records, head).copy();
    for (const [index, name] of this.#names.entries()) {
      if (index > from) hash.update(this.#opening(form, index));
      if (index >= from) own[name]!.addTo(hash, form, index === from ? records : 0);
    }
    return hash.update(`}${tail}`).digest("hex");
  }

  /** Returns the hash of everything as loaded before this record of a table. */
  #upTo(form: FormName, table: number, record: number, head: string): Hash {
    const key = `${form} ${table} ${record}`;
    const known = this.#before.get(key);
    if (known !== undefined) return known;
    const hash =
      record > 0
        ? this.#upTo(form, table, record - kept, head).copy()
        : table > 0
          ? this.#upTo(form, table - 1, 0, head).copy()
          : createHash("sha256").update(`${head}{`);
    if (record > 0) {
      if (record > kept) hash.update(forms[form].comma);
      hash.update(this.tables[this.#names[table]!]!.bytes(form, record - kept, record));
    } else {
      if (table > 0) new Table(this.tables[this.#names[table - 1]!]!).addTo(hash, form);
      if (table < this.#names.length) hash.update(this.#opening(form, table));
    }
    this.#before.set(key, hash);
    return hash;
  }

  #opening(form: FormName, table: number): string {
    const { comma, colon, write } = forms[form];
    return `${table === 0 ? "" : comma}${write(this.#names[table]!)}${colon}{`;
  }
}

/** Returns the SHA-256 of a value in a form. */
export function digestOf(form: FormName, value: Value): string {
  return createHash("sha256").update(forms[form].write(value)).digest("hex");
}
