import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { isSession, namedPath, sessionNames } from "../../source/commands/session/open-session.ts";
import { runProgram } from "../documented-commands.ts";
import { showProgram } from "../stories/shown-program.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

describe("planwright new", () => {
  test("creates a notebook and prints its path", async () => {
    const path = at("mine");
    expect(await typed("new", path)).toEqual({ status: 0, out: `${path}/session.md\n`, err: "" });
    expect(readFileSync(at("mine", "session.md"), "utf8")).toBe("# mine\n");
    expect((await typed("run", path)).status).toBe(0);
  });

  test("leaves an existing notebook unchanged", async () => {
    mkdirSync(at("mine"));
    writeFileSync(at("mine", "session.md"), "# Work of weeks\n");
    const { status, err } = await typed("new", at("mine"));
    expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining("already") });
    expect(readFileSync(at("mine", "session.md"), "utf8")).toBe("# Work of weeks\n");
  });

  test("puts a new notebook of a clone into a folder of its own, and finds the new notebook before the committed notebooks", async () => {
    const name = `welcome-${process.pid}`;
    const path = join("notebooks", name);
    try {
      expect(await typed("new", name)).toMatchObject({ status: 0, out: `${resolve(path)}/session.md\n` });
      expect(spawnSync("git", ["check-ignore", "-q", `${path}/session.md`]).status).toBe(0);
      expect(sessionNames()).toEqual(expect.arrayContaining([name, "welcome"]));
      expect(isSession(name)).toBe(true);
      expect(namedPath("welcome")).toBe(join("sessions", "welcome"));
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });

  test.each([[[]], [["a", "b"]], [[""]]])("expects one name, and rejects %j", async (names) => {
    expect(await typed("new", ...names)).toMatchObject({ status: 2, err: expect.stringContaining("Expected") });
  });
});

describe("a mistyped command", () => {
  test.each([
    [["exprot"], "`export`"],
    [["exprot", "sessions/welcome", "--format", "csv"], "`export`"],
    [["welcom"], "`welcome`"],
    [["endpiont", "list"], "`endpoint`"],
    [["welcome", "--asci"], "`--ascii`"],
  ])("gets a suggestion and status 2: %j", async (args, meant) => {
    const { status, err } = await typed(...args);
    expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining(`did you mean ${meant}?`) });
  });

  test("creates no notebook in a terminal, unlike the same word after `new`", async () => {
    mkdirSync(at("home"));
    const mistyped = showProgram({ args: ["exprot"], folder: at("home"), columns: 200 });
    await mistyped.waitFor(/did you mean `export`\?.*`planwright new exprot` creates a session/);
    expect(await mistyped.ended).toBe(2);
    expect(existsSync(at("home", "sessions"))).toBe(false);

    const meant = showProgram({ args: ["new", "exprot", "--ascii"], folder: at("home") });
    await meant.waitFor(/exprot/);
    meant.type("q");
    expect(await meant.ended).toBe(0);
    expect(readFileSync(at("home", "sessions", "exprot", "session.md"), "utf8")).toBe("# exprot\n");
  });

  test.each([
    "exprot mine",
    "./exprot",
    "run exprot",
    "run welcome --jsno",
    "run welcome --cells nobody",
    "run welcome --set modle=builtin/oracle",
    "run welcome --require sucess>=0.8",
    "run welcome --allow nobody",
    "export welcome --format cvs",
    "export welcome --cells nobody",
    "score appbench --predictions none.jsonl --into fresh",
    "import inspect none.eval --into fresh",
    "init siute",
    "data add appbench --form .",
  ])("writes nothing: %s", async (line) => {
    mkdirSync(at("home"));
    const { status, err } = await runProgram(line.split(" "), at("home"));
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining("planwright: ") });
    expect(readdirSync(at("home")).filter((name) => name !== "settings")).toEqual([]);
  });
});
