/** Files of the session that are sent with a run. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SessionFolder } from "../../source/engine/session/session-folder.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { shippedFiles } from "../../source/workers/rounds/round-giving.ts";
import { bareSpec } from "../bare-spec.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-shipped-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const shipped = (spec: Partial<RunSpec>) => {
  const files = shippedFiles({ spec: bareSpec("appbench", spec), folder: new SessionFolder(join(folder, "session")) });
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, String(content)]));
};

describe("the files that are sent with a run", () => {
  test("are only the questions of the run, and logs whose replies are replayed", () => {
    write("session/lists/questions.csv", "question,answer");
    write("session/secret.txt", "mine");
    write("session/runs/abc1/events.jsonl", "{}");
    write("session/runs/abc2/events.jsonl", "{}");
    const spec = { suite: "own/lists/questions.csv", data: "own", model: "builtin/replay?log=abc1" } as const;
    expect(shipped(spec)).toEqual({ "lists/questions.csv": "question,answer", "runs/abc1/events.jsonl": "{}" });
    expect(shipped({})).toEqual({});
  });

  test("never come from outside the session", () => {
    write("elsewhere.csv", "question,answer");
    mkdirSync(join(folder, "session"));
    symlinkSync(join(folder, "elsewhere.csv"), join(folder, "session", "link.csv"));
    for (const file of ["../elsewhere.csv", "link.csv"])
      expect(() => shipped({ suite: `own/${file}`, data: "own" })).toThrow(/Expected a path inside|leads out of/);
  });
});
