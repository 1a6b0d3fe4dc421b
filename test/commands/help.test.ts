import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { typed } from "./typed.ts";

const read = (path: string) => readFileSync(path, "utf8");

describe("planwright help", () => {
  const { columns } = process.stdout;
  afterEach(() => void (process.stdout.columns = columns));

  test("prints every text of the documentation", async () => {
    const names = readdirSync("documentation").filter((name) => name.endsWith(".md"));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names)
      expect((await typed("help", name.slice(0, -".md".length))).out).toContain(read(`documentation/${name}`));
  });

  test("describes a benchmark by its name", async () => {
    for (const suite of ["appbench", "own", "toolbench"])
      expect(await typed("help", suite)).toEqual({ status: 0, out: read(`suites/${suite}/README.md`), err: "" });
  });

  test("prints the usage of a word that is a command and a topic, and then the text", async () => {
    const { out } = await typed("help", "agents");
    expect(out).toMatch(/^add, list or remove agents[^]*planwright agents add NAME/);
    expect(out.endsWith(read("documentation/agents.md"))).toBe(true);
  });

  test("folds a text for a terminal, also for a command's usage", async () => {
    process.stdout.columns = 72;
    for (const words of [["help", "differences"], ["help"], ["run", "--help"]]) {
      const { out } = await typed(...words);
      // Rows of a table stay whole.
      expect(out.split("\n").filter((line) => line.length > 72 && !line.startsWith("|"))).toEqual([]);
    }
  });

  test("names every topic it has", async () => {
    const { out } = await typed("help");
    for (const name of ["first-hour", "differences", "appbench", "own"]) expect(out).toContain(name);
    const suites = readdirSync("suites").filter((name) => existsSync(`suites/${name}/README.md`));
    for (const name of suites) expect(out).toContain(name);
  });

  test("confuses no mistyped topic with another", async () => {
    expect(await typed("help", "diferences")).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringContaining("did you mean `differences`?"),
    });
  });
});
