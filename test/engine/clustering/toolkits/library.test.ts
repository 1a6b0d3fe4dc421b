import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  formatLibrary,
  parseLibrary,
  readLibrary,
  writeLibrary,
} from "../../../../source/engine/clustering/toolkits/library.ts";
import { describePublished, shared, sharedLines } from "../../../shared.ts";

const line = {
  functionality: "Tells the time.",
  id: 3,
  api_dest: { name: "now", package_name: "clock", type_name: "Time", desc: "The time", package_desc: "Clocks" },
  api_doc: { method: "GET", required_parameters: [] },
  toolkit: 2,
  toolkit_fun: "Everything about time",
};

describe("a library file", () => {
  it("is read back unchanged", () => {
    const apis = parseLibrary(`${JSON.stringify(line)}\n`, "library.jsonl");
    expect(apis).toEqual([line]);
    expect(formatLibrary(apis)).toBe(`${JSON.stringify(line)}\n`);
  });

  it("requires only names and descriptions", () => {
    const [api] = parseLibrary(JSON.stringify({ api_dest: { name: "now", desc: "The time" } }), "library.jsonl");
    expect(api).toMatchObject({ id: 0, functionality: "The time", toolkit: -1, toolkit_fun: "" });
  });

  it("can be made from all lines of a catalogue, or from the lines that a field marks", () => {
    const row = {
      api_name: "Now!",
      api_std: "now",
      tool: "clock",
      category: "Time",
      description: "The time",
      method: "GET",
    };
    const lines = [row, { ...row, in_pool: true, api_id: 7 }, { ...row, in_pool: "yes" }];
    const text = lines.map((one) => JSON.stringify(one)).join("\n");
    expect(parseLibrary(text, "apis.jsonl")).toHaveLength(3);
    expect(parseLibrary(text, "apis.jsonl", "in_pool")).toEqual([
      {
        functionality: "The time",
        id: 1,
        api_dest: { name: "now", package_name: "clock", type_name: "Time", desc: "The time", package_desc: "" },
        api_doc: { api_name: "Now!", description: "The time", method: "GET" },
        toolkit: -1,
        toolkit_fun: "",
      },
    ]);
  });

  it("reports an invalid line and its field", () => {
    const parse = (value: unknown) => () => parseLibrary(`\n${JSON.stringify(value)}`, "library.jsonl");
    expect(parse({ id: 1 })).toThrow("Expected `api_dest` in line 2 of library.jsonl to be an object, got nothing");
    expect(parse({ api_dest: {} })).toThrow("Expected `name` in line 2 of library.jsonl to be text, got nothing");
    expect(parse({ ...line, toolkit: "2" })).toThrow(
      'Expected `toolkit` in line 2 of library.jsonl to be a whole number, got "2"',
    );
    expect(parse([])).toThrow("Expected line 2 of library.jsonl to be an object, got []");
    expect(() => parseLibrary("{", "library.jsonl")).toThrow("Expected line 1 of library.jsonl to be JSON");
  });
});

describePublished("Tool-Planner's example libraries", () => {
  it.each(["tool_library_example.jsonl.gz", "toolkit_library_example.jsonl.gz"])(
    "%s is the same after it is written and read",
    async (name) => {
      const path = ["data", "toolbench", "tool_planner", name];
      const folder = mkdtempSync(join(tmpdir(), "planwright-library-"));
      try {
        const apis = await readLibrary(shared(...path));
        expect(apis).toHaveLength(47);
        for (const copy of ["copy.jsonl", "copy.jsonl.gz"]) {
          await writeLibrary(join(folder, copy), apis);
          expect(await readLibrary(join(folder, copy))).toEqual(sharedLines(...path));
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
