/** The program is rebuilt, upgraded or removed while it is open. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import * as module from "node:module";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";
import { builtProgram } from "../built-program.ts";

let folder: string;
let dist: string;
/** The last part in the folder can be read only once a writer opens it, after all other parts were read. */
let last: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-replaced-"));
  dist = join(folder, "package", "dist");
  cpSync(dirname(builtProgram()), dist, { recursive: true, filter: (path) => !path.endsWith(".map") });
  last = join(dist, "zzz.js");
  execFileSync("mkfifo", [last]);
  for (const suite of ["appbench", "apibench"])
    cpSync(`suites/${suite}/sample`, join(folder, "package/suites", suite, "sample"), { recursive: true });
  cpSync("package.json", join(folder, "package/package.json"));
  const cell = (name: string, suite: string, model: string) =>
    `\`\`\`run ${name}\nsuite: ${suite}\ndata: sample\nstrategy: direct\nmodel: ${model}\nlimit: 4\n\`\`\`\n\n`;
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  writeFileSync(
    join(folder, "sessions/mine/session.md"),
    `${cell("first", "appbench", "builtin/oracle?pace=60")}${cell("second", "apibench", "builtin/oracle")}\`\`\`analysis sums\npane: errors\nof: [first]\n\`\`\`\n`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const ways: Readonly<Record<string, () => void>> = {
  // Every part of the program that is loaded afterwards fails.
  "another build is put in its place": () => {
    rmSync(last);
    for (const { name } of readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isFile()))
      writeFileSync(join(dist, name), 'throw new Error("of another build");');
  },
  "it is removed": () => {
    rmSync(dist, { recursive: true });
    rmSync(join(folder, "package", "package.json"));
  },
};

describe.skipIf(module.registerHooks === undefined || process.platform === "win32").each(Object.entries(ways))(
  "%s while it is open",
  (_what, replace) => {
    test("does not affect runs, exports or the exit of an open notebook", async () => {
      const shell = [process.execPath, join(dist, "cli.js")] as const;
      const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 45, shell });
      await screen.waitFor(/run second/);
      await (await open(last, "w")).close();
      replace();
      screen.type("r");
      await screen.waitFor(/run first[\s\S]*✓ done[\s\S]*run second/);
      screen.type("jr");
      await screen.waitFor(/run second[\s\S]*✓ done/);
      screen.type("j:");
      await screen.waitFor(/commands/i);
      screen.type("export as csv\r");
      await screen.waitFor(/Written: /);
      screen.type("q");
      expect(await screen.ended).toBe(0);
      expect(screen.screen()).toMatch(/first: .*: done; 4 right[\s\S]*second: .*: done; 4 right/);
      expect(screen.written()).not.toMatch(/another build|simpler rule/);
      expect(readdirSync(join(folder, "sessions/mine/exports"))).not.toEqual([]);
    });

    test("allows a command without a screen to execute and print the tasks that have not started", async () => {
      const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
      const child = spawn(process.execPath, [join(dist, "cli.js"), "run", "mine"], { cwd: folder, env });
      let [out, err] = ["", ""];
      child.stdout.on("data", (data: Buffer) => (out += data.toString()));
      child.stderr.on("data", (data: Buffer) => (err += data.toString()));
      const ended = new Promise((resolve) => child.once("close", resolve));
      await (await open(last, "w")).close();
      replace();
      expect([await ended, err]).toEqual([0, expect.stringContaining("second (builtin/oracle): done, 4 of 4")]);
      expect(out).toMatch(/done; 4 right[\s\S]*done; 4 right/);
      expect(out).not.toContain("simpler rule");
    });
  },
);
