/** `npm run picture`: executes the welcome session in a pseudo-terminal and draws the screen as an SVG. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgram } from "../test/stories/pseudo-terminal.ts";
import { screenSvg } from "./screen-svg.ts";

const folder = mkdtempSync(join(tmpdir(), "planwright-picture-"));
try {
  cpSync("sessions/welcome/session.md", join(folder, "sessions/welcome/session.md"), { recursive: true });
  const terminal = openProgram({ args: ["welcome"], folder, columns: 110, rows: 48 });
  await terminal.waitFor(/run first/);
  terminal.type("jr");
  await terminal.waitFor(/Done: /);
  terminal.type("jj");
  await terminal.waitFor(/▌ analysis where/);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  mkdirSync("documentation", { recursive: true });
  writeFileSync("documentation/screen.svg", screenSvg(terminal.terminal));
  terminal.kill("SIGTERM");
  await terminal.ended;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
