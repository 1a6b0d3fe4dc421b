import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseAction } from "../../../suites/travelplanner/ask/action.ts";
import { readLiteral } from "../../../suites/travelplanner/data/literal.ts";
import { printedTable } from "../../../suites/travelplanner/ask/searches.ts";
import { readQueries, readQuery } from "../../../suites/travelplanner/data/queries.ts";

describe("Python literals in TravelPlanner", () => {
  test("are read as their values", () => {
    expect(
      readLiteral("{'house rule': None, 'cuisine': ['American', \"It's\"], 'n': (1, -2.5e1,), 'ok': True}"),
    ).toEqual({
      "house rule": null,
      cuisine: ["American", "It's"],
      n: [1, -25],
      ok: true,
    });
    expect(readLiteral("'a\\n\\x41\\u00e9\\'\\q'")).toBe("a\nAé'\\q");
    expect(readLiteral(" [ ] ")).toEqual([]);
  });

  test("are never executed, and no other text is read as a literal", () => {
    for (const text of [
      "",
      "x",
      "[1",
      "{'a'}",
      "1 + 1",
      "[1] [2]",
      "'open",
      "f()",
      "--",
      "'\\U00ffffff'",
      "(".repeat(99_999),
    ])
      expect(readLiteral(text), text.slice(0, 20)).toBeUndefined();
  });

  test("can mix Python and JSON over several lines", () => {
    const text =
      '\n  {"ok": true, \'no\': None,\n\u00a0"note": "one\ntwo", "face": "\\ud83d\\ude00", 1: (2\u00a0, .5)}\n';
    expect(readLiteral(text)).toEqual({ ok: true, no: null, note: "one\ntwo", face: "😀", 1: [2, 0.5] });
    for (const text of ["1e999", "...", "[{1, 2}]"]) expect(readLiteral(text), text).toBeUndefined();
  });

  test("cannot reach the prototype of all objects by a key", () => {
    readLiteral("{'__proto__': {'polluted': 1}}");
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("tables printed like pandas", () => {
  test("align by code points, with the same number of decimals throughout a column", () => {
    const columns = [
      { title: "Name", kind: "text" },
      { title: "Cost", kind: "int" },
      { title: "Rating", kind: "float" },
    ] as const;
    expect(
      printedTable(columns, [
        ["Café 😀", 5, 1],
        ["a\nb", 1234567, 2.25],
      ]),
    ).toBe("  Name    Cost  Rating\nCafé 😀       5    1.00\n  a\\nb 1234567    2.25");
  });
});

describe("actions in a text", () => {
  test.each([
    ["FlightSearch[A, B, 2022-03-01]", "FlightSearch", "A, B, 2022-03-01"],
    ["Planner[x]]", "Planner", "x]"],
    ["Name[a[b]c]", "Name", "a[b]c"],
  ])("are read from %s", (action, name, given) => {
    expect(parseAction(action)).toMatchObject({ name, arguments: given, text: action });
  });

  test.each(["", "Planner[]", "Planner[x", "Two words[x]", "[x]", "Planner[x] then", "Planner[a\nb]"])(
    "are not read from %j",
    (action) => {
      expect(parseAction(action)).toMatchObject({ name: "", arguments: undefined, text: action });
    },
  );
});

describe("requests in the layout of the Hugging Face hub", () => {
  const hub = {
    org: "Lindow",
    dest: "Norrland",
    days: 5,
    visiting_city_number: 2,
    date: "['2022-03-01', '2022-03-02']",
    people_number: 2,
    local_constraint:
      "{'house rule': None, 'cuisine': ['French', 'Indian'], 'room type': 'private room', 'transportation': None}",
    budget: 900,
    query: "A trip, please.",
    level: "medium",
    annotated_plan:
      "[{'org': 'Lindow'}, [{'days': 1, 'current_city': 'Lindow', 'transportation': '-', 'breakfast': '-', 'attraction': '-', 'lunch': '-', 'dinner': '-', 'accommodation': '-'}, {}, {}]]",
    reference_information: "[{'Description': 'Restaurants in Fernhill', 'Content': 'Name'}]",
  };

  test("have their literals parsed, and padding is removed from plans", () => {
    const { query, plan, information } = readQuery(hub, "line 1", 7);
    expect(query).toMatchObject({ idx: 7, date: ["2022-03-01", "2022-03-02"] });
    expect(query.local_constraint).toEqual({
      "house rule": null,
      cuisine: ["French", "Indian"],
      "room type": "private room",
      transportation: null,
    });
    expect(plan).toHaveLength(1);
    expect(plan![0]).toMatchObject({ days: 1, current_city: "Lindow", lunch: "-" });
    expect(information).toEqual([{ Description: "Restaurants in Fernhill", Content: "Name" }]);
  });

  test("are rejected with the file's line number, counting blank lines", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "queries"));
    const lines = [JSON.stringify(hub), "", JSON.stringify({ ...hub, budget: 1.5 })];
    writeFileSync(join(folder, "queries/train.jsonl"), lines.join("\n"));
    await expect(readQueries(folder, "train")).rejects.toThrow(
      "Expected `budget` in queries/train.jsonl line 3 to be a whole number, got `1.5`",
    );
  });

  test("can be in CSV", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "queries"));
    const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
    const lines = [Object.keys(hub), Object.values(hub)].map((row) => row.map(cell).join(","));
    writeFileSync(join(folder, "queries/validation.csv"), `${lines.join("\n")}\n`);
    const [request] = await readQueries(folder, "validation");
    expect(request).toEqual({ ...readQuery(hub, "line 1", 1) });
  });

  test.each([
    [{ days: "5" }, "Expected `days` in line 1 to be a whole number, got `5`"],
    [{ level: "brutal" }, "Expected `level` in line 1 to be one of easy, medium, hard, got `brutal`"],
    [{ date: "tomorrow" }, "Expected `date` in line 1 to be a list of texts, got `tomorrow`"],
    [{ local_constraint: "None" }, "Expected `local_constraint` in line 1 to be an object, got `None`"],
    [{ org: null }, "Expected `org` in line 1 to be text"],
    [
      { local_constraint: { cuisine: "French" } },
      "Expected `local_constraint.cuisine` in line 1 to be a list of texts",
    ],
    [{ annotated_plan: [{ days: 1 }] }, "Expected `annotated_plan.0.current_city` in line 1 to be text, got `nothing`"],
    [{ annotated_plan: ["Day 1"] }, "Expected `annotated_plan.0` in line 1 to be an object, got `Day 1`"],
    [
      { reference_information: [{ Description: "Restaurants", Content: [] }] },
      "Expected `reference_information.0.Content` in line 1 to be text, got `[]`",
    ],
  ])("are rejected if they contain %j", (change, message) => {
    expect(() => readQuery({ ...hub, ...change }, "line 1", 1)).toThrow(message);
  });
});
