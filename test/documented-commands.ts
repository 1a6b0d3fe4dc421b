/** Commands that the documents tell their readers to type, and how tests run them. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { installedProgram } from "./built-program.ts";

/** The lines of all blocks for a shell. */
export function shellLines(text: string): readonly string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block!.trim().split("\n"));
}

/** Words of a line as a shell splits them, without quotes. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

export type Typed = { readonly status: number; readonly out: string; readonly err: string };

/** The built program in this folder, with its own settings there. `err` is all of its output. */
export function runProgram(args: readonly string[], home: string): Promise<Typed> {
  mkdirSync(join(home, "settings"), { recursive: true });
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(home, "settings") };
  return new Promise((resolve) => {
    const [file, ...given] = installedProgram();
    execFile(file, [...given, ...args], { cwd: home, env }, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code), out, err: `${out}${err}` }),
    );
  });
}
