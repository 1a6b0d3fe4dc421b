/** A tool server at a URL, from the command that adds it to the runs that use it: a real one, over HTTP. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { connectTo } from "../../source/engine/run/tool-servers/mcp-connection.ts";
import { machineClock } from "../../source/engine/work/clock.ts";
import { addressedToys } from "../engine/run/tool-servers/addressed-toys.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

const tasks = Array.from({ length: 20 }, (_, index) => ({ question: `What is ${index} + 1?`, answer: index + 1 }));

function session(): string {
  mkdirSync(at("s"), { recursive: true });
  writeFileSync(at("s", "tasks.jsonl"), tasks.map((task) => `${JSON.stringify(task)}\n`).join(""));
  const cell = "suite: mcp\ntools: [far]\nmodel: builtin/oracle\nstrategy: react";
  writeFileSync(at("s", "session.md"), `# Mine\n\n\`\`\`run main\n${cell}\n\`\`\`\n`);
  return at("s");
}

describe("a tool server at a URL", () => {
  test("is added with its description, answers twenty tasks after permission, and all clients disconnect", async () => {
    const toys = await addressedToys();
    vi.stubEnv("FAR_KEY", "sesame-open-now");
    const added = await typed("tools", "add", "far", "--url", toys.url, "--headers", "Authorization=FAR_KEY");
    expect(added).toMatchObject({ status: 0, err: "" });
    expect(added.out).toMatch(/^far: far-toys 2\.0, 2 tools\n {2}clock: Says the time\n/);
    expect(readFileSync(at("settings", "settings.json"), "utf8")).not.toContain("sesame");

    const folder = session();
    const refused = await typed("run", folder);
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining("--allow far") });
    const { out, status } = await typed("run", folder, "--allow", "far");
    expect(status).toBe(0);
    expect(out).toContain("20 right, 0 wrong, 0 failed of 20");
    expect(out).not.toContain("sesame");
    // The first session requests the report, and each task has its own.
    expect(toys.sessions()).toEqual({ begun: 21, open: 0 });
    expect(toys.authorizations).toEqual(new Set(["sesame-open-now"]));
  });

  test("has its results truncated at the allowed length, and counts as a failure of the environment if it is unreachable", async () => {
    const toys = await addressedToys();
    const { signal } = new AbortController();
    const server = { name: "far", url: toys.url, folder: at(), seconds: 60, megabytes: 4000 };
    const connection = await connectTo(server, { clock: machineClock }, signal);
    const call = (name: string) => connection.call({ id: "1", name, text: "{}", arguments: {} }, signal);
    expect(await call("clock")).toMatchObject({ ok: true, observation: "noon" });
    const tooLong = "The tool server `far` has ended: the server sent a reply of more than 10 MB";
    await expect(call("long")).rejects.toMatchObject({ kind: "tool", message: tooLong });
    await connection.close();
    const again = await connectTo(server, { clock: machineClock }, signal);
    await toys.stop();
    const asked = again.call({ id: "2", name: "clock", text: "{}", arguments: {} }, signal);
    await expect(asked).rejects.toMatchObject({ kind: "tool", message: expect.stringContaining("`far` could not be") });
    await again.close();
  });
});
