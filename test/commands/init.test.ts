import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { notebook, userFolder } from "../extension/program.ts";

const user = userFolder("served");

/** Fields with which a cell uses the generated file of each kind. */
const cells = {
  suite: "suite: mine\nstrategy: [direct, cot]\nmodel: builtin/oracle",
  strategy: "suite: appbench\ndata: sample\nstrategy: [direct, mine]\nmy-votes: 1\nmodel: builtin/oracle\nlimit: 2",
  analysis: "suite: appbench\ndata: sample\nstrategy: direct\nmodel: builtin/oracle\nlimit: 2",
} as const;

describe("planwright init", () => {
  test.each(["suite", "strategy", "analysis"] as const)("writes a working %s with the name of its file", (kind) => {
    expect(user.planwright("init", kind, "mine")).toMatchObject({ status: 0, out: `${user.at("mine.ts")}\n` });
    const figure = kind === "analysis" ? "\n```analysis a\nanalysis: mine\n```\n" : "";
    user.write("session/session.md", notebook(cells[kind], figure));
    const { out, err, status } = user.planwright("run", "session", "--with", "mine.ts");
    expect(status, err).toBe(0);
    expect(out).toContain(kind === "analysis" ? "Mean output tokens a task" : "done; 2 right");
  });

  test("uses the kind as the name of the file by default", () => {
    expect(user.planwright("init", "suite").out).toBe(`${user.at("my-suite.ts")}\n`);
    expect(readFileSync(user.at("my-suite.ts"), "utf8")).toContain('name: "my-suite"');
  });

  test("leaves an existing file unchanged, and rejects a missing kind or name", () => {
    writeFileSync(user.at("mine.ts"), "// Work of weeks\n");
    expect(user.planwright("init", "suite", "mine.ts")).toMatchObject({
      status: 2,
      err: expect.stringContaining("already"),
    });
    expect(readFileSync(user.at("mine.ts"), "utf8")).toBe("// Work of weeks\n");
    for (const args of [[], ["figure"], ["suite", "a", "b"], ["suite", "My Suite"]])
      expect(user.planwright("init", ...args)).toMatchObject({ status: 2, err: expect.stringContaining("Expected") });
  });
});
