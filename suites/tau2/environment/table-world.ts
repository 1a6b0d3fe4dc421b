/** A domain in which only the agent has tools, and whose state is tables of records: airline and retail. */
import { BaseTable, BaseTables, ownRecords, recordIn, Table } from "./table.ts";
import type { Tools } from "./toolkit.ts";
import { entriesOf, fail, type Fields, type Value } from "./value.ts";
import type { Side, World } from "./world.ts";

export abstract class TableWorld implements World {
  readonly #base: BaseTables;
  readonly #tables: Readonly<Record<string, Table>>;
  abstract readonly agentTitle: string;
  abstract readonly agentTools: Tools;
  readonly userTools = undefined;

  constructor(base: BaseTables) {
    this.#base = base;
    this.#tables = Object.fromEntries(Object.entries(base.tables).map(([name, table]) => [name, new Table(table)]));
  }

  protected table<Record extends Fields>(name: string): Table<Record> {
    return this.#tables[name] as unknown as Table<Record>;
  }

  sync(): void {}

  run(_side: Side, name: string): Value {
    return fail(`'${this.agentTitle}' object has no attribute '${name}'`);
  }

  hash(form: "official" | "canonical"): string {
    return form === "official"
      ? this.#base.digest("official", this.#tables)
      : this.#base.digest("canonical", this.#tables, `{"agent":`, `,"user":null}`);
  }

  userHash(): string | null {
    return null;
  }

  equals(other: World): boolean {
    return (
      other instanceof TableWorld &&
      other.agentTitle === this.agentTitle &&
      Object.entries(this.#tables).every(([name, own]) => own.equals(other.#tables[name]!))
    );
  }

  touched(): ReadonlyMap<string, Value> {
    return ownRecords(this.#tables);
  }

  recordOf(name: string): Value | undefined {
    return recordIn(this.#tables, name);
  }
}

/** Returns the tables of a database that was read. */
export const baseTables = (file: Fields): BaseTables =>
  new BaseTables(
    Object.fromEntries(
      entriesOf(file).map(([name, records]) => [name, new BaseTable(records as ReadonlyMap<string, Fields>)]),
    ),
  );
