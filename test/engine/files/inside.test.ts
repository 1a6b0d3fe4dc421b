import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyFolder } from "../../../source/engine/files/replace-folder.ts";
import { pathInside } from "../../../source/engine/files/inside.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-inside-")));
  for (const name of ["session", "session-2", "data"]) mkdirSync(at(name, "deep"), { recursive: true });
  writeFileSync(at("data", "b"), "");
  writeFileSync(at("session-2", "b"), "");
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (...path: string[]) => join(folder, ...path);
const inside = (path: string) =>
  pathInside(
    path,
    new Map([
      [at("session"), "the session's folder"],
      [at("data"), "the data"],
    ]),
  );

describe("a path in a document", () => {
  it.each([
    ["a", "session/a"],
    ["b", "data/b"],
    ["deep/../a", "session/a"],
    ["./deep/..a", "session/deep/..a"],
  ])("%s resolves to the first existing path, otherwise to a path in the first folder", (path, found) => {
    expect(inside(path)).toBe(at(found));
  });

  it("can be absolute if it leads into an allowed folder", () => {
    expect(inside(at("data", "b"))).toBe(at("data", "b"));
    expect(inside(at("session", "new"))).toBe(at("session", "new"));
  });

  it.each(["..", "../session-2/b", "deep/../../other/b", "/etc/passwd", "/"])(
    "is rejected if it leads out of the folder: %s",
    (path) => {
      expect(() => inside(path)).toThrow(`Expected a path inside the session's folder or the data, got \`${path}\``);
    },
  );

  it("is rejected if a link on the way leads out of its folder, even into another allowed folder", () => {
    symlinkSync(at("data"), at("session", "way"));
    symlinkSync(at("session", "deep"), at("session", "stays"));
    writeFileSync(at("session", "deep", "c"), "");
    expect(inside("stays/c")).toBe(at("session", "stays", "c"));
    expect(() => inside("way/b")).toThrow(/way\/b is a link that leads out of \S+session, to \S+data\/b/);
  });
});

describe("a folder that is copied", () => {
  it("contains the targets of its links; a link to another folder is rejected", () => {
    symlinkSync("b", at("data", "same"));
    copyFolder(at("data"), at("copy"));
    expect(readdirSync(at("copy"), { withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(2);
    symlinkSync("/etc/passwd", at("data", "deep", "more"));
    expect(() => copyFolder(at("data"), at("second"))).toThrow(
      /deep\/more is a link that leads out of \S+data, to \/etc\/passwd/,
    );
  });
});
