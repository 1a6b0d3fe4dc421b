/** Starting a session with tool servers loads none of their client code. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toyTools } from "../engine/run/tool-servers/toy-tools.ts";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-start-")))));
afterEach(() => rmSync(folder, { recursive: true }));

test("the client of tool servers is loaded when the first server is used, not at the start", async () => {
  const toys = toyTools();
  mkdirSync(join(folder, "settings"));
  writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify({ toolServers: [await toys.reported()] }));
  mkdirSync(join(folder, "mine"));
  writeFileSync(join(folder, "mine", "tasks.jsonl"), '{"question":"Six?","answer":6}\n');
  const cell = "suite: mcp\ntools: [toys]\nmodel: builtin/oracle\n";
  writeFileSync(join(folder, "mine", "session.md"), `# Mine\n\n\`\`\`run main\n${cell}\`\`\`\n`);
  const noting = `import { registerHooks } from "node:module";
    import { appendFileSync } from "node:fs";
    const load = (url, context, next) => (appendFileSync("loaded", url + "\\n"), next(url, context));
    registerHooks({ load });`;
  writeFileSync(join(folder, "noting.mjs"), noting);
  const loaded = () => readFileSync(join(folder, "loaded"), "utf8");

  const env = { NODE_OPTIONS: `--import ${join(folder, "noting.mjs")}` };
  const screen = showProgram({ args: [join(folder, "mine")], folder, env, columns: 200 });
  await screen.waitFor(/0\/1/);
  expect(loaded()).toContain("/dist/");
  expect(loaded()).not.toContain("mcp-connection");
  screen.type("jr");
  await screen.waitFor(/May the sessions of this folder use toys/);
  expect(loaded()).not.toContain("mcp-connection");
  screen.type("y");
  await screen.waitFor(/✓ done/);
  expect(loaded()).toContain("mcp-connection");
  screen.type("q");
  await screen.ended;
  await toys.gone();
});
