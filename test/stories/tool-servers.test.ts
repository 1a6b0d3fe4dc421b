import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ToolServer } from "../../source/engine/settings/user-program.ts";
import { scriptedServer } from "../engine/models/scripted-server.ts";
import { toyTools } from "../engine/run/tool-servers/toy-tools.ts";
import { until } from "../until.ts";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-tools-")));
  mkdirSync(join(folder, "sessions", "mine"), { recursive: true });
  mkdirSync(join(folder, "settings"));
  const cell = "suite: mcp\ntools: [toys]\nmodel: silent/model\n";
  writeFileSync(join(folder, "sessions", "mine", "session.md"), `# Mine\n\n\`\`\`run main\n${cell}\`\`\`\n`);
  const task = { question: "Say a lot.", answer: "word" };
  writeFileSync(join(folder, "sessions", "mine", "tasks.jsonl"), JSON.stringify(task));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Starts a run with a server that never ends by itself and a model that never replies; returns the remaining processes. */
async function begin(allowed = true) {
  const toys = toyTools();
  const tested = await toys.reported();
  const server: ToolServer = { ...tested, command: [...tested.command!, "1.0", "clinging"] };
  const model = await scriptedServer(() => {});
  onTestFinished(() => model[Symbol.asyncDispose]());
  const endpoints = [{ name: "silent", baseUrl: model.url }];
  writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify({ endpoints, toolServers: [server] }));
  const screen = showProgram({ args: ["mine"], folder, columns: 200 });
  await screen.waitFor(/0\/1/);
  screen.type("jr");
  await screen.waitFor(/May the sessions of this folder use toys \(.*toy-server\.js/);
  screen.type(allowed ? "y" : "n");
  return { toys, screen };
}

const running = (toys: Awaited<ReturnType<typeof begin>>["toys"]) =>
  until(() => {
    if (toys.living().length !== 1) throw new Error("the server does not run");
  });

describe("a tool server in a session", () => {
  test("is started only after the user has agreed, and the consent is saved", async () => {
    const { toys, screen } = await begin(false);
    await screen.waitFor(/Not started: nothing was allowed/);
    expect(toys.living()).toEqual([]);
    screen.type("r");
    await screen.waitFor(/May the sessions/);
    screen.type("y");
    await running(toys);
    screen.type("s");
    screen.type("x");
    await screen.waitFor(/partly done|stopped/i);
    await toys.gone();
    screen.type("r");
    await running(toys);
    screen.kill("SIGTERM");
    await screen.ended;
    await toys.gone();
  });

  const ways: readonly (readonly [string, (screen: PseudoTerminal) => void | Promise<unknown>])[] = [
    [
      "q and y",
      async (screen) => {
        // The server starts before the run does.
        await screen.waitFor(/ running/);
        screen.type("q");
        await screen.waitFor(/still running.*y\/n/);
        screen.type("y");
      },
    ],
    ["SIGINT", (screen) => screen.kill("SIGINT")],
    ["SIGTERM", (screen) => screen.kill("SIGTERM")],
    ["SIGHUP", (screen) => screen.kill("SIGHUP")],
    ["a closed terminal", (screen) => screen.hangUp()],
  ];
  test.each(ways)("ends with the program after %s, although it ignores signals", async (_, leave) => {
    const { toys, screen } = await begin();
    await running(toys);
    await leave(screen);
    await screen.ended;
    await toys.gone();
  });

  test("is ended at the next start if it is still running after a SIGKILL", async () => {
    const { toys, screen } = await begin();
    await running(toys);
    screen.kill("SIGKILL");
    await screen.ended;
    expect(toys.living()).toHaveLength(1);
    const next = showProgram({ args: ["data", "list"], folder });
    await next.ended;
    await toys.gone();
  });
});
