import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, test } from "vitest";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { showProgram } from "./shown-program.ts";
import { builtProgram } from "../built-program.ts";

const at = temporaryFolder();

/** Starts each shell without this machine's configuration, and gives the contents of its start-up file. */
const shells = [
  { name: "bash", start: ["--norc", "--noprofile", "-i"], setUp: 'eval "$(planwright completion bash)"' },
  {
    name: "zsh",
    start: ["-f", "-i"],
    setUp: 'autoload -U compinit && compinit -D && eval "$(planwright completion zsh)"',
  },
  {
    name: "fish",
    start: ["--no-config", "-i"],
    setUp: "planwright completion fish | source; set -g fish_autosuggestion_enabled 0",
  },
] as const;

const isHere = (shell: string): boolean => {
  try {
    execFileSync(shell, ["-c", "true"]);
    return true;
  } catch {
    return false;
  }
};

/** The text typed before Tab, and the resulting command line. */
const lines: readonly (readonly [typed: string, completed: string])[] = [
  ["planwright exp", "planwright export"],
  ["planwright new-", "planwright new-words/"],
  ["planwright run mi", "planwright run mine"],
  ["planwright run mine --cells fi", "planwright run mine --cells first"],
  ["planwright run mine --cells first,", "planwright run mine --cells first,second"],
  ["planwright export mine --mes", "planwright export mine --messages"],
  ["planwright export mine --format csv,at", "planwright export mine --format csv,atif"],
  ["planwright export mine --format=te", "planwright export mine --format=tex"],
  ["planwright score ultratool --parser o", "planwright score ultratool --parser other"],
  ["planwright score appbench --predictions an", "planwright score appbench --predictions an\\ answer.jsonl"],
  ["planwright score appbench --predictions=an", "planwright score appbench --predictions=an\\ answer.jsonl"],
  ["planwright evolve planningarena --model lab/llama3.1:8", "planwright evolve planningarena --model lab/llama3.1:8b"],
  ["planwright help glo", "planwright help glossary"],
  // Names in a notebook may come from another user, so they are completed as literal words.
  ["planwright run theirs --cells \\$", "planwright run theirs --cells \\$\\(touch\\ it\\)"],
];

describe("completion by Tab", () => {
  for (const { name, start, setUp } of shells)
    test.skipIf(!isHere(name))(`works in ${name}`, async () => {
      await typed(
        "endpoint",
        "add",
        "lab",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--models",
        "llama3.1:8b,llama3.1:70b",
      );
      for (const folder of ["sessions/mine", "sessions/theirs", "new-words", "bin"])
        mkdirSync(at(folder), { recursive: true });
      writeFileSync(at("sessions/mine/session.md"), "```run first\n```\n\n```analysis second\n```\n");
      writeFileSync(at("sessions/theirs/session.md"), "```run $(touch it)\n```\n");
      writeFileSync(at("an answer.jsonl"), "");
      writeFileSync(at("bin/planwright"), `#!/bin/sh\nexec "${process.execPath}" "${builtProgram()}" "$@"\n`);
      chmodSync(at("bin/planwright"), 0o755);
      const env = { HOME: at(), PATH: `${at("bin")}:${process.env["PATH"]}`, PS1: "> ", PROMPT: "> " };
      const shell = showProgram({ args: [], folder: at(), columns: 120, shell: [name, ...start], env });
      shell.type(`${setUp}; echo ready | tr a-z A-Z\r`);
      await shell.waitFor(/^READY$/m);
      for (const [before, completed] of lines) {
        // Clears the previous command line.
        shell.type(`\u0015${before}\t`);
        await shell.waitFor(new RegExp(`${completed.replace(/\W/g, "\\$&")} *$`, "m"));
      }
    });
});
