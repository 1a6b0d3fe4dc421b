import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { typed } from "./typed.ts";

const read = (path: string) => readFileSync(path, "utf8");

describe("planwright help", () => {
  const { columns, isTTY } = process.stdout;
  afterEach(() => void Object.assign(process.stdout, { columns, isTTY }));

  test("prints every text of the documentation", async () => {
    const names = readdirSync("documentation").filter((name) => name.endsWith(".md"));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names)
      expect((await typed("help", name.slice(0, -".md".length))).out).toContain(read(`documentation/${name}`));
  });

  test("describes a benchmark that is given by name", async () => {
    for (const suite of ["appbench", "own", "toolbench"])
      expect(await typed("help", suite)).toEqual({ status: 0, out: read(`suites/${suite}/README.md`), err: "" });
  });

  test("prints the usage and then the page for a word that is both a command and a topic", async () => {
    const { out } = await typed("help", "agents");
    expect(out).toMatch(/^add, list or remove agents[^]*planwright agents add NAME/);
    expect(out.endsWith(read("documentation/agents.md"))).toBe(true);
  });

  test("draws a page on a terminal with headings, folded text and tables instead of Markdown", async () => {
    Object.assign(process.stdout, { columns: 100, isTTY: true });
    vi.stubEnv("NO_COLOR", "");
    const { out } = await typed("help", "run-at-zero");
    expect(out.startsWith("\u001b[1mWhy is my run at 0 %?\u001b[0m\n\u001b[2m==")).toBe(true);
    vi.stubEnv("NO_COLOR", "1");
    const plain = (await typed("help", "run-at-zero")).out;
    expect(plain).toMatch(/^Why is my run at 0 %\?\n=+\n/);
    expect(plain).not.toMatch(/^\||\*\*|`/m);
    expect(plain.split("\n").filter((line) => line.length > 100)).toEqual([]);
    expect((await typed("help", "keys")).out).not.toContain("<!--");
    vi.unstubAllEnvs();
  });

  test("folds the usage of a command for a terminal", async () => {
    process.stdout.columns = 72;
    for (const words of [["help"], ["run", "--help"]]) {
      const { out } = await typed(...words);
      // Rows of a table are not folded.
      expect(out.split("\n").filter((line) => line.length > 72 && !line.startsWith("|"))).toEqual([]);
    }
  });

  test("lists all its topics", async () => {
    const { out } = await typed("help");
    for (const name of ["first-hour", "differences", "appbench", "own"]) expect(out).toContain(name);
    const suites = readdirSync("suites").filter((name) => existsSync(`suites/${name}/README.md`));
    for (const name of suites) expect(out).toContain(name);
  });

  test("finds a word in the documents, headings first, with the command that prints each page", async () => {
    const { status, out } = await typed("help", "floors");
    expect(status).toBe(0);
    expect(out.split("\n")[0]).toMatch(/^planwright help \S+ +## Floors$/);
    for (const line of out.trim().split("\n")) {
      if (/^\d+ more lines? contains? the word\.$/.test(line)) continue;
      const [, page = "", text = ""] = /^(planwright \S+ \S+) +(.*)$/.exec(line) ?? [];
      expect(text.toLowerCase()).toContain("floors");
      expect((await typed(...page.split(" ").slice(1))).out.toLowerCase()).toContain("floors");
    }
    expect((await typed("help", "gnorwil")).status).toBe(2);
    expect((await typed("help", "run at 0 %")).out).toContain("# Why is my run at 0 %?");
  });

  test("finds several words without quotes as a phrase, also if the first of them is a command or a topic", async () => {
    const { status, out } = await typed("help", "point", "of", "no", "return");
    expect(status).toBe(0);
    expect(out.split("\n")[0]).toMatch(/^planwright help forks +I want to .*point of no return/);
    expect((await typed("help", "run", "at", "0", "%")).out).toContain("# Why is my run at 0 %?");
    expect((await typed("help", "prompts", "gnorwil")).status).toBe(2);
  });

  test("suggests a topic for a misspelt name, but never prints another topic", async () => {
    expect(await typed("help", "diferences")).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringContaining("did you mean `differences`?"),
    });
  });
});
