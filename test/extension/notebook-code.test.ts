/** Code that a notebook brings (`with: [variant.ts]`): consent by another person, and what can be read without it. */
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { expect, test, describe } from "vitest";
import { notebook, onceStrategy, type Printed, sums, userFolder } from "./program.ts";

const user = userFolder();
const front = (...files: string[]) => `---\nwith: [${files.join(", ")}]\n---\n\n`;
const overview = "\n```analysis scores\npane: overview\n```\n";
const appbench = "suite: appbench\ndata: sample\nstrategy: [direct, once]\nmodel: builtin/oracle\nlimit: 2";

/** A notebook that adds a strategy in two files, each of which leaves a mark when loaded. */
function variant(): void {
  user.write("session/parts/once.ts", onceStrategy);
  user.write(
    "session/variant.ts",
    `import { writeFileSync } from "node:fs";
import { define } from "planwright";
import { once } from "./parts/once.ts";
writeFileSync(${JSON.stringify(user.at("loaded"))}, "yes");
export default define({ strategies: { appbench: [once] } });\n`,
  );
  user.write("session/session.md", front("variant.ts") + notebook(appbench, overview));
}
const wasLoaded = () => exists("loaded");
const exists = (name: string) => {
  try {
    return readFileSync(user.at(name), "utf8") !== "";
  } catch {
    return false;
  }
};
const spoken = (text: string) => text.replaceAll(/\s+/g, " ");

describe("a notebook's own code", () => {
  test("is not loaded without consent, and the rejection explains how to give consent", () => {
    variant();
    const { err, status } = user.planwright("run", "session");
    expect(spoken(err)).toMatch(/own code is not loaded.*planwright run .*session --allow variant\.ts/);
    expect(status).toBe(1);
    expect(wasLoaded()).toBe(false);
  });

  test("is named, with the command that allows it, if a cell names a suite or strategy that only the code can define", () => {
    const why = /^The notebook's own code is not loaded: read it.*--allow variant\.ts`; the code may define this /;
    const messages = () => {
      const { out } = user.planwright("run", "session", "--json");
      return (JSON.parse(out) as Printed).cells.flatMap(({ problems = [] }) => problems.map(({ message }) => message));
    };
    variant();
    expect(messages()).toContainEqual(expect.stringMatching(why));
    user.write("session/session.md", front("variant.ts") + notebook("suite: sums\nmodel: builtin/oracle", overview));
    expect(messages()).toContainEqual(expect.stringMatching(/; the code may define this suite$/));
    expect(messages().join()).not.toContain("Expected `suite` to be one of");
    expect(wasLoaded()).toBe(false);
  });

  test("is loaded without a flag after one run with --allow, until the code or its imports change", () => {
    variant();
    expect(user.runs("--allow", "variant.ts")).toMatchObject([{ status: "done" }, { status: "done", label: "once" }]);
    expect(wasLoaded()).toBe(true);
    renameSync(user.at("loaded"), user.at("before"));
    const [, again] = user.runs();
    expect(again).toMatchObject({
      status: "done",
      spec: { code: { strategy: expect.stringMatching(/^[0-9a-f]{16}$/) } },
    });
    expect(wasLoaded()).toBe(true);
    renameSync(user.at("loaded"), user.at("before"));
    user.write("session/parts/once.ts", onceStrategy.replace('lead: string = ""', 'lead: string = "x"'));
    expect(spoken(user.planwright("run", "session").err)).toContain("own code is not loaded");
    expect(wasLoaded()).toBe(false);
  });

  test("has the hash that a worker computes for the file given by --with", () => {
    variant();
    const codes = (runs: ReturnType<typeof user.runs>) => runs.map(({ spec }) => spec.code);
    const allowed = codes(user.runs("--allow", "variant.ts"));
    user.write("session/session.md", notebook(appbench, overview));
    expect(codes(user.runs("--with", user.at("session/variant.ts")))).toEqual(allowed);
    expect(allowed).toContainEqual({ strategy: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });

  test("is not needed to read saved answers: the runs have the same rows and figures without the code", () => {
    variant();
    const before = user.runs("--allow", "variant.ts");
    const figures = user.planwright("run", "session").out;
    renameSync(user.at("settings"), user.at("mine"));
    renameSync(user.at("loaded"), user.at("before"));
    const there = user.planwright("run", "session");
    expect(user.runs()).toEqual(before);
    expect(there.out.replaceAll(/^.*not loaded.*\n/gm, "")).toContain(
      figures.slice(figures.indexOf("Score")).trim().split("\n")[0]!,
    );
    expect(wasLoaded()).toBe(false);
  });

  test("can be a benchmark, whose saved runs are readable without the code", () => {
    user.write(
      "session/mine.ts",
      `import { define, simpleSuite } from "planwright";\nexport default define({ suites: [${sums}] });\n`,
    );
    user.write("session/session.md", front("mine.ts") + notebook("suite: sums\nmodel: builtin/oracle", overview));
    const [before] = user.runs("--allow", "mine.ts");
    expect(before).toMatchObject({ status: "done", counts: { right: 2 } });
    renameSync(user.at("settings"), user.at("mine"));
    expect(user.runs()).toMatchObject([{ run: before!.run, counts: { right: 2 } }]);
  });

  test("is part of a bundle, and another person reads the bundle at once and runs the code after consent", () => {
    variant();
    user.runs("--allow", "variant.ts");
    expect(user.planwright("bundle", "session", user.at("out.tgz")).status).toBe(0);
    renameSync(user.at("settings"), user.at("mine"));
    renameSync(user.at("session"), user.at("original"));
    const { err, out } = user.planwright("open", user.at("out.tgz"), user.at("session"));
    expect(spoken(out + err)).toContain("--allow variant.ts");
    renameSync(user.at("loaded"), user.at("before"));
    expect(user.runs().map(({ counts }) => counts.right)).toEqual([2, 2]);
    expect(wasLoaded()).toBe(false);
    user.write(
      "session/session.md",
      readFileSync(user.at("session/session.md"), "utf8").replace("limit: 2", "limit: 3"),
    );
    expect(user.runs("--allow", "variant.ts").map(({ counts }) => counts.right)).toEqual([3, 3]);
  });
});

describe("a hostile notebook", () => {
  test("needs consent again in another folder, and for another file of the same name", () => {
    variant();
    user.runs("--allow", "variant.ts");
    renameSync(user.at("loaded"), user.at("before"));
    cpSync(user.at("session"), user.at("copy"), { recursive: true });
    expect(spoken(user.planwright("run", "copy").err)).toContain("--allow variant.ts");
    writeFileSync(
      user.at("session/variant.ts"),
      readFileSync(user.at("session/variant.ts"), "utf8").replace("yes", "no"),
    );
    expect(spoken(user.planwright("run", "session").err)).toContain("--allow variant.ts");
    expect(wasLoaded()).toBe(false);
  });
});
