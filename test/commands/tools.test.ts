import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { toyTools } from "../engine/run/tool-servers/toy-tools.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

const settings = () => readFileSync(at("settings", "settings.json"), "utf8");

function session(cell: string): string {
  mkdirSync(at("s"), { recursive: true });
  writeFileSync(at("s", "tasks.jsonl"), '{"question":"Six?","answer":6}\n');
  writeFileSync(at("s", "session.md"), `# Mine\n\n\`\`\`run main\n${cell}\n\`\`\`\n`);
  return at("s");
}

describe("planwright tools", () => {
  test("adds a server with its description, lists the server, and removes it together with its permission", async () => {
    const toys = toyTools();
    const added = await typed("tools", "add", "toys", "--seconds", "9", "--", ...toys.server.command!);
    expect(added).toMatchObject({ status: 0, err: "" });
    expect(added.out).toMatch(/^toys: toy 1\.0, 11 tools\n {2}add: Does add\n/);
    await toys.gone();
    const { out } = await typed("tools", "list");
    expect(out).toContain("at most 9 s and 4000 MB\n  toy 1.0, 11 tools\n");
    expect(JSON.parse((await typed("tools", "list", "--json")).out)).toMatchObject([{ name: "toys", seconds: 9 }]);
    expect((await typed("tools", "add", "toys", "--", "other")).err).toContain("replace it with `--replace`");

    const folder = session("suite: mcp\ntools: [toys]\nmodel: builtin/oracle");
    const refused = await typed("run", folder);
    expect(refused.status).toBe(1);
    expect(refused.err).toContain("or add `--allow toys`");
    expect(refused.out).toContain("builtin/oracle: ready");
    const mistyped = await typed("run", folder, "--allow", "tois");
    expect(mistyped.status).toBe(2);
    expect(mistyped.err).toContain("to name one of your tool servers, agents or processes (toys), got `tois`");
    const allowed = await typed("run", folder, "--allow", "toys");
    expect(allowed).toMatchObject({ status: 0 });
    expect(allowed.out).toContain("1 right, 0 wrong, 0 failed of 1");
    expect(allowed.out).toContain("your own questions");
    expect(settings()).toContain('"allowed"');
    expect(await typed("tools", "remove", "toys")).toMatchObject({ status: 0, out: "Removed toys\n" });
    expect(JSON.parse(settings())).toMatchObject({ toolServers: [], allowed: {} });
    await toys.gone();
  });

  test("rejects a changed server until it is tested again, after which the runs of the server have other ids", async () => {
    const toys = toyTools();
    writeFileSync(at("version"), "1.0");
    const start =
      'require("node:child_process").spawn(process.execPath, [...process.argv.slice(1), require("node:fs").readFileSync(process.env.VERSION, "utf8")], { stdio: "inherit" })';
    vi.stubEnv("VERSION", at("version"));
    const [node, ...program] = toys.server.command!;
    await typed("tools", "add", "toys", "--env", "VERSION", "--", node!, "-e", start, ...program);
    const folder = session("suite: mcp\ntools: [toys]\nmodel: builtin/oracle");
    const run = async () => JSON.parse((await typed("run", folder, "--allow", "toys", "--json")).out).cells[1].runs[0];
    const before = await run();
    expect(before.counts).toMatchObject({ right: 1, failed: 0 });
    writeFileSync(at("version"), "2.0");
    writeFileSync(at("s", "tasks.jsonl"), '{"question":"Seven?","answer":7}\n');
    expect((await run()).failure.message).toContain("has changed since its last test");
    expect((await typed("tools", "test", "toys")).out).toContain("toys: toy 2.0");
    writeFileSync(at("s", "tasks.jsonl"), '{"question":"Six?","answer":6}\n');
    const after = await run();
    expect(after.counts).toMatchObject({ right: 1, failed: 0 });
    expect(after.run).not.toBe(before.run);
    await toys.gone();
  });

  test.each([
    [["add", "toys"], "Expected `--url URL` or a command after `--`, got both or neither"],
    [["add", "toys", "--url", "http://x.example", "--", "a"], "got both or neither"],
    [["add", "toys", "--url", "ftp://x"], "an http or https URL"],
    [["add", "text", "--", "a"], "a name other than native, text, auto"],
    [["add", "toys", "--"], "Expected a command after `--`, got none"],
    [["add", "toys", "--", "a", "--key=sk-abcdefghijklmnop123456"], "Expected the command to be without keys"],
    [["add", "toys", "--env", "sk-abcdefghijklmnop123456", "--", "a"], "Expected `--env` to be without keys"],
    [["test", "toys"], "Expected a tool server (there are none yet), got `toys`"],
    [["remove"], "Expected `tools remove NAME`, got no name"],
    [["start", "toys"], "Expected add, list, test or remove, got `start toys`"],
  ])("rejects %j: %s", async (args, message) => {
    const { status, err } = await typed("tools", ...args);
    expect(status).toBe(2);
    expect(err).toContain(message);
    expect(err).not.toContain("abcdefghijklmnop");
  });

  test("does not add a server that cannot be started, and passes a --help that follows -- to the server", async () => {
    const { status, err } = await typed("tools", "add", "toys", "--", "/nowhere/at-all", "--help");
    expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining("`toys` could not be started") });
    expect((await typed("tools", "list")).out).toContain("No tool servers yet");
  });
});
