/**
 * `npm run picture`: draws screens of the program, in a pseudo-terminal, as SVG: the first hour, a model that thinks, and a table
 * of each paper. With names behind it, `node build/screen-picture.ts thinking`: those alone.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { delta, scriptedServer } from "../test/engine/models/scripted-server.ts";
import { openProgram, type PseudoTerminal } from "../test/stories/pseudo-terminal.ts";
import { builtinModel, firstHour, onScreen, pictureFile, scenes } from "./first-hour.ts";
import { screenSvg } from "./screen-svg.ts";
import { builtProgram } from "../test/built-program.ts";

const documentation = "documentation";
const wanted = process.argv.slice(2);

/** The files of the program's folder, and the steps before the screen is drawn. */
async function draw(
  name: string,
  size: { readonly columns: number; readonly rows: number },
  prepare: (folder: string) => void,
  reach: (terminal: PseudoTerminal) => Promise<void>,
): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const folder = mkdtempSync(join(tmpdir(), "planwright-picture-"));
  try {
    prepare(folder);
    const terminal = openProgram({ args: [name], folder, ...size });
    await reach(terminal);
    // The last frame is still being written.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    mkdirSync(documentation, { recursive: true });
    writeFileSync(join(documentation, `${name}.svg`), screenSvg(terminal.terminal));
    terminal.kill("SIGTERM");
    await terminal.ended;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (wanted.length === 0 || wanted.includes("first-hour")) {
  mkdirSync(dirname(pictureFile(scenes[0]!)), { recursive: true });
  await firstHour(builtinModel, async (home) => {
    for (const scene of scenes)
      writeFileSync(pictureFile(scene), await onScreen(scene, home, ({ terminal }) => screenSvg(terminal)));
  });
}

const thought =
  "The person wants to know something before anything is booked, so the apps that only inform come first. " +
  "Which of those listed are needed? I should not take one merely because its name fits: the request says what " +
  "is to be found out, and what is to be done with it afterwards. Let me go through it once more, word by word";

/** Thinks, and is drawn in the middle of it; asked for another task it has come to its answer. */
await using server = await scriptedServer(
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(delta({ reasoning_content: `${thought} ...` }));
  },
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(delta({ reasoning_content: `${thought}.` }));
    response.write(delta({ content: "Weather, Fer" }));
  },
);
const endpoint = { name: "lab", baseUrl: server.url, concurrency: 2 };
const cell = "suite: appbench\ndata: sample\nmodel: lab/thinker\nlimit: 2";
await draw(
  "thinking",
  { columns: 124, rows: 22 },
  (folder) => {
    mkdirSync(join(folder, "settings"));
    writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify({ endpoints: [endpoint] }));
    mkdirSync(join(folder, "sessions", "thinking"), { recursive: true });
    writeFileSync(
      join(folder, "sessions", "thinking", "session.md"),
      `# A model that thinks\n\n\`\`\`run main\n${cell}\n\`\`\`\n`,
    );
  },
  async (terminal) => {
    await terminal.waitFor(/run main/);
    terminal.type("jr");
    await terminal.waitFor(/running/);
    terminal.type("L2");
    await terminal.waitFor(/Weather, Fer/);
    await terminal.waitFor(/ \.\.\./);
  },
);

/** Returns the run cells that the picture of a paper's notebook needs, and the analysis it shows. */
const papers = [
  { name: "appbench-paper", cells: "main", analysis: "table-3", columns: 142, rows: 23 },
  { name: "planningarena-paper", cells: "main", analysis: "table-2", columns: 160, rows: 28 },
  { name: "ultratool-paper", cells: "english", analysis: "table-en", columns: 124, rows: 29 },
  { name: "travelplanner-paper", cells: "two-stage,direct", analysis: "table-4", columns: 144, rows: 28 },
  { name: "tool-planner-paper", cells: "apibench", analysis: "table-2", columns: 180, rows: 34 },
];
for (const { name, cells, analysis, columns, rows } of papers)
  await draw(
    name,
    // High enough for any cell to be seen from its first line.
    { columns, rows: 120 },
    (folder) => {
      const session = join(folder, "sessions", name);
      cpSync(join("sessions", name, "session.md"), join(session, "session.md"), { recursive: true });
      const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
      const { status, stderr } = spawnSync(process.execPath, [builtProgram(), "run", session, "--cells", cells], {
        env,
      });
      if (status !== 0) throw new Error(`Expected ${name} to run, got ${stderr.toString()}`);
    },
    async (terminal) => {
      await terminal.waitFor(/: the experiments of the paper/);
      while (!terminal.screen().includes(`▌ analysis ${analysis}`)) {
        const before = terminal.screen();
        terminal.type("j");
        while (terminal.screen() === before) await new Promise((resolve) => setTimeout(resolve, 50));
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      terminal.type("o");
      await terminal.waitFor(/Enter tasks/);
      terminal.resize(columns, rows);
    },
  );
process.exit(0);
