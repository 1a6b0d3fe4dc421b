/** Text of files and servers is written to stderr as text, never as control sequences. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { printable } from "../../source/engine/text/printable.ts";
import { refuses, scriptedServer } from "../engine/models/scripted-server.ts";
import { jsonLines, temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();
const escape = "\u001b]0;owned\u0007\u001b[2J";
const safe = (text: string) => text.split("\n").map(printable).join("\n");

it("of answers that are no JSON", async () => {
  writeFileSync(at("a.jsonl"), `${escape}\n`);
  const { err, status } = await typed("score", "appbench", "--predictions", at("a.jsonl"));
  expect(status).toBe(2);
  expect(err).toContain("owned");
  expect(safe(err)).toBe(err);
});

it("of settings that are no JSON", async () => {
  mkdirSync(at("settings"));
  writeFileSync(at("settings", "settings.json"), escape);
  const { err } = await typed("data", "list");
  expect(err).toContain("cannot be used");
  expect(safe(err)).toBe(err);
});

it("of overrides that fit nothing", async () => {
  const file = jsonLines(at("a.jsonl"), [{ task: "ss-001", output: "I cannot do this." }]);
  const keep = () => typed("score", "appbench", "--predictions", file, "--into", at("kept"));
  await keep();
  const said = { kind: "no-plan", source: "ada", reason: "so" };
  const [run] = readdirSync(at("kept", "runs"));
  writeFileSync(at("kept", "runs", run!, "overrides.json"), JSON.stringify([{ task: `${escape}t`, ...said }]));
  const { err } = await keep();
  expect(err).toContain("owned");
  expect(safe(err)).toBe(err);
});

it("of a server that refuses to embed", async () => {
  await using server = await scriptedServer(refuses(400, { error: { message: `no ${escape}` } }));
  expect((await typed("endpoint", "add", "lab", "--base-url", server.url)).status).toBe(0);
  const library = jsonLines(at("apis.jsonl"), [
    { tool_name: "a", api_name: "b", category: "c", description: "d" },
    { tool_name: "a", api_name: "e", category: "c", description: "f" },
  ]);
  const { err, status } = await typed("cluster", "--library", library, "--k", "1", "--embedding", "lab/e5");
  expect(status).not.toBe(0);
  expect(err).toContain("owned");
  expect(safe(err)).toBe(err);
});
