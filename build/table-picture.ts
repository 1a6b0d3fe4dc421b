/**
 * `npm run picture`: AppBench's Table 3 as it is exported, set by LaTeX, as a picture for the documentation. Needs Debian's
 * texlive-latex-base, texlive-latex-recommended, texlive-latex-extra and poppler-utils.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "planwright-picture-"));
const session = join(folder, "appbench-paper");

function run(command: string, ...args: readonly string[]): void {
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`Expected ${command} to end well, got ${stdout}${stderr}`);
}

try {
  const program = resolve("dist/cli.js");
  const picture = resolve("documentation/appbench-table-3");
  cpSync("sessions/appbench-paper/session.md", join(session, "session.md"), { recursive: true });
  run(process.execPath, program, "run", session, "--cells", "main");
  run(process.execPath, program, "export", session, "--format", "tex");
  const body = `\\input{${join(session, "exports", "table-3-1.tex")}}`;
  const head =
    "\\documentclass[a4paper,twocolumn]{article}\n\\usepackage{booktabs,graphicx,threeparttable}\n\\pagestyle{empty}";
  writeFileSync(join(folder, "table.tex"), `${head}\n\\begin{document}\n${body}\n\\end{document}\n`);
  run("pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "table.tex");
  // A page with nothing else has it in the middle.
  const part = ["-x", "127", "-y", "609", "-W", "935", "-H", "498"];
  run("pdftocairo", "-png", "-gray", "-singlefile", "-r", "144", ...part, "table.pdf", picture);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
