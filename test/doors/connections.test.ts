/** Nothing that lies in a session decides to whom the program talks. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { showProgram } from "../stories/shown-program.ts";
import { ForeignSession, hostileParts } from "./foreign-session.ts";
import { listeningStranger } from "./listening-stranger.ts";
import { started } from "./started-program.ts";

const hook = join(import.meta.dirname, "counted-connections.ts");

/** All that programs started with `env` connect to but sockets of sessions. */
function counted(folder: string) {
  const path = join(folder, "connections.txt");
  const env = {
    NODE_OPTIONS: `--import ${hook}`,
    PLANWRIGHT_TEST_CONNECTIONS: path,
    PLANWRIGHT_REDIS_PASSWORD: "open-sesame",
  };
  const all = () => (existsSync(path) ? readFileSync(path, "utf8").split("\n") : []).filter((line) => line !== "");
  const ownSocket = /^socket .*\/planwright-\d+\/[0-9a-f]{24}\.sock$/;
  return { env, elsewhere: () => all().filter((line) => !ownSocket.test(line)) };
}

const commands: readonly (readonly string[])[] = [
  ["run", "theirs"],
  ["run", "theirs", "--rescore", "--json"],
  ["check", "theirs"],
  ["export", "theirs", "--rows", "csv,jsonl", "--report", "report.html"],
  ["runs", "theirs"],
  ["ctl", "theirs", "status", "--json"],
  ["completion", "words", "--", "run", "theirs", "--cells", ""],
];

describe("a session of somebody else's", () => {
  test.each(hostileParts)("opens no connection if its %s are hostile", async (part) => {
    await using stranger = await listeningStranger();
    using session = await ForeignSession.made(stranger.url);
    session.poison(part, stranger.url);
    const { env, elsewhere } = counted(session.folder);
    for (const args of commands) {
      await started(session.folder, args, env);
      expect({ args, connections: elsewhere() }).toEqual({ args, connections: [] });
    }
    session.giveAway(stranger.url);
    const screen = showProgram({ args: ["theirs"], folder: session.folder, env });
    await screen.waitFor(/run fresh/);
    screen.type("qy");
    await screen.ended;
    expect({ connections: elsewhere(), sent: stranger.bytes() }).toEqual({ connections: [], sent: 0 });
  });

  test("is counted by a hook that sees a connection", async () => {
    await using stranger = await listeningStranger();
    using session = await ForeignSession.made(stranger.url);
    const { env, elsewhere } = counted(session.folder);
    await started(session.folder, ["workers", stranger.url], env);
    expect(elsewhere()).toContain(stranger.url.slice("redis://".length));
  });
});
