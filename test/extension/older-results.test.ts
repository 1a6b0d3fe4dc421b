import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { notebook, sums, userFolder } from "./program.ts";

const user = userFolder("served");
const mine = `import { define, simpleSuite } from "planwright";\nexport default define({ suites: [${sums}] });\n`;

describe("results of older code, without a screen", () => {
  test("are accepted with a reason that every figure shows, and rejected again, without executing a task", () => {
    const file = user.write("mine.ts", mine);
    const figure = "\n```analysis all\nanalysis: overview\n```\n";
    user.write("session/session.md", notebook("suite: sums\nmodel: builtin/oracle", figure));
    const run = (...args: string[]) => user.planwright("run", "session", "--with", file, ...args);
    expect(run().status).toBe(0);
    const [first] = user.runs("--with", file);
    user.write("mine.ts", `${mine}// Another line.\n`);

    expect(run("--keep-older", " ")).toMatchObject({ status: 2, err: expect.stringContaining("with a reason") });
    const kept = run("--keep-older", "Only a comment");
    expect(kept).toMatchObject({
      status: 0,
      err: expect.stringMatching(/^Results kept for .*: suite [0-9a-f]{8}, started \d{4}-/),
    });
    expect(kept.out).toMatch(
      /Results of older code \(suite [0-9a-f]{8}\), accepted for the present code by .+: Only a comment/,
    );
    expect(user.runs("--with", file).map(({ run: id }) => id)).toEqual([first!.run]);
    user.planwright("export", "session", "--rows", "csv", "--format", "csv,tex,atif", "--with", file);
    const exported = [
      "rows.notes.txt",
      "all-1.notes.txt",
      "all-1.tex",
      join(`atif-builtin-oracle-${first!.run}`, "a.json"),
    ];
    for (const name of exported)
      expect(readFileSync(user.at("session", "exports", name), "utf8")).toMatch(
        /accepted for the present code by .+: Only a/,
      );

    expect(run("--drop-older").err).toMatch(/^Results no longer kept for /);
    // Now the present code has results, which are not replaced.
    expect(run("--keep-older", "Why not").err).toContain("There are no results of older code to keep");
    expect(user.runs("--with", file).map(({ run: id }) => id)).not.toEqual([first!.run]);
  });
});
