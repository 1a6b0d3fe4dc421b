/** A user's agent ends however the program that started it ends. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../until.ts";
import { lives } from "../engine/run/tool-servers/toy-tools.ts";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-agents-")));
  mkdirSync(join(folder, "sessions", "mine"), { recursive: true });
  mkdirSync(join(folder, "settings"));
  const cell = "suite: appbench\nlimit: 1\nstrategy: agent\nagent: slow\n";
  writeFileSync(join(folder, "sessions", "mine", "session.md"), `# Mine\n\n\`\`\`run main\n${cell}\`\`\`\n`);
  // The agent ignores a closed input and SIGTERM.
  const program = `process.on("SIGTERM", () => {});
    require("node:net").createServer().listen(0, "127.0.0.1");
    require("node:fs").appendFileSync("pids", process.pid + "\\n");`;
  const agent = { name: "slow", command: [process.execPath, "-e", program], folder, seconds: 600, megabytes: 4000 };
  writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify({ agents: [agent] }));
});
afterEach(() => rmSync(folder, { recursive: true }));

const living = () =>
  existsSync(join(folder, "pids"))
    ? readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number).filter(lives)
    : [];
const gone = () => until(() => expect(living()).toEqual([]));

async function begin() {
  const screen = showProgram({ args: ["run", "mine", "--allow", "slow"], folder });
  await until(() => expect(living()).toHaveLength(1));
  return screen;
}

describe("an agent process that ignores signals", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("ends with the program after %s", async (signal) => {
    const screen = await begin();
    screen.kill(signal);
    await screen.ended;
    await gone();
  });

  test("is ended at the next start if it is still running after a SIGKILL", async () => {
    const screen = await begin();
    screen.kill("SIGKILL");
    await screen.ended;
    expect(living()).toHaveLength(1);
    await showProgram({ args: ["data", "list"], folder }).ended;
    await gone();
  });
});
