import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtProgram } from "../stories/pseudo-terminal.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

/** What is offered in the place of the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const { status, out } = await typed("completion", "words", "--", ...words);
  expect(status).toBe(0);
  return out.split("\n").slice(0, -1);
}

describe("what may stand in the place of a word", () => {
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
    [["run", "welcome", "--until", ""], []],
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
  ])("%j", async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });

  test("endpoints, their models and the cells of a notebook are those there are", async () => {
    await typed("endpoint", "add", "lab", "--base-url", "http://127.0.0.1:9/v1", "--models", "large,small");
    expect(await offered("endpoint", "test", "")).toEqual(["lab"]);
    expect(await offered("evolve", "planningarena", "--model", "lab/")).toEqual(["lab/large", "lab/small"]);
    mkdirSync(at("mine"));
    writeFileSync(at("mine", "session.md"), "```run first\n```\n\n```analysis second\n```\n");
    expect(await offered("run", at("mine"), "--cells", "")).toEqual(["first", "second"]);
    expect(await offered("run", at("mine"), "--cells", "first,")).toEqual(["first,second"]);
  });
});

test("bash completes with the script that is printed", async () => {
  const { out } = await typed("completion", "bash");
  writeFileSync(at("completion.bash"), out);
  writeFileSync(at("planwright"), `#!/bin/sh\nexec "${process.execPath}" "${builtProgram}" "$@"\n`);
  chmodSync(at("planwright"), 0o755);
  writeFileSync(at("a file.jsonl"), "");
  // What bash itself does when Tab is pressed.
  const pressTab = (...words: string[]) =>
    execFileSync(
      "bash",
      [
        "--norc",
        "-c",
        'compopt() { :; }; . ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _planwright; printf "%s\\n" "${COMPREPLY[@]}"',
        "bash",
        "planwright",
        ...words,
      ],
      { cwd: at(), env: { ...process.env, PATH: `${at()}:${process.env["PATH"]}` }, encoding: "utf8" },
    ).split("\n");
  expect(pressTab("exp")).toContain("export");
  expect(pressTab("export", "welcome", "--mes")).toEqual(["--messages", ""]);
  expect(pressTab("score", "appbench", "--predictions", "a")).toEqual(["a file.jsonl", ""]);
});

test("zsh and fish have scripts of their own, another shell none", async () => {
  for (const shell of ["zsh", "fish"])
    expect((await typed("completion", shell)).out).toContain("planwright completion words --");
  expect(await typed("completion", "tcsh")).toMatchObject({
    status: 2,
    err: expect.stringContaining("Expected one shell (bash, zsh, fish), got `tcsh`"),
  });
});
