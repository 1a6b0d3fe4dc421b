/** What documentation/extending.md says can be typed and compiled as it stands there. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as kit from "../../source/kit.ts";

const text = readFileSync("documentation/extending.md", "utf8");

describe("documentation/extending.md", () => {
  test("names only what is exported", () => {
    const source = readFileSync("source/kit.ts", "utf8");
    const imported = [...text.matchAll(/import \{ ([^}]*) \} from "planwright"/g)].flatMap(([, names]) =>
      names!.split(", "),
    );
    expect(imported).not.toEqual([]);
    for (const name of imported) expect(kit).toHaveProperty(name);
    for (const name of ["simpleSuite", "checkSuite", "ask", "act", "Problem", "pivot", "Suite"])
      expect(
        [text, source].every((each) => each.includes(name)),
        name,
      ).toBe(true);
  });

  test("is about commands that are there", () => {
    const help = execFileSync(process.execPath, ["dist/cli.js", "help"], { encoding: "utf8" });
    expect(help).toMatch(/^ +init /m);
    expect(help).toContain("--with FILE");
  });
});
