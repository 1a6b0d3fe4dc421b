import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recentSessions, rememberSession } from "../../source/commands/session/recent-sessions.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-recent-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

function session(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "session.md"), "# A notebook\n");
  return path;
}
const settings = () => ({ path: join(folder, "settings", "settings.json") });

describe("the recently opened notebooks", () => {
  it("are listed once each, most recent first, without deleted notebooks", () => {
    const [one, two, three] = ["one", "two", "three"].map(session);
    for (const path of [one!, two!, three!, one!]) rememberSession(settings(), path);
    rmSync(two!, { recursive: true });
    expect(recentSessions(settings())).toEqual([one, three]);
  });

  it("are limited to twenty", () => {
    for (let number = 0; number < 22; number++) rememberSession(settings(), session(`s${number}`));
    expect(recentSessions(settings())).toHaveLength(20);
    expect(recentSessions(settings())[0]).toBe(join(folder, "s21"));
  });

  it("are an empty list if the file of the list is unreadable, and the file is rewritten if possible", () => {
    const one = session("one");
    mkdirSync(join(folder, "settings"));
    for (const text of ["{", "7", '["/nowhere", 7]']) {
      writeFileSync(join(folder, "settings", "recent.json"), text);
      expect(recentSessions(settings())).toEqual([]);
    }
    rememberSession(settings(), one);
    expect(recentSessions(settings())).toEqual([one]);
    // A file in place of the settings folder.
    const blocked = { path: join(one, "session.md", "settings.json") };
    rememberSession(blocked, one);
    expect(recentSessions(blocked)).toEqual([]);
    rememberSession({ path: "" }, one);
    expect(recentSessions({ path: "" })).toEqual([]);
  });
});
