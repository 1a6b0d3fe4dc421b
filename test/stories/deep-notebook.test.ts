import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openProgram } from "./pseudo-terminal.ts";

it("a notebook whose cells are nested deeply or contain themselves opens, and each cell shows its mistake", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-deep-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "mine"));
  const cell = (kind: string, source: string) => `\`\`\`${kind}\n${source}\n\`\`\`\n\n`;
  const deep = "[".repeat(15_000);
  const cells = [cell("run deep", `suite: appbench\nsplit: ${deep}`), cell("run own", "suite: &own [*own]")];
  writeFileSync(join(folder, "mine", "session.md"), cells.join(""));
  const program = openProgram({ args: [join(folder, "mine")], folder });
  await program.waitFor(/at most 100 nested lists and maps, got more at line 2/);
  await program.waitFor(/aliases nest deeper than 100 lists and maps/);
  program.type("q");
  expect(await program.ended).toBe(0);
});
