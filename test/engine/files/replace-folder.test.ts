import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replaceFile } from "../../../source/engine/files/replace-file.ts";
import { makeFolder } from "../../../source/engine/files/make-folder.ts";
import { isUnfinished, mendFolder, replaceFolder, type Kept } from "../../../source/engine/files/replace-folder.ts";
import { breakWhere, breakableFiles, dieAt, systemError } from "./faulty-files.ts";

breakableFiles();

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-folder-"))));
afterEach(() => {
  breakWhere();
  rmSync(folder, { recursive: true });
});
const at = (...path: string[]) => join(folder, ...path);

type Files = Readonly<Record<string, string>>;

function lay(below: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    makeFolder(dirname(join(below, name)));
    replaceFile(join(below, name), text, { durable: false });
  }
}

/** All files below a folder, by their paths. */
function laid(below: string): Files {
  const files = readdirSync(below, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path.slice(below.length + 1), readFileSync(path, "utf8")]));
}

const before = {
  "tasks.json": "old",
  "gone.json": "old",
  "toolkits/mine.jsonl": "a night's work",
  "notes.txt": "mine",
};
const brought = { "tasks.json": "new", "more/b.json": "new", "toolkits/theirs.jsonl": "new" };
const after = { ...before, ...brought };
const bring = (kept?: Kept) => replaceFolder(at("data"), async (staging) => lay(staging, brought), kept);

describe("a folder that another folder replaces", () => {
  it("has the new files, the files that only the old folder had, and no leftovers", async () => {
    lay(at("data"), before);
    expect(await bring()).toBeUndefined();
    expect(laid(folder)).toEqual(
      Object.fromEntries(Object.entries(after).map(([name, text]) => [`data/${name}`, text])),
    );
    expect(readdirSync(folder)).toEqual(["data"]);
  });

  it("is unchanged if the new folder cannot be built", async () => {
    lay(at("data"), before);
    await expect(replaceFolder(at("data"), () => Promise.reject(new Error("no network")))).rejects.toThrow(
      "no network",
    );
    expect(laid(at("data"))).toEqual(before);
    expect(readdirSync(folder)).toEqual(["data"]);
  });

  it.each([
    ["out of the way", "rename data", "data"],
    ["into its place", "data.being-built", "data"],
  ])("is unchanged if a file cannot be moved %s", async (_, from) => {
    lay(at("data"), before);
    const source = from === "rename data" ? at("data") : at(from);
    breakWhere((change) =>
      change === `rename ${source} ${from === "rename data" ? at("data.moved-away") : at("data")}`
        ? systemError("EBUSY", "resource busy or locked")
        : undefined,
    );
    await expect(bring()).rejects.toThrow(`Could not replace ${at("data")}: EBUSY: resource busy or locked`);
    expect(laid(at("data"))).toEqual(before);
    expect(readdirSync(folder)).toEqual(["data"]);
  });

  it("keeps the user's files if the old folder cannot be deleted, and reports the path of these files", async () => {
    lay(at("data"), before);
    breakWhere((change) =>
      change.includes(".to-delete-") && change.startsWith("rm ") ? systemError("EPERM", "not permitted") : undefined,
    );
    const left = await bring();
    expect(laid(at("data"))).toEqual(after);
    expect(left).toMatch(/data\.to-delete-[0-9a-f]+$/);
    breakWhere();
    mendFolder(at("data"));
    expect(readdirSync(folder)).toEqual(["data"]);
  });

  it("can be a link, whose target is then replaced", async () => {
    lay(at("disk", "big"), before);
    symlinkSync(at("disk", "big"), at("data"));
    await bring();
    expect(laid(at("disk", "big"))).toEqual(after);
    expect(readdirSync(at("disk"))).toEqual(["big"]);
  });

  it("moves old files to the given place in the new folder, except the given files", async () => {
    lay(at("data"), before);
    await bring((_, now) => ({ into: join(now, "earlier"), without: ["notes.txt"] }));
    expect(laid(at("data"))).toEqual({
      ...brought,
      ...Object.fromEntries(Object.entries(before).map(([name, text]) => [`earlier/${name}`, text])),
    });
    const again = (staging: string) => Promise.resolve(lay(staging, { "earlier/tasks.json": "new" }));
    await replaceFolder(at("data"), again, (_, now) => ({ into: now, without: ["earlier/notes.txt"] }));
    expect(readdirSync(at("data", "earlier")).toSorted()).toEqual(["gone.json", "tasks.json", "toolkits"]);
    expect(readFileSync(at("data", "earlier", "tasks.json"), "utf8")).toBe("new");
  });
});

describe("a program killed while it replaces a folder", () => {
  it.each([
    ["if there was an old folder", before],
    ["if there was no old folder", {}],
  ])(
    "loses nothing at any moment: the next replacement completes the killed replacement or undoes it %s",
    async (_, old) => {
      for (let moment = 0; ; moment++) {
        breakWhere();
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        lay(at("data"), old);
        dieAt(moment);
        const done = await bring().then(
          () => true,
          () => false,
        );
        breakWhere();
        const unfinished = isUnfinished(at("data"));
        mendFolder(at("data"));
        expect(isUnfinished(at("data"))).toBe(false);
        expect(readdirSync(folder).filter((name) => name !== "data")).toEqual([]);
        const found = existsSync(at("data")) ? laid(at("data")) : {};
        expect([old, { ...old, ...brought }]).toContainEqual(found);
        if (unfinished) expect(moment).toBeGreaterThan(0);
        if (done) {
          expect(found).toEqual({ ...old, ...brought });
          expect(moment).toBeGreaterThan(5);
          return;
        }
      }
    },
  );

  it("is continued by the next replacement, even if that replacement is killed too", async () => {
    lay(at("data"), before);
    for (let moment = 0; moment < 60; moment++) {
      dieAt(moment);
      await bring().catch(() => {});
    }
    breakWhere();
    await bring();
    expect(laid(at("data"))).toEqual(after);
    expect(readdirSync(folder)).toEqual(["data"]);
  });

  it("does not touch folders whose names only resemble leftovers", async () => {
    for (const name of ["data.old", "data.new", "data.bak"]) writeFileSync(at(name), "the user's copy");
    lay(at("data"), before);
    await bring();
    expect(readdirSync(folder)).toEqual(["data", "data.bak", "data.new", "data.old"]);
  });
});
