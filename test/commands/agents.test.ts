import { describe, expect, test } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

temporaryFolder();

describe("planwright agents", () => {
  test("adds an agent with its command, lists it and removes it", async () => {
    const added = await typed(
      "agents",
      "add",
      "mine",
      "--keep",
      "--env",
      "LAB_KEY",
      "--",
      "python3",
      "agent.py",
      "--help",
    );
    expect(added).toMatchObject({ status: 0, err: "" });
    expect(added.out).toContain("Added mine  python3 agent.py --help");
    expect(added.out).toContain("variable LAB_KEY · one process for all tasks · at most 600 s and 4000 MB");
    const agent = {
      name: "mine",
      command: ["python3", "agent.py", "--help"],
      folder: process.cwd(),
      environment: { LAB_KEY: "LAB_KEY" },
      kept: true,
      seconds: 600,
      megabytes: 4000,
    };
    expect(JSON.parse((await typed("agents", "list", "--json")).out)).toEqual([agent]);
    expect((await typed("agents", "add", "mine", "--", "other")).err).toContain("replace it with `--replace`");
    expect((await typed("agents", "add", "mine", "--replace", "--", "other")).status).toBe(0);
    expect((await typed("agents", "list")).out).toMatch(/^mine {2}other · in /);
    expect(await typed("agents", "remove", "mine")).toMatchObject({ status: 0, out: "Removed mine\n" });
    expect((await typed("agents", "list")).out).toContain("No agents yet");
  });

  test.each([
    [["add", "mine"], "Expected a command after `--`, got none"],
    [["add", "a b", "--", "x"], "letters, digits and dashes"],
    [["add", "mine", "--", "x", "hf_abcdefghijklmnop123456"], "Expected the command to be without keys"],
    [["remove", "mine"], "Expected an agent (there are none yet), got `mine`"],
    [["test", "mine"], "Expected add, list or remove, got `test mine`"],
  ])("rejects %j: %s", async (args, message) => {
    const { status, err } = await typed("agents", ...args);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) });
  });
});
