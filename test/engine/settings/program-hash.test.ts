import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sourcesHash } from "../../../source/engine/settings/program-hash.ts";

function sources(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-sources-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["source", "suites", "analyses", "build"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "source", "a.ts"), "a");
  return folder;
}

it("the program hash is the same for the same code in another folder, and changes with code or package versions", () => {
  const folder = sources();
  const copy = sources();
  cpSync(folder, copy, { recursive: true });
  const before = sourcesHash(folder);
  expect(sourcesHash(copy)).toBe(before);
  writeFileSync(join(copy, "suites", "README.md"), "no code");
  expect(sourcesHash(copy)).toBe(before);
  const changes: readonly (readonly [string, string])[] = [
    ["source/a.ts", "b"],
    ["suites/b.ts", ""],
    ["package-lock.json", "{}"],
  ];
  const hashes = changes.map(([path, text]) => (writeFileSync(join(copy, path), text), sourcesHash(copy)));
  expect(new Set([before, ...hashes]).size).toBe(4);
});
