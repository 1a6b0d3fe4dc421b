import { describe, expect, it } from "vitest";
import { namesJointly, optionGroups, readJointly } from "../../../source/engine/session/fields/joint-values.ts";
import { suiteOptions } from "../../../source/engine/session/fields/run-fields.ts";
import type { Json } from "../../../source/engine/types.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";

const options = suiteOptions(toolbench);
const isJoint = (field: string, given: Json, takesTools = true) =>
  namesJointly(field, given, { suite: takesTools ? { takesTools } : {}, options });

/** Reads a value; settings keep their text, and `bad` is reported. */
function read(field: string, item: Json) {
  const problems: string[] = [];
  const keep = (name: string, value: Json, report: (field: string, message: string) => void) => {
    if (value === "bad") return void report(name, "is bad");
    return value as string;
  };
  const value = readJointly(field, item, keep, (at, message) => void problems.push(`${at}: ${message}`));
  return { value, problems };
}

describe("values that set several settings", () => {
  it("are maps from names to a group of options, or to a list of tools", () => {
    expect(optionGroups(options).has("clusters")).toBe(true);
    expect(optionGroups(options).has("clusters.k")).toBe(false);
    expect(isJoint("clusters", { coarse: { k: 4 }, fine: { k: 16 } })).toBe(true);
    // These options have named values themselves.
    expect(isJoint("clusters", { k: { few: 4, many: 16 } })).toBe(false);
    expect(isJoint("clusters", { coarse: { k: 4 }, k: { few: 4 } })).toBe(false);
    expect(isJoint("clusters", { k: 4 })).toBe(false);
    expect(isJoint("clusters", {})).toBe(false);
    expect(isJoint("filter", { easy: { level: 1 } })).toBe(false);
    expect(isJoint("tools", { alone: ["mail"] })).toBe(true);
    expect(isJoint("tools", { alone: ["mail"] }, false)).toBe(false);
    expect(isJoint("tools", ["mail"])).toBe(false);
  });

  it("are validated setting by setting", () => {
    expect(read("clusters", { k: 4, method: "kmeans" })).toEqual({
      value: { "clusters.k": 4, "clusters.method": "kmeans" },
      problems: [],
    });
    expect(read("clusters", { k: 4, method: "bad" })).toEqual({
      value: undefined,
      problems: ["clusters.method: is bad"],
    });
  });

  it("contain at most one list of tools and one way of calling them", () => {
    expect(read("tools", ["mail", "text", "files"])).toEqual({
      value: { toolServers: "files, mail", tools: "text" },
      problems: [],
    });
    expect(read("tools", "text").value).toEqual({ tools: "text" });
    expect(read("tools", []).value).toEqual({});
    for (const wrong of [[["mail"], ["files"]], ["text", "native"], { of: ["mail"] }])
      expect(read("tools", wrong)).toEqual({
        value: undefined,
        problems: [`tools: Expected \`tools\` to name one list of tools, got \`${JSON.stringify(wrong)}\``],
      });
  });
});
