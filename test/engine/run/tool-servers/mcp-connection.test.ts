import { describe, expect, test, vi } from "vitest";
import { connectTo } from "../../../../source/engine/run/tool-servers/mcp-connection.ts";
import { ToolServers } from "../../../../source/engine/run/tool-servers/tool-servers.ts";
import { emptySettings } from "../../../../source/engine/settings/settings.ts";
import type { ToolServer } from "../../../../source/engine/settings/user-program.ts";
import type { Json, RunSpec, Task } from "../../../../source/engine/types.ts";
import { machineClock } from "../../../../source/engine/work/clock.ts";
import { until } from "../../../until.ts";
import { toyTools } from "./toy-tools.ts";

const place = { clock: machineClock };
const { signal } = new AbortController();
const call = (name: string, given: Json = {}) => ({ id: "1", name, text: JSON.stringify(given), arguments: given });

describe("a tool server that Planwright starts", () => {
  test("reports its name and its tools, and a call returns text", async () => {
    const toys = toyTools();
    const connection = await connectTo(toys.server, place, signal);
    expect(connection.reported).toMatchObject({ name: "toy", version: "1.0", tools: 11 });
    expect(connection.description).toBe("toy: Toys.");
    expect(connection.tools[0]).toMatchObject({ name: "add", parameters: { required: ["a", "b"] } });
    expect(await connection.call(call("add", { a: 2, b: 3 }), signal)).toEqual({
      ok: true,
      observation: "5",
      status: "ok",
    });
    await connection.close();
    expect(toys.living()).toEqual([]);
  });

  test("is ended with all its child processes, even if they ignore signals", async () => {
    const toys = toyTools();
    const connection = await connectTo(toys.server, place, signal);
    await connection.call(call("multiply"), signal);
    await connection.call(call("cling"), signal);
    expect(toys.living()).toHaveLength(2);
    await connection.close();
    await toys.gone();
  });

  test("returns a failed call for a model's mistake or for its own error, and fails the task if it is silent", async () => {
    const server = { ...toyTools().server };
    const connection = await connectTo(server, place, signal);
    const failed = async (name: string, given?: Json) => {
      const { ok, observation } = await connection.call(call(name, given), signal);
      return [ok, observation];
    };
    expect(await failed("add", [1])).toEqual([false, "Expected the arguments to be a JSON object"]);
    expect(await failed("fail")).toEqual([false, expect.stringContaining("out of order")]);
    const silent = {
      kind: "tool",
      message: expect.stringMatching(/^The tool server `.*` did not answer within 1 second$/),
    };
    // Only for the call that is never answered: a busy machine may take longer for the other calls.
    server.seconds = 1;
    await expect(failed("wait")).rejects.toMatchObject(silent);
    await connection.close();
  });

  test("is reported in one sentence if its reply violates the protocol", async () => {
    const program = `const tools = [{ name: "odd", inputSchema: { type: "object" } }];
      const serverInfo = { name: "odd", version: "1" };
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params } = JSON.parse(line);
        const began = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
        const result = { initialize: began, "tools/list": { tools }, "tools/call": { content: 3 } }[method];
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });`;
    const toys = toyTools({ command: [process.execPath, "-e", program] });
    const connection = await connectTo(toys.server, place, signal);
    await expect(connection.call(call("odd"), signal)).rejects.toMatchObject({
      kind: "tool",
      message: expect.stringMatching(/^The tool server `toys` violates the protocol: `content`: Invalid input[^{\n]*$/),
    });
    await connection.close();
  });

  test.each([
    ["crash", "The tool server `toys` has ended: the program ended with status 7"],
    ["endless", "The tool server `toys` has ended: the program wrote a line of more than 10 MB"],
  ])("is a failure of the environment if it ends during a call (%s)", async (name, message) => {
    const toys = toyTools();
    const connection = await connectTo(toys.server, place, signal);
    await expect(connection.call(call(name), signal)).rejects.toMatchObject({ kind: "tool", message });
    await toys.gone();
  });

  test("is ended if it uses too much memory", async () => {
    const toys = toyTools({ megabytes: 1 });
    const waiting = async () => (await connectTo(toys.server, place, signal)).call(call("wait"), signal);
    await expect(waiting()).rejects.toThrow("the program used more than 1 MB of memory");
    // A busy machine may end it before it could record its start.
    await until(() => expect(toys.living()).toEqual([]));
  });

  test("gets only the given environment variables, and the values are never shown", async () => {
    vi.stubEnv("TOY_KEY", "sesame-open-now");
    vi.stubEnv("OTHER_KEY", "not-for-you");
    const toys = toyTools({ environment: { KEY: "TOY_KEY" } });
    const connection = await connectTo(toys.server, place, signal);
    const { observation } = await connection.call(call("environment"), signal);
    expect(JSON.parse(observation)).toMatchObject({ KEY: "[key]", PATH: process.env["PATH"] });
    expect(observation).not.toContain("not-for-you");
    await connection.close();
    vi.unstubAllEnvs();
    await expect(connectTo(toys.server, place, signal)).rejects.toThrow(
      "Expected a value for `toys` in the environment variable `TOY_KEY`, found none",
    );
  });

  test("has long results truncated to a length that models can use", async () => {
    const toys = toyTools();
    const connection = await connectTo(toys.server, place, signal);
    const { observation } = await connection.call(call("long"), signal);
    expect(observation).toMatch(/^x{20000}\n\(cut: 100000 characters in all\)$/);
    await connection.close();
  });

  test.each([
    [["/nowhere/at-all"], "`toys` could not be started: `/nowhere/at-all` in"],
    [
      [process.execPath, "-e", "console.error('no licence'); process.exit(3)"],
      "the program ended with status 3: no licence",
    ],
    [[process.execPath, "-e", "console.log('hello')"], "the program ended with status 0"],
    // Node ends its message with its version.
    [[process.execPath, "-e", "throw new RangeError('no such port')"], "status 1: RangeError: no such port"],
  ])("gives the reason if it cannot be started: %j", async (command, message) => {
    await expect(connectTo(toyTools({ command }).server, place, signal)).rejects.toThrow(message);
  });
});

describe("the tool servers of a session", () => {
  const task = { id: "1" } as Task;
  const spec = {} as RunSpec;
  const open = (server: ToolServer) =>
    new ToolServers(
      () => ({ ...emptySettings, toolServers: [server] }),
      place,
      () => {},
    );

  test("are started for each episode, or once for all episodes if configured so", async () => {
    for (const kept of [undefined, true] as const) {
      const toys = toyTools(kept && { kept });
      const servers = open(await toys.reported());
      const [one, two] = await Promise.all([
        servers.open("toys", task, spec, signal),
        servers.open("toys", task, spec, signal),
      ]);
      expect(toys.living()).toHaveLength(kept === true ? 1 : 2);
      await one.close();
      await two.close();
      expect(toys.living()).toHaveLength(kept === true ? 1 : 0);
      await servers.close();
      await toys.gone();
    }
  });

  test("are restarted for the next task if a shared server has ended", async () => {
    const toys = toyTools({ kept: true });
    const servers = open(await toys.reported());
    const source = await servers.open("toys", task, spec, signal);
    await expect(source.call(call("crash"), signal)).rejects.toThrow("has ended");
    const again = await servers.open("toys", task, spec, signal);
    expect(await again.call(call("repeat", { text: "here" }), signal)).toMatchObject({ observation: "here" });
    await servers.close();
    await toys.gone();
  });

  test("are not called if a server changed after its test, or is not allowed", async () => {
    const toys = toyTools();
    const tested = await toys.reported();
    const servers = open({ ...tested, command: [...tested.command!, "2.0"] });
    await expect(servers.open("toys", task, spec, signal)).rejects.toThrow("has changed since its last test");
    await toys.gone();
    const forbidden = new ToolServers(
      () => ({ ...emptySettings, toolServers: [tested] }),
      place,
      () => {
        throw new Error("not allowed");
      },
    );
    await expect(forbidden.open("toys", task, spec, signal)).rejects.toThrow("not allowed");
  });

  test("do not delay the end of a task that is stopped", async () => {
    const command = [process.execPath, "-e", "process.stdin.resume()"];
    const toys = toyTools({ command });
    const stop = new AbortController();
    const reported = { name: "", version: "", tools: 0, tokens: 0, hash: "" };
    const opening = open({ ...toys.server, reported }).open("toys", task, spec, stop.signal);
    const failing = expect(opening).rejects.toThrow("stopped here");
    await until(() => undefined);
    stop.abort(new Error("stopped here"));
    await failing;
  });
});
