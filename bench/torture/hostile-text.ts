/** A model, a session and a folder that write what a terminal would obey: through every screen, everything printed, every export. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { printable } from "../../source/engine/text/printable.ts";
import { openProgram } from "../../test/stories/pseudo-terminal.ts";
import type { Line, Torture } from "./part.ts";
import { Scene, wait } from "./program.ts";

/** Texts that must not arrive unchanged, each with a mark of its own. */
const obeyed = [
  "\u001b]52;c;T0RU\u0007",
  "\u001b]0;owned\u0007",
  "\u001b]8;;http://odd\u001b\\",
  "\u001b[31;7;44m",
  "\u001b[2K\u001b[9A",
  "\u001b[?1049lowned",
  "\u001bP1$r0m\u001b\\",
  "\u009b31m",
  "\u202eodd",
  "\u2066odd",
  "o\u200bd",
  "o\ufeffd",
  "o\u{e0041}d",
  "\bodd",
];
const hostile = obeyed.join(" ");

/** Keys that go through every screen: what they open depends on what is selected, and none of them quits. */
const tour =
  "j j k o j ENTER TAB TAB TAB j j k G g n ESC ESC o / x ENTER ESC ESC ? j ESC : o ESC j j o c ESC ENTER n ESC ESC g j e j j ESC t ESC m w o r d s ESC z"
    .replaceAll("ESC", "\u001b")
    .replaceAll("ENTER", "\r")
    .replaceAll("TAB", "\t")
    .split(" ");

export async function* hostileText(_torture: Torture): AsyncGenerator<Line> {
  const server = await reply();
  try {
    using scene = new Scene();
    const home = session(scene, server.url);
    await scene.run("endpoint", "add", "lab", "--base-url", server.url);
    yield {
      what: "everything printed by `run`, `run --json` and `export`",
      tries: 4,
      broken: await printed(scene, home),
    };
    yield { what: "every format of export", tries: 6, broken: exportedFiles(home) };
    yield { what: "every screen, with colour and without", tries: 2, broken: await screens(scene, home) };
  } finally {
    server.close();
  }
}

/** A server whose model answers everything with the same words. */
async function reply(): Promise<{ url: string; close(): void }> {
  const chunk = { choices: [{ index: 0, delta: { content: `<think>${hostile}</think>${hostile}\n['${hostile}']` } }] };
  const end = {
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.url?.endsWith("/models") === true)
        return response.end(JSON.stringify({ data: [{ id: `m ${hostile}` }] }));
      response.setHeader("content-type", "text/event-stream");
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  return { url: `http://127.0.0.1:${address.port}/v1`, close: () => void server.close() };
}

/** A session whose folder, notes and cells say such things as well; its path. */
function session(scene: Scene, url: string): string {
  const home = scene.at("sessions", `mine ${hostile.replaceAll(/[/\\]/g, "")}`);
  const run = (name: string, settings: string) =>
    `\`\`\`run ${name}\n${settings}\ndata: sample\nlimit: 2\nmodel: ${JSON.stringify(`lab/m ${hostile}`)}\n\`\`\`\n\n`;
  const analyses = ["errors", "difficulty", "efficiency", "compare"].map(
    (name) => `\`\`\`analysis ${name}\npane: ${name}\n\`\`\`\n\n`,
  );
  mkdirSync(home, { recursive: true });
  writeFileSync(
    `${home}/session.md`,
    `# Title ${hostile}\n\n${hostile}\n\n${run("first", "suite: appbench\nstrategy: direct")}${run("second", "suite: ultratool")}${run("third", "suite: planningarena")}${analyses.join("")}\`\`\`run bad\n"${hostile}": ${url}\n\`\`\`\n`,
  );
  return home;
}

async function printed(scene: Scene, home: string): Promise<string[]> {
  const formats = "csv,json,md,tex,svg,html";
  const broken: string[] = [];
  for (const args of [
    ["run", home],
    ["run", home, "--json"],
    ["run", home, "--ascii"],
    ["export", home, "--format", formats],
  ]) {
    const { out, err } = await scene.run(...args);
    for (const text of [out, err])
      for (const line of text.split("\n"))
        if (printable(line) !== line) broken.push(`${args[0]} printed ${JSON.stringify(line.slice(0, 200))}`);
    if (args[0] === "run" && !out.includes("owned"))
      broken.push(`${args.join(" ").slice(-20)}: the words are not there at all`);
  }
  return broken;
}

function exportedFiles(home: string): string[] {
  return readdirSync(`${home}/exports`).flatMap((name) => {
    const lines = readFileSync(`${home}/exports/${name}`, "utf8").split(/\r?\n/);
    const wrong = lines.find((line) => printable(line) !== line);
    return wrong === undefined ? [] : [`${name} holds ${JSON.stringify(wrong.slice(0, 200))}`];
  });
}

async function screens(scene: Scene, home: string): Promise<string[]> {
  const broken: string[] = [];
  for (const env of [{}, { NO_COLOR: "1" }] as const) {
    const screen = openProgram({ args: [home], folder: scene.folder, columns: 120, rows: 40, env });
    let over = false;
    void screen.ended.then(() => (over = true));
    await screen.waitFor(/Title/);
    for (const key of tour) {
      screen.type(key);
      await wait(150);
    }
    if (over) broken.push(`the program ended in the middle: ${screen.screen()}`);
    const written = screen.written();
    for (const text of obeyed) if (written.includes(text)) broken.push(`the terminal was sent ${JSON.stringify(text)}`);
    // Sequences of the screen itself begin with ESC: no other control character is its.
    const control = [...written].find(
      (character) => /\p{Control}/u.test(character) && !"\u001b\r\n".includes(character),
    );
    if (control !== undefined) broken.push(`the terminal was sent ${JSON.stringify(control)}`);
    if (!written.includes("␛]52")) broken.push("the words were on no screen");
    screen.kill("SIGTERM");
    await screen.ended;
  }
  return broken;
}
