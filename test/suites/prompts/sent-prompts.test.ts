/** Default prompts are part of results, so the sent texts stay equal, byte by byte. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hashesOfPrompts } from "./sent-prompts.ts";

const file = new URL("sent-prompts.json", import.meta.url);

test("default prompts are unchanged for every suite, split, strategy and option", async () => {
  const hashes = await hashesOfPrompts();
  if (process.env["PLANWRIGHT_WRITE_PROMPTS"] === "1") writeFileSync(file, `${JSON.stringify(hashes, null, 2)}\n`);
  expect(hashes).toEqual(JSON.parse(readFileSync(file, "utf8")));
});
