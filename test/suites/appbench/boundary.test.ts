import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { packageFolder } from "../../../source/engine/settings/package-folder.ts";

test("the suite imports itself and the engine, nothing else", () => {
  const suite = join(packageFolder(), "suites", "appbench");
  const files = readdirSync(suite).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(join(suite, file), "utf8");
    expect(text.split("\n").length, file).toBeLessThan(300);
    for (const [, target] of text.matchAll(/(?:from|import\() ?"([^"]+)"/g)) {
      if (target!.startsWith("node:")) continue;
      const path = relative(packageFolder(), resolve(dirname(join(suite, file)), target!));
      expect(path, file).toMatch(/^(suites\/appbench|source\/engine)\//);
    }
  }
});
