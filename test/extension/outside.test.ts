/** The packed program, unpacked elsewhere, with a user's suite, strategy and analysis from a user's folder. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openProgram } from "../stories/pseudo-terminal.ts";
import type { Printed } from "./program.ts";
import { builtProgram } from "../built-program.ts";

let folder = "";
let cli = "";
const mine = ["suite.ts", "strategy.ts", "analysis.ts"];
const notebook = `# Mine

\`\`\`run sums
suite: my-suite
strategy: [direct, cot]
model: builtin/oracle
\`\`\`

\`\`\`run apps
suite: appbench
data: sample
strategy: [direct, my-strategy]
my-votes: 2
model: builtin/oracle
limit: 4
\`\`\`

\`\`\`analysis tokens
analysis: my-analysis
of: [sums, apps]
\`\`\`
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-outside-"));
  builtProgram();
  // The tests' build is packed, because building again would change it under other tests.
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const archive = execFileSync("npm", pack, { encoding: "utf8" }).trim().split("\n").at(-1)!;
  execFileSync("tar", ["-xzf", join(folder, archive), "-C", folder]);
  cli = join(folder, "package", "dist", "cli.js");
  mkdirSync(join(folder, "user", "session"), { recursive: true });
  for (const name of mine) cpSync(join("documentation", "examples", name), join(folder, "user", name));
  writeFileSync(join(folder, "user", "session", "session.md"), notebook);
});
afterAll(() => rmSync(folder, { recursive: true }));

const withMine = mine.flatMap((name) => ["--with", name]);

describe("a user's files outside the package", () => {
  test("run headless with the packed program", () => {
    const out = execFileSync(process.execPath, [cli, "run", "session", "--json", ...withMine], {
      cwd: join(folder, "user"),
      encoding: "utf8",
      env: { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "user", "settings") },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const cells = (JSON.parse(out) as Printed).cells.filter(({ name }) => name !== "");
    const runs = cells.flatMap((cell) => (cell.name === "tokens" ? [] : (cell.runs ?? [])));
    expect(runs.map(({ label, status, spec }) => [label, status, Object.keys(spec.code ?? {})])).toEqual([
      ["direct", "done", ["suite"]],
      ["cot", "done", ["suite"]],
      ["direct", "done", []],
      ["my-strategy", "done", ["strategy"]],
    ]);
    const [figure] = cells.find(({ name }) => name === "tokens")!.figures!;
    expect(figure).toMatchObject({ title: expect.stringContaining("Mean output tokens a task") });
  });

  test("run in a terminal, and a key there accepts results of older code", async () => {
    const cell = notebook.slice(notebook.indexOf("```run sums"), notebook.indexOf("```run apps"));
    mkdirSync(join(folder, "user", "screen"));
    writeFileSync(join(folder, "user", "screen", "session.md"), cell.replace("[direct, cot]", "direct"));
    const open = () =>
      openProgram({ shell: [process.execPath, cli], args: ["screen", ...withMine], folder: join(folder, "user") });
    const first = open();
    await first.waitFor(/your own questions/);
    first.type("r");
    await first.waitFor(/2 of 2 right|2 right/);
    first.type("q");
    expect(await first.ended).toBe(0);
    const suite = join(folder, "user", "suite.ts");
    writeFileSync(suite, `${readFileSync(suite, "utf8")}// Another line.\n`);
    const second = open();
    await second.waitFor(/Results of older code do not count/);
    second.type("O");
    await second.waitFor(/Keep the results of which code\?/);
    second.type("\r");
    await second.waitFor(/Why are these results valid/);
    second.type("Only a comment");
    await second.waitFor(/Only a comment/);
    second.type("\r");
    const screen = await second.waitFor(/accepted for the present code by/);
    expect(screen).toMatch(/✓ 2 ✗ 0/);
    second.type("q");
    expect(await second.ended).toBe(0);
  });
});
