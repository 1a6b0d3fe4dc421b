/** The hash of a database of which an episode has changed some records. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BaseTable, BaseTables, type FormName, Table } from "../../../suites/tau2/environment/table.ts";
import { canonicalJson, type Fields, pythonJson } from "../../../suites/tau2/environment/value.ts";

const id = (index: number) => `r${String(index).padStart(3, "0")}`;
const records = (count: number) =>
  new Map(Array.from({ length: count }, (_, index): [string, Fields] => [id(index), { name: id(index), free: index }]));
const loaded = () => ({ orders: records(200), plans: records(3), users: records(130) });

/** The hash of the tables with these records in place of others, computed from the whole text. */
function wholeHash(form: FormName, changed: Readonly<Record<string, readonly string[]>>): string {
  const tables = Object.entries(loaded()).map(([name, all]): [string, Map<string, Fields>] => {
    for (const each of changed[name] ?? []) all.set(each, { name: "new" });
    return [name, all];
  });
  const write =
    form === "official" ? (value: Map<string, Map<string, Fields>>) => pythonJson(value, true) : canonicalJson;
  return createHash("sha256")
    .update(`<${write(new Map(tables))}>`)
    .digest("hex");
}

describe.each(["official", "canonical"] as const)("the %s hash of a database", (form) => {
  const base = new BaseTables(
    Object.fromEntries(Object.entries(loaded()).map(([name, all]) => [name, new BaseTable(all)])),
  );

  // One after another: a later hash may use the parts that an earlier one kept.
  test.each([
    {},
    { orders: [id(199)] },
    { orders: [id(63)] },
    { orders: [id(64)] },
    { orders: [id(65), id(128)] },
    { orders: [id(0)] },
    { orders: [id(127)], users: [id(5)] },
    { plans: [id(2)] },
    { users: [id(129)] },
    { users: [id(64), "r063a"] },
    { orders: ["a", "zzz"] },
    { plans: ["zzz"] },
  ])("is the hash of its whole text if these records differ: %j", (changed: Readonly<Record<string, string[]>>) => {
    const own = Object.fromEntries(Object.entries(base.tables).map(([name, table]) => [name, new Table(table)]));
    for (const [name, ids] of Object.entries(changed)) for (const each of ids) own[name]!.add(each, { name: "new" });
    expect(base.digest(form, own, "<", ">")).toBe(wholeHash(form, changed));
  });
});
