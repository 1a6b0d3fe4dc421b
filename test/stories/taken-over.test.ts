/** A notebook is suspended during a run, taken over by a command, and resumed; it writes nothing more. */
import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { typed } from "../commands/typed.ts";
import { until } from "../until.ts";
import { heldModels } from "../held-models.ts";
import { showProgram } from "./shown-program.ts";
import { builtProgram } from "../built-program.ts";

let folder: string;
let session: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-taken-over-"));
  session = join(folder, "sessions/mine");
  mkdirSync(session, { recursive: true });
  writeFileSync(
    join(session, "session.md"),
    "```run main\nsuite: appbench\nsplit: all\ndata: sample\nprompting: flat\nmodel: held/oracle\n```\n",
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a command; resolves to its status and output. */
async function planwright(...args: readonly string[]) {
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
  const ended = promisify(execFile)(process.execPath, [builtProgram(), ...args], { cwd: folder, env });
  type Failed = { readonly code: number; readonly stdout: string; readonly stderr: string };
  return ended.then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Failed) => ({ status: code, stdout, stderr }),
  );
}

/** Returns the contents of every file of the session by path. */
function contents(): ReadonlyMap<string, string> {
  const paths = readdirSync(session, { recursive: true, encoding: "utf8" });
  return new Map(
    paths.flatMap((path) =>
      statSync(join(session, path)).isFile() ? [[path, readFileSync(join(session, path), "latin1")]] : [],
    ),
  );
}

describe("a notebook that is suspended while it holds a session", () => {
  it("loses its session to --take-over after a minute without a heartbeat, and writes nothing after it is resumed", async () => {
    await using models = await heldModels(folder);
    const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 30 });
    await screen.waitFor(/run main/);
    screen.type("r");
    models.reply(3);
    await screen.waitFor(/\b3\/31/);
    // One unsaved change, and one text being typed.
    screen.type("mWords of the notebook");
    await screen.waitFor(/Words of the notebook/);
    process.kill(screen.pid, "SIGSTOP");
    models.reply();

    const lately = await planwright("run", "mine", "--take-over");
    expect(lately.status).toBe(2);
    expect(lately.stderr).toMatch(/takes it only from a program that has not answered for 1 min/);
    const then = Date.now() / 1000 - 200;
    utimesSync(join(session, "session.lock"), then, then);
    const refused = await planwright("run", "mine");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(
      /process \d+\) has this session open, but has not answered for 3 min: `--take-over` takes the session from it/,
    );
    expect((await planwright("run", "mine", "--take-over")).status).toBe(0);

    const before = contents();
    process.kill(screen.pid, "SIGCONT");
    await screen.waitFor(/read-only/);
    screen.type("\u001bsr");
    await screen.waitFor(/taken by somebody: nothing more is written/);
    screen.type("\u0003\u0003");
    await screen.ended;
    expect(contents()).toEqual(before);
    const status = await planwright("ctl", "mine", "status", "--json");
    expect(JSON.parse(status.stdout)).toMatchObject({ runs: [{ status: "done", counts: { right: 31 } }] });
  });

  it("keeps the new holder's socket in place", async () => {
    await using models = await heldModels(folder);
    const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 30 });
    await screen.waitFor(/run main/);
    screen.type("r");
    await until(() => expect(models.waiting()).toBe(4));
    process.kill(screen.pid, "SIGSTOP");
    utimesSync(join(session, "session.lock"), 0, 0);
    const next = planwright("run", "mine", "--take-over");
    vi.stubEnv("PLANWRIGHT_CONFIG_DIR", join(folder, "settings"));
    // In this process, because it is repeated until the answer changes.
    const told = async () => JSON.parse((await typed("ctl", session, "status", "--json")).out) as unknown;
    const runs = { process: expect.any(Number), runs: [{ status: "running" }] };
    await until(async () => expect(await told()).toMatchObject(runs));
    process.kill(screen.pid, "SIGCONT");
    await screen.waitFor(/read-only/);
    screen.type("\u0003\u0003");
    await screen.ended;
    expect(await told()).toMatchObject(runs);
    models.reply();
    expect((await next).status).toBe(0);
  });
});

it.skipIf(!existsSync("/proc/self/stat"))(
  "a session whose holder was killed opens immediately, although its parent has not reaped it",
  async () => {
    await using models = await heldModels(folder);
    const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
    // `sleep` replaces the shell and does not wait for children, as in a container without an init process.
    const start = `"${process.execPath}" "${builtProgram()}" run mine 2>&1 >/dev/null & echo $!; exec sleep 1000`;
    const parent = spawn("sh", ["-c", start], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const pid = Number((await createInterface(parent.stdout)[Symbol.asyncIterator]().next()).value);
    models.reply(3);
    await until(() => expect(models.waiting()).toBe(4));
    process.kill(pid, "SIGKILL");
    await until(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /));
    models.reply();
    expect(await planwright("run", "mine")).toMatchObject({ status: 0 });
  },
);

it("a copy of a session's folder opens immediately while the original is open", async () => {
  await using models = await heldModels(folder);
  const screen = showProgram({ args: ["mine"], folder, columns: 100, rows: 30 });
  await screen.waitFor(/run main/);
  cpSync(session, join(folder, "sessions/copy"), { recursive: true });
  models.reply();
  expect(await planwright("run", "copy")).toMatchObject({ status: 0 });
  expect((await planwright("run", "mine")).status).toBe(2);
  screen.type("q");
  expect(await screen.ended).toBe(0);
});
