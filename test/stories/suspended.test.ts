/** Ctrl+Z and `fg` in a shell with job control, and a closed terminal. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { heldModels } from "../held-models.ts";
import { showProgram } from "./shown-program.ts";
import { builtProgram } from "../built-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-suspended-"));
  mkdirSync(join(folder, "sessions/mine"), { recursive: true });
  writeFileSync(
    join(folder, "sessions/mine/session.md"),
    "```run main\nsuite: appbench\nsplit: all\ndata: sample\nprompting: flat\nmodel: held/oracle\n```\n",
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const starts: Readonly<Record<string, () => string>> = {
  "on its own": () => `"${process.execPath}" "${builtProgram()}" mine`,
  "under npm start": () => `cd "${resolve(".")}"; npm start --silent -- "${join(folder, "sessions/mine")}"`,
};

/** Types the command that starts the program into a shell. */
async function typedIntoShell(command: string) {
  const shell = ["bash", "--norc", "-i"] as const;
  const screen = showProgram({ args: [], folder, columns: 90, rows: 24, shell, env: { PS1: "shell> " } });
  await screen.waitFor(/shell> $/m);
  screen.type(`${command}\r`);
  await screen.waitFor(/run main[\s\S]* 0\/31/);
  return screen;
}

describe.skipIf(!existsSync("/bin/bash")).each(Object.entries(starts))(
  "the program started by a shell: %s",
  (_how, command) => {
    test("restores the terminal for the shell on Ctrl+Z, and fg restores screen and keys", async () => {
      await using _models = await heldModels(folder);
      const screen = await typedIntoShell(command());
      screen.type("\u001a");
      await screen.waitFor(/Stopped/);
      expect(screen.written().lastIndexOf("\u001b[?1049l")).toBeGreaterThan(
        screen.written().lastIndexOf("\u001b[?1049h"),
      );
      screen.type("echo $((6 * 7))\r");
      await screen.waitFor(/^42$/m);
      screen.type("fg\r");
      await screen.waitFor(/notebook[\s\S]*run main[\s\S]* 0\/31/);
      screen.type("mA thought\u001b");
      await screen.waitFor(/▌ A thought[\s\S]*b add/);
      screen.type("sq");
      await screen.waitFor(/Session: .*\n[\s\S]*shell> $/m);
      screen.type("exit\r");
      await screen.ended;
      expect(readFileSync(join(folder, "sessions/mine/session.md"), "utf8")).toContain("A thought");
    });

    test("can be suspended and resumed during a run, and the run is executed to its end", async () => {
      await using models = await heldModels(folder);
      const screen = await typedIntoShell(command());
      screen.type("r");
      models.reply(3);
      await screen.waitFor(/\b3\/31/);
      screen.type("\u001a");
      await screen.waitFor(/Stopped/);
      screen.type("echo $((6 * 7))\r");
      await screen.waitFor(/^42$/m);
      models.reply();
      screen.type("fg\r");
      await screen.waitFor(/✓ done .*31\/31/);
      screen.type("q");
      await screen.waitFor(/done; 31 right, 0 wrong, 0 failed of 31[\s\S]*shell> $/m);
      screen.type("exit\r");
      await screen.ended;
    });
  },
);

test("closing the terminal during a run records the run as stopped and unlocks the session", async () => {
  await using models = await heldModels(folder);
  const screen = showProgram({ args: ["mine"], folder, columns: 90, rows: 24 });
  await screen.waitFor(/\b0\/31/);
  screen.type("r");
  models.reply(3);
  await screen.waitFor(/\b3\/31/);
  screen.hangUp();
  await screen.ended;
  const runs = join(folder, "sessions/mine/runs");
  const log = readFileSync(join(runs, readdirSync(runs)[0]!, "events.jsonl"), "utf8").trimEnd();
  expect(log.slice(log.lastIndexOf("\n"))).toContain('"reason":"stopped"');
  expect(existsSync(join(folder, "sessions/mine/session.lock"))).toBe(false);
});
