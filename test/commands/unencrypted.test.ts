/** The password of a Redis on another machine: without the user's consent no command connects to it unencrypted. */
import { mkdirSync, writeFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { listeningStranger } from "../doors/listening-stranger.ts";
import { temporaryFolder, typed } from "./typed.ts";
import { builtProgram } from "../built-program.ts";

// The hash of the program is computed once per process, and equals the build's.
beforeAll(() => void builtProgram());

const at = temporaryFolder();
beforeEach(() => {
  vi.stubEnv("PLANWRIGHT_REDIS_PASSWORD", "open-sesame");
  mkdirSync(at("s"));
  writeFileSync(
    at("s", "session.md"),
    "```run main\nsuite: appbench\nsplit: ss\nlimit: 2\nmodel: builtin/oracle\n```\n",
  );
});

/** This machine under an address that is not a loopback address, so the program takes it for another machine. */
const elsewhere = (url: string) => url.replace("127.0.0.1", "0.0.0.0");

const commands: Readonly<Record<string, (url: string) => readonly string[]>> = {
  worker: (url) => ["worker", url],
  workers: (url) => ["workers", url],
  run: (url) => ["run", at("s"), "--workers", url],
};

describe.each(Object.entries(commands))("planwright %s with an unencrypted Redis", (_, argsOf) => {
  test("ends with status 2 before connecting, and connects in later calls after permission", async () => {
    await using server = await listeningStranger();
    const url = elsewhere(server.url);
    const refused = await typed(...argsOf(url));
    expect([refused.status, server.connections()]).toEqual([2, 0]);
    expect(refused.err).toMatch(
      /^planwright: PLANWRIGHT_REDIS_PASSWORD would be sent to 0\.0\.0\.0:\d+ unencrypted over the network: .*--allow redis:/,
    );
    const other = await typed(...argsOf(url), "--allow", "redis://lab:6379");
    expect([other.status, server.connections()]).toEqual([2, 0]);
    await typed(...argsOf(url), "--allow", `${url}/0`);
    const connections = server.connections();
    expect(connections).toBeGreaterThan(0);
    expect((await openSettings()).read().unencrypted).toEqual([url]);
    await typed(...argsOf(url));
    expect(server.connections()).toBeGreaterThan(connections);
  });

  test("needs no permission for an encrypted connection", async () => {
    await using server = await listeningStranger();
    await typed(...argsOf(elsewhere(server.url).replace("redis:", "rediss:")));
    expect(server.connections()).toBeGreaterThan(0);
  });
});

test.each(["worker", "workers"])("planwright %s rejects --allow with anything but an address", async (command) => {
  const { status, err } = await typed(command, "redis://127.0.0.1:1", "--allow", "airline");
  expect([status, err]).toEqual([
    2,
    expect.stringContaining(
      "Expected `--allow` to be the address of a Redis server, such as redis://HOST:6379, got `airline`",
    ),
  ]);
});

test("--allow accepts an address or one of the user's tools", async () => {
  expect((await typed("run", at("s"), "--allow", "redis://")).err).toContain("Expected the address of a Redis server");
  expect((await typed("run", at("s"), "--allow", "lab")).err).toContain(
    "Expected `--allow` to name one of your tool servers, agents or processes (there are none yet), got `lab`",
  );
});
