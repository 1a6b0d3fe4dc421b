import { describe, expect, test } from "vitest";
import { readSetFields } from "../../../source/engine/session/document/notebook-fields.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";

const cell = (name: string) => ({ id: name, kind: "run", name, source: "" }) as const;
const cells = [cell("main"), cell("main.k"), cell("clusters"), { ...cell("heat"), kind: "analysis" as const }];
const read = (...written: string[]) => readSetFields(written, cells, [appbench, toolbench]);

describe("the option --set", () => {
  test("sets a field for all cells or one named cell, with values read as in a cell", () => {
    expect(read("model=lab/llama", "limit=50", "shots=[0, 3]", "filter={category: SS}")).toEqual({
      all: { model: "lab/llama", limit: 50, shots: [0, 3], filter: { category: "SS" } },
      cells: new Map(),
    });
    expect(read("main.limit=5", "main.limit=6", "main.k.model=a/b=c")).toEqual({
      all: {},
      cells: new Map([
        ["main", { limit: 6 }],
        ["main.k", { model: "a/b=c" }],
      ]),
    });
  });

  test("treats the name of both a field and a cell as the field", () => {
    expect(read("clusters.k=4").all).toEqual({ "clusters.k": 4 });
    expect(read("clusters.clusters.k=4").cells.get("clusters")).toEqual({ "clusters.k": 4 });
  });

  test.each([
    ["limit", "Expected `--set FIELD=VALUE` or `--set CELL.FIELD=VALUE`, got `--set limit`"],
    ["limit=", "Expected `--set FIELD=VALUE`"],
    ["=5", "Expected `--set FIELD=VALUE`"],
    ["limit=[1", "Expected `--set limit=` with a value as in a run cell, got `[1`"],
    ["limit=many", 'Expected `limit` to be a whole number from 0, got `"many"` (`--set limit=many`)'],
    ["modle=a/b", "Expected a field of a run cell (did you mean `model`?), got `modle`"],
    ["main.modle=a/b", "Expected a field of a run cell (did you mean `model`?), got `modle`"],
    ["mian.model=a/b", "Expected a run cell of this session (main, main.k, clusters), got `mian`"],
    ["heat.model=a/b", "Expected a run cell of this session (main, main.k, clusters), got `heat`"],
  ])("rejects %s with the reason", (written, message) => {
    expect(() => read(written)).toThrow(message);
    expect(() => read(written)).toThrow(RangeError);
  });
});
