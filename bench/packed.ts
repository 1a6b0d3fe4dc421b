/**
 * Measures a finished run on disk after `planwright pack` and the same run as Inspect's `.eval`, for plain questions and an
 * agent.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { program } from "./child-program.ts";
import type { Bench, Measurement } from "./measurement.ts";

const runs = {
  "all AppBench tasks of the sample, asked plainly": "suite: appbench\nsplit: all\nmodel: builtin/oracle\n",
  "all ToolBench tasks of the sample, by an agent": "suite: toolbench\nstrategy: dfsdt\nmodel: builtin/oracle\n",
};

export const bench: Bench = async () =>
  Object.entries(runs).map(([what, cell]): Measurement => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-packed-"));
    try {
      writeFileSync(join(folder, "session.md"), `\`\`\`run main\n${cell}data: sample\n\`\`\`\n`);
      const planwright = (...args: readonly string[]) =>
        execFileSync(process.execPath, [program, ...args], {
          cwd: folder,
          stdio: ["ignore", "ignore", "inherit"],
          env: { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") },
        });
      planwright("run", ".");
      planwright("export", ".", "--format", "inspect");
      const plain = gzipSync(
        readFileSync(join(folder, "runs", readdirSync(join(folder, "runs"))[0]!, "events.jsonl")),
        { level: 9 },
      );
      planwright("pack", ".");
      const bytes = (of: string, ending: string) =>
        (readdirSync(join(folder, of), { recursive: true }) as string[])
          .filter((file) => file.endsWith(ending))
          .reduce((sum, file) => sum + statSync(join(folder, of, file)).size, 0);
      return {
        what: `packed log of ${what}`,
        ours: bytes("runs", "events.jsonl.gz") / 1e3,
        unit: "KB",
        beside: { of: "the same as Inspect's `.eval`", value: bytes("exports", ".eval") / 1e3 },
        goal: 1,
        bound: { of: "the same bytes by plain gzip", value: plain.length / 1e3 },
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
