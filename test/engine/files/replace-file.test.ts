import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replaceFile, replaceFileAsItComes, replaceFiles } from "../../../source/engine/files/replace-file.ts";
import { breakWhere, breakableFiles, changes, dieAt, fillDisk, systemError } from "./faulty-files.ts";

breakableFiles();

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-file-"))));
afterEach(() => {
  breakWhere();
  rmSync(folder, { recursive: true });
});
const at = (...path: string[]) => join(folder, ...path);

describe("a replaced file", () => {
  it("has the new content and the old file's permissions, without leftover files", () => {
    writeFileSync(at("a"), "old");
    chmodSync(at("a"), 0o640);
    replaceFile(at("a"), "new, in Zürich\n");
    expect(readFileSync(at("a"), "utf8")).toBe("new, in Zürich\n");
    expect(statSync(at("a")).mode & 0o777).toBe(0o640);
    replaceFile(at("secret"), new Uint8Array([0, 255]), { mode: 0o600 });
    expect([...readFileSync(at("secret"))]).toEqual([0, 255]);
    expect(statSync(at("secret")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["a", "secret"]);
  });

  it("is synced to the disk together with its name; files that can be rebuilt are not synced", () => {
    breakWhere();
    replaceFile(at("a"), "x");
    expect(changes.map((change) => change.split(" ")[0])).toEqual(["write", "fsync", "rename", "fsync"]);
    breakWhere();
    replaceFile(at("a"), "x", { durable: false });
    expect(changes.map((change) => change.split(" ")[0])).toEqual(["write", "rename"]);
  });

  it("replaces a link instead of following it", () => {
    writeFileSync(at("elsewhere"), "not ours");
    symlinkSync(at("elsewhere"), at("a"));
    replaceFile(at("a"), "ours");
    expect(readFileSync(at("elsewhere"), "utf8")).toBe("not ours");
    expect(lstatSync(at("a")).isFile()).toBe(true);
    expect(readFileSync(at("a"), "utf8")).toBe("ours");
  });

  it("is unchanged on a full disk, and the error reports the file's path", () => {
    writeFileSync(at("a"), "old");
    fillDisk();
    expect(() => replaceFile(at("a"), "new")).toThrow(`Could not write ${at("a")}: the disk is full`);
    expect(readFileSync(at("a"), "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it("reports an error without temporary names if the system rejects the replacement", () => {
    mkdirSync(at("a"));
    expect(() => replaceFile(at("a"), "new")).toThrow(
      /^Could not write \S+\/a: EISDIR: illegal operation on a directory$/,
    );
    expect(() => replaceFile(at("gone", "b"), "new")).toThrow(
      /^Could not write \S+\/gone\/b: ENOENT: no such file or directory$/,
    );
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it("is either the old or the new file if the program is killed at any moment; the next write removes leftovers", () => {
    writeFileSync(at("a"), "old");
    for (let moment = 0; ; moment++) {
      dieAt(moment);
      let killed = true;
      try {
        replaceFile(at("a"), "new");
        killed = false;
      } catch {
        // As killed.
      }
      breakWhere();
      const text = readFileSync(at("a"), "utf8");
      expect(["old", "new"]).toContain(text);
      if (!killed) {
        expect(moment).toBeGreaterThan(2);
        break;
      }
    }
    expect(readdirSync(folder).length).toBeGreaterThan(1);
    // Another process may still be writing a recent file, but not one an hour old.
    for (const name of readdirSync(folder)) if (name !== "a") utimesSync(at(name), 0, 0);
    writeFileSync(at("a.new"), "the user's own");
    replaceFile(at("a"), "newer");
    expect(readdirSync(folder).toSorted()).toEqual(["a", "a.new"]);
  });
});

describe("a file whose parts arrive later", () => {
  const given = ["first, ", "second, ", "third"];
  async function* parts(fails?: Error): AsyncIterable<Uint8Array> {
    for (const part of given) yield Buffer.from(part);
    if (fails !== undefined) throw fails;
  }

  it("is complete at the end, and keeps the old content until then", async () => {
    writeFileSync(at("a"), "old");
    const seen: string[] = [];
    const watched = async function* () {
      for await (const part of parts()) {
        seen.push(readFileSync(at("a"), "utf8"));
        yield part;
      }
    };
    await replaceFileAsItComes(at("a"), watched());
    expect(seen).toEqual(["old", "old", "old"]);
    expect(readFileSync(at("a"), "utf8")).toBe(given.join(""));
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it("is unchanged if one of its parts cannot be read or written", async () => {
    writeFileSync(at("a"), "old");
    await expect(replaceFileAsItComes(at("a"), parts(new Error("no more")))).rejects.toThrow("no more");
    let written = 0;
    breakWhere((change) =>
      change.startsWith("write ") && ++written > 1 ? systemError("ENOSPC", "no space left on device") : undefined,
    );
    const full = `Could not write ${at("a")}: the disk is full`;
    await expect(replaceFileAsItComes(at("a"), parts())).rejects.toThrow(full);
    expect(readFileSync(at("a"), "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a"]);
  });
});

describe("files that belong together", () => {
  it("are all unchanged if there is no room for the last of them", () => {
    writeFileSync(at("a"), "old a");
    let written = 0;
    breakWhere((change) =>
      change.startsWith("write ") && ++written > 1 ? systemError("ENOSPC", "no space left on device") : undefined,
    );
    expect(() =>
      replaceFiles([
        [at("a"), "new a"],
        [at("b"), "new b"],
      ]),
    ).toThrow(`Could not write ${at("b")}: the disk is full`);
    expect(readFileSync(at("a"), "utf8")).toBe("old a");
    expect(existsSync(at("b"))).toBe(false);
    expect(readdirSync(folder)).toEqual(["a"]);
  });
});
