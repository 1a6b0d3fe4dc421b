/** No file in a session decides which servers the program connects to. */
import { describe, expect, test } from "vitest";
import { showProgram } from "../stories/shown-program.ts";
import { countedConnections, sessionCommands } from "./counted-program.ts";
import { ForeignSession, hostileParts } from "./foreign-session.ts";
import { listeningStranger } from "./listening-stranger.ts";
import { started } from "./started-program.ts";

describe("a session from another user", () => {
  test.each(hostileParts)("opens no connection if the %s contain hostile text", async (part) => {
    await using stranger = await listeningStranger();
    using session = await ForeignSession.made(stranger.url);
    session.poison(part, stranger.url);
    const { env, elsewhere } = countedConnections(session.folder);
    for (const args of sessionCommands) {
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

  test.each([
    ["sees a connection", false],
    ["denies a connection", true],
  ])("has each connection recorded by a hook that %s", async (_, denied) => {
    await using stranger = await listeningStranger();
    using session = await ForeignSession.made(stranger.url);
    const { env, elsewhere } = countedConnections(session.folder, denied);
    await started(session.folder, ["workers", stranger.url], env);
    expect(elsewhere()).toContain(stranger.url.slice("redis://".length));
    expect(stranger.connections() > 0).toBe(!denied);
  });
});
