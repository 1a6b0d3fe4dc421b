import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agreeToLinks } from "../../../source/engine/session/session-folder.ts";
import { openSettings, type SettingsStore } from "../../../source/engine/settings/settings.ts";

let folder: string;
let settings: SettingsStore;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-links-")));
  for (const name of ["session", "elsewhere", "further"]) mkdirSync(at(name));
  writeFileSync(at("session", "session.md"), "# x\n");
  settings = await openSettings(at("settings"));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (...path: string[]) => join(folder, ...path);

let asked: string[];
beforeEach(() => void (asked = []));
const open = (answer?: boolean) =>
  agreeToLinks(
    at("session"),
    settings,
    answer === undefined
      ? undefined
      : (question) => {
          asked.push(question);
          return Promise.resolve(answer);
        },
  );

describe.each(["runs", "exports"])("a link `%s` that leads out of the session", (name) => {
  const link = (to: string) => symlinkSync(at(to), at("session", name));

  it("requires consent once, and again after its target changes", async () => {
    link("elsewhere");
    await open(true);
    expect(asked).toEqual([`${at("session", name)} is a link to ${at("elsewhere")}. Read and write files there?`]);
    settings = await openSettings(at("settings"));
    await open(true);
    await open();
    expect(asked).toHaveLength(1);
    unlinkSync(at("session", name));
    link("further");
    await expect(open()).rejects.toThrow("open the session once in a terminal to agree");
    await open(true);
    expect(asked).toHaveLength(2);
  });

  it("is not used or recorded without consent", async () => {
    link("elsewhere");
    await expect(open(false)).rejects.toThrow("the session is not opened without your consent");
    await expect(open()).rejects.toThrow(`${at("session", name)} is a link to ${at("elsewhere")}`);
    expect(existsSync(at("settings", "settings.json"))).toBe(false);
  });

  it("may contain links within its target, but no links that lead out of the target", async () => {
    link("elsewhere");
    mkdirSync(at("elsewhere", "a"));
    symlinkSync(at("elsewhere", "a"), at("elsewhere", "b"));
    await open(true);
    symlinkSync(at("session", "session.md"), at("elsewhere", "a", "events.jsonl"));
    await expect(open()).rejects.toThrow(/events\.jsonl is a link that leads out of \S+, to \S+session\.md/);
  });
});

describe("any other file in a session", () => {
  it.each([
    ["the document", "session.md"],
    ["its draft", "session.md.draft"],
    ["the lock", "session.lock"],
    ["a run", "runs/0123456789abcdef"],
    ["a log", "runs/0123456789abcdef/events.jsonl"],
    ["label corrections", "runs/0123456789abcdef/overrides.json"],
    ["an exported folder", "exports/atif"],
  ])("is rejected if it is a link to a file outside or to nothing: %s", async (_, name) => {
    const path = at("session", ...name.split("/"));
    for (const to of ["/etc/passwd", at("not-there")]) {
      rmSync(path, { force: true });
      mkdirSync(join(path, ".."), { recursive: true });
      symlinkSync(to, path);
      await expect(open(true)).rejects.toThrow(`${path} is a link that leads out of`);
      expect(asked).toEqual([]);
    }
  });

  it("is accepted as a link within the session, and in any form if no program reads it by name", async () => {
    writeFileSync(at("session", "real.md"), readFileSync(at("session", "session.md")));
    rmSync(at("session", "session.md"));
    symlinkSync("real.md", at("session", "session.md"));
    symlinkSync("/etc/passwd", at("session", "notes.txt"));
    await open();
  });
});
