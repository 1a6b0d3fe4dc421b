import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { builtProgram } from "../built-program.ts";
import { openProgram } from "../stories/pseudo-terminal.ts";

/** When the process ends, writes to a file which modules of Node and which files of the program it has loaded. */
const recorder = `
import { registerHooks } from "node:module";
import { writeFileSync } from "node:fs";
const files = [];
registerHooks({ load(url, context, next) { files.push(url.split("/").at(-1)); return next(url, context); } });
process.on("exit", () => writeFileSync(process.env.LOADED, JSON.stringify({ files, builtin: process.moduleLoadList })));
`;

type Loaded = { readonly files: readonly string[]; readonly builtin: readonly string[] };

function recording() {
  const folder = mkdtempSync(join(tmpdir(), "planwright-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [hook, loaded] = [join(folder, "recorder.mjs"), join(folder, "loaded.json")];
  writeFileSync(hook, recorder);
  const env = { NODE_OPTIONS: `--import ${hook}`, LOADED: loaded };
  return { folder, env, loaded: () => JSON.parse(readFileSync(loaded, "utf8")) as Loaded };
}

describe("the program at its start", () => {
  test("loads neither suites nor commands to print its version", () => {
    const { env, loaded } = recording();
    execFileSync(process.execPath, [builtProgram(), "--version"], { env: { ...process.env, ...env } });
    const programs = loaded().files.filter((name) => name.endsWith(".js"));
    expect(programs.map((name) => name.split(/[-.]/)[0])).toEqual(["cli", "cli", "start"]);
  });

  test("loads no server and no client of a model before it draws the first frame", async () => {
    const { folder, env, loaded } = recording();
    writeFileSync(join(folder, "session.md"), "# Seen\n\n```run main\nsuite: appbench\nmodel: builtin/oracle\n```\n");
    const terminal = openProgram({ args: [folder], folder, env });
    await terminal.waitFor(/Seen/);
    terminal.type("q");
    await terminal.ended;
    const { builtin, files } = loaded();
    expect(builtin.filter((name) => /NativeModule (_?http|https|undici|internal\/deps\/undici)/.test(name))).toEqual(
      [],
    );
    expect(files.filter((name) => /^(openai|network|tree-sitter)/.test(name))).toEqual([]);
  });
});
