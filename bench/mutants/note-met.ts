/** A set-up file of the tests in the copy: notes which mutants a test file comes by. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { met } from "./switch.ts";

/** Writes one line per finished test file. */
export const metFile = join(import.meta.dirname, "met.jsonl");

afterAll(() => {
  const { testPath } = expect.getState();
  appendFileSync(metFile, `${JSON.stringify({ test: testPath, mutants: [...met] })}\n`);
});
