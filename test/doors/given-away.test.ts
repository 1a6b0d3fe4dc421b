/** A run whose files claim that workers have it, at an address that the user never named. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { showProgram } from "../stories/shown-program.ts";
import { until } from "../until.ts";
import { ForeignSession } from "./foreign-session.ts";
import { listeningStranger } from "./listening-stranger.ts";
import { started } from "./started-program.ts";

const env = { PLANWRIGHT_REDIS_PASSWORD: "open-sesame" };
const notAmongYours = "tasks were given to workers at an address that your settings do not name";

describe("a run that was given to workers at the address of another user", () => {
  const ways: Readonly<Record<string, readonly string[]>> = {
    "planwright S without a terminal": ["theirs"],
    run: ["run", "theirs"],
    "run --rescore": ["run", "theirs", "--rescore"],
    "run --detach": ["run", "theirs", "--detach"],
    ctl: ["ctl", "theirs", "status"],
  };
  test.each(Object.entries(ways))("sends nothing to that address with %s", async (_, args) => {
    await using stranger = await listeningStranger();
    using session = await ForeignSession.made(stranger.url);
    const { status, out, err } = await started(session.folder, args, env);
    // A detached program may run for a moment longer.
    await until(() => expect(readdirSync(session.path)).not.toContain("session.lock"));
    expect([stranger.connections(), stranger.bytes()]).toEqual([0, 0]);
    expect(out + err).toContain(notAmongYours);
    expect(status).toBe(args[0] === "ctl" ? 0 : 1);
    expect(session.read(`runs/${session.runs[0]}/events.jsonl`).match(/"type":"started"/g)).toHaveLength(3);
  });

  test("sends nothing to that address when the notebook is opened in a terminal", async () => {
    await using stranger = await listeningStranger();
    using session = await ForeignSession.made(stranger.url);
    const screen = showProgram({ args: ["theirs"], folder: session.folder, env, columns: 140 });
    await until(() => expect([screen.screen().includes(notAmongYours), stranger.connections() > 0]).toContain(true));
    expect([stranger.connections(), stranger.bytes()]).toEqual([0, 0]);
    expect(screen.screen()).toContain(notAmongYours);
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect([stranger.connections(), stranger.bytes()]).toEqual([0, 0]);
    expect(readdirSync(join(session.path, "runs"))).toEqual([...session.runs].toSorted());
  });
});
