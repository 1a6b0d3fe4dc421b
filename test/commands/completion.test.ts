import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

/** Returns the words offered in place of the last one. */
async function offered(...words: string[]): Promise<string[]> {
  const { status, out } = await typed("completion", "words", "--", ...words);
  expect(status).toBe(0);
  return out.split("\n").slice(0, -1);
}

describe("the completion of a word", () => {
  test.each([
    [["ex"], ["export", ":folders"]],
    [["wel"], ["welcome", ":folders"]],
    [["--sc"], ["--screen-reader"]],
    [
      ["export", "welcome", "--m"],
      ["--messages", "--min-score"],
    ],
    [["export", "welcome", "--format", "te"], ["tex"]],
    [["export", "welcome", "--format", "csv,at"], ["csv,atif"]],
    [["export", "welcome", "--format=te"], ["--format=tex"]],
    [["export", "welcome", "--format", "=", "te"], ["tex"]],
    [
      ["run", "welcome", "--fail-on-claim", "="],
      ["no", "undecided"],
    ],
    [
      ["export", "welcome", "--format", "="],
      ["csv", "json", "md", "tex", "svg", "html", "vega", "png", "pdf", "inspect", "atif", "training"],
    ],
    [["run", "welcome", "--until", ""], []],
    [
      ["--with", "mine.ts", "expo"],
      ["export", ":folders"],
    ],
    [["--with", "mi"], [":files"]],
    [["run", "--with=mi"], [":files"]],
    [["score", "ultra"], ["ultratool"]],
    [
      ["score", "ultratool", "--parser", ""],
      ["gpt", "other"],
    ],
    [["score", "ultratool", "--predictions", "x"], [":files"]],
    [["data", "a"], ["add"]],
    [["data", "add", "trav"], ["travelplanner"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["help", "glos"], ["glossary"]],
    [["nothing-like-this", ""], []],
  ])("offers existing words for %j", async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });

  test("completion offers existing endpoints, the models of each endpoint, and a notebook's cells", async () => {
    await typed("endpoint", "add", "lab", "--base-url", "http://127.0.0.1:9/v1", "--models", "large,small:8b");
    expect(await offered("endpoint", "test", "")).toEqual(["lab"]);
    expect(await offered("evolve", "planningarena", "--model", "lab/")).toEqual(["lab/large", "lab/small:8b"]);
    // Bash splits the word, and replaces its last piece by the chosen text.
    expect(await offered("evolve", "planningarena", "--model", "lab/small", ":", "8")).toEqual(["8b"]);
    expect(await offered("evolve", "planningarena", "--model", "=", "lab/small", ":")).toEqual(["8b"]);
    mkdirSync(at("mine"));
    writeFileSync(at("mine", "session.md"), "```run first\n```\n\n```analysis second\n```\n");
    expect(await offered("run", at("mine"), "--cells", "")).toEqual(["first", "second"]);
    expect(await offered("run", at("mine"), "--cells", "first,")).toEqual(["first,second"]);
  });
});

test("completion prints a script for each known shell, and rejects others", async () => {
  for (const shell of ["bash", "zsh", "fish"])
    expect((await typed("completion", shell)).out).toContain("planwright completion words --");
  expect(await typed("completion", "tcsh")).toMatchObject({
    status: 2,
    err: expect.stringContaining("Expected one shell (bash, zsh, fish), got `tcsh`"),
  });
});

describe("completion --install", () => {
  test.each([
    ["bash", ".bashrc", 'eval "$(planwright completion bash)"'],
    ["zsh", ".zshrc", 'eval "$(planwright completion zsh)"'],
    ["fish", ".config/fish/completions/planwright.fish", "planwright completion fish | source"],
  ])("adds the line for %s once, after the existing text", async (shell, file, line) => {
    vi.stubEnv("HOME", at("home"));
    vi.stubEnv("ZDOTDIR", "");
    vi.stubEnv("XDG_CONFIG_HOME", "");
    mkdirSync(at("home"));
    if (shell !== "fish") writeFileSync(at("home", file), "export EDITOR=vi");
    const first = await typed("completion", shell, "--install");
    expect([first.status, first.out]).toEqual([0, expect.stringContaining(at("home", file))]);
    const written = readFileSync(at("home", file), "utf8");
    expect(written.endsWith(`${line}\n`)).toBe(true);
    if (shell !== "fish") expect(written.startsWith("export EDITOR=vi\n")).toBe(true);
    const again = await typed("completion", shell, "--install");
    expect(again.out).toBe(`${at("home", file)} already loads the completion; nothing was changed\n`);
    expect(readFileSync(at("home", file), "utf8")).toBe(written);
  });

  test("rejects a missing shell", async () => {
    expect(await typed("completion", "--install")).toMatchObject({ status: 2 });
  });
});
