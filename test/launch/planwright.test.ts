import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";

test("the program's first file loads in any Node, so that it can report that an old one is too old", () => {
  const text = readFileSync("dist/cli.js", "utf8");
  const fixed = [...text.matchAll(/^import (.*?) from "(.*?)"/gm)].map(([, names, from]) => ({ names, from }));
  // A named import of something an old Node lacks would fail before the first line runs.
  expect(fixed.every(({ names, from }) => names!.startsWith("* as ") && from!.startsWith("node:"))).toBe(true);
  expect(text.indexOf("Planwright needs Node")).toBeLessThan(text.indexOf("import("));
});

test.skipIf(process.platform === "win32")(
  "the program can be called by its name, also after it was built again",
  () => {
    expect(statSync("dist/cli.js").mode & 0o111).toBe(0o111);
  },
);
