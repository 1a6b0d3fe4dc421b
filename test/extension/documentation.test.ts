/** The commands and code of documentation/extending.md work literally. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as kit from "../../source/kit.ts";
import { builtProgram } from "../built-program.ts";

const text = readFileSync("documentation/extending.md", "utf8");

describe("documentation/extending.md", () => {
  test("lists every exported name and no others", () => {
    const source = readFileSync("source/kit.ts", "utf8");
    const imported = [...text.matchAll(/import \{ ([^}]*) \} from "planwright"/g)].flatMap(([, names]) =>
      names!.split(", "),
    );
    expect(imported).not.toEqual([]);
    for (const name of imported) expect(kit).toHaveProperty(name);
    const types = [...source.matchAll(/^export type \{([^}]*)\}/gm)].flatMap(([, names]) => names!.split(","));
    const names = [...Object.keys(kit), ...types.map((name) => name.trim()).filter((name) => name !== "")];
    const listed = [...text.slice(text.indexOf("## All names")).matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    expect(listed.toSorted()).toEqual(names.toSorted());
  });

  test("mentions only existing commands", () => {
    const help = execFileSync(process.execPath, [builtProgram(), "help"], { encoding: "utf8" });
    expect(help).toMatch(/^ +init /m);
    expect(help).toContain("--with FILE");
  });
});
