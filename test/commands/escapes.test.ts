/** Text from files and servers is printed as text, never as control sequences. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { printable } from "../../source/engine/text/printable.ts";
import { refuses, scriptedServer } from "../engine/models/scripted-server.ts";
import { jsonLines, temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();
const escape = "\u001b]0;owned\u0007\u001b[2J";
const safe = (text: string) => text.split("\n").map(printable).join("\n");

const odd = "\u009b2J \u202eevil\u2066 a\u200bb\ufeff می\u200cخواهم 👩\u200d👩\u200d👧 é";

describe("a session with control characters in its folder, notes and cells", () => {
  const name = `${escape} ${odd}`.replaceAll("/", "");
  const cell = "suite: appbench\ndata: sample\nlimit: 2\nmodel: builtin/oracle\n";
  function session(): string {
    mkdirSync(at(name));
    const analysis = `\`\`\`analysis heat\npane: difficulty\nof: [${JSON.stringify(odd)}]\n\`\`\`\n`;
    writeFileSync(at(name, "session.md"), `Note ${escape} ${odd}\n\n\`\`\`run ${odd}\n${cell}\`\`\`\n\n${analysis}`);
    return at(name);
  }

  it("is printed with signs in place of dangerous characters, and with ordinary words unchanged", async () => {
    const { out, err } = await typed("run", session());
    for (const text of [out, err]) expect(safe(text)).toBe(text);
    expect(out).toContain("می\u200cخواهم 👩\u200d👩\u200d👧");
    expect(out).toContain("␛]0;owned␇");
  });

  it("is printed by --json with every character, escaped if necessary", async () => {
    const { out } = await typed("run", session(), "--json");
    expect(safe(out)).toBe(out);
    const { cells } = JSON.parse(out) as { cells: { text?: string; name?: string }[] };
    expect(cells[0]!.text).toBe(`Note ${escape} ${odd}`);
    expect(cells[1]!.name).toBe(odd);
  });

  it("is printed with its file and folder names, without a control sequence", async () => {
    const folder = session();
    await typed("run", folder);
    const { out } = await typed("export", folder, "--format", "csv,json");
    expect(out).toContain("exports/heat");
    expect(safe(out)).toBe(out);
    const { err } = await typed("run", at(`${name} not there`));
    expect(err).toContain("found none");
    expect(safe(err)).toBe(err);
  });

  it("is printed in ASCII in an ASCII locale, and as JSON without a loss", async () => {
    vi.stubEnv("LC_ALL", "C");
    const folder = session();
    const { out, err } = await typed("run", folder);
    for (const text of [out, err]) expect(text).toMatch(/^\p{ASCII}+$/u);
    const { out: json } = await typed("run", folder, "--json");
    expect(json).toMatch(/^\p{ASCII}+$/u);
    expect((JSON.parse(json) as { cells: { name?: string }[] }).cells[1]!.name).toBe(odd);
  });
});

it("an error about answers that are not JSON prints no control sequence", async () => {
  writeFileSync(at("a.jsonl"), `${escape}\n`);
  const { err, status } = await typed("score", "appbench", "--predictions", at("a.jsonl"));
  expect(status).toBe(2);
  expect(err).toContain("owned");
  expect(safe(err)).toBe(err);
});

it("an error about settings that are not JSON prints no control sequence", async () => {
  mkdirSync(at("settings"));
  writeFileSync(at("settings", "settings.json"), escape);
  const { err } = await typed("data", "list");
  expect(err).toContain("cannot be used");
  expect(safe(err)).toBe(err);
});

it("an error about invalid overrides prints no control sequence", async () => {
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

it("an error of a server that rejects embeddings prints no control sequence", async () => {
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
