import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, test, vi } from "vitest";
import { generated } from "../build/reference.ts";
import { commands } from "../source/commands/index.ts";
import { withFlag } from "../source/commands/shell/user-settings.ts";
import type { Endpoint } from "../source/engine/settings/settings.ts";
import { readSession, strayBlocks } from "../source/engine/session/document/session-document.ts";
import { startBuiltinServer } from "../source/engine/models/builtin/builtin-server.ts";
import { type Said, typed } from "./commands/typed.ts";
import { runProgram, shellLines, wordsOf } from "./documented-commands.ts";
import { until } from "./until.ts";

const texts = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync("documentation")
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("documentation", name)),
  ...readdirSync("documentation/contributing").map((name) => join("documentation/contributing", name)),
  ...readdirSync("suites")
    .map((name) => join("suites", name, "README.md"))
    .filter((path) => existsSync(path)),
  "documentation/examples/bfcl/README.md",
];

describe("the documentation", () => {
  test.each(generated)("$path equals the tables that the program prints", ({ path, text }) => {
    expect(readFileSync(path, "utf8"), "run `node build/reference.ts`").toBe(text());
  });

  test.each(texts)("%s links only to existing targets", (path) => {
    const text = readFileSync(path, "utf8");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^[a-z]+:/.test(link));
    const broken = links.filter((link) => {
      const [file = "", anchor] = link.split("#");
      const whole = file === "" ? path : join(dirname(path), file);
      return !existsSync(whole) || (anchor !== undefined && !anchors(readFileSync(whole, "utf8")).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  test("lists every page in its index, and names the index in a README of at most one and a half screens", () => {
    const index = readFileSync(join("documentation", "index.md"), "utf8");
    const pages = readdirSync("documentation").filter((name) => name.endsWith(".md") && name !== "index.md");
    expect(pages.filter((name) => !index.includes(`(${name}`))).toEqual([]);
    const readme = readFileSync("README.md", "utf8");
    expect(readme).toContain("(documentation/index.md)");
    expect(readme.split("\n").length).toBeLessThan(120);
  });

  test.each(texts)("%s mentions only existing commands and flags", (path) => {
    const known = new Map(commands.map((command) => [command.name, command]));
    const lines = shellLines(readFileSync(path, "utf8")).flatMap(
      (line) => /(?:^|\s)planwright ([a-z].*)$/.exec(line)?.[1] ?? [],
    );
    for (const line of lines) {
      // Words after `--` belong to another program.
      const [name = "", ...words] = line.split(/ #| -- /)[0]!.split(" ");
      const command = known.get(name);
      if (command === undefined) continue;
      const flags = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
      expect({ line, flags: flags.filter((flag) => !(flag in { ...withFlag, ...command.flags })) }).toEqual({
        line,
        flags: [],
      });
    }
  });
});

/** Runs a command line in this process, with settings in this folder. */
function typedIn(home: string, ...args: string[]): Promise<Said> {
  vi.stubEnv("PLANWRIGHT_CONFIG_DIR", join(home, "settings"));
  return typed(...args);
}

test("the output of `run --json` is documented, field by field", async () => {
  const home = mkdtempSync(join(tmpdir(), "planwright-json-"));
  try {
    const cells =
      "```run main\nsuite: appbench\nmodel: builtin/oracle\nlimit: 2\n```\n\n```analysis\npane: overview\n```\n\nA note\n";
    writeFileSync(join(home, "session.md"), `---\ndefaults: {data: sample}\n---\n\n${cells}`);
    const { status, out } = await typedIn(home, "run", home, "--json");
    expect(status).toBe(0);
    const documented = readFileSync("documentation/exports.md", "utf8");
    type Cell = { readonly runs?: readonly object[]; readonly kind: string };
    const report = JSON.parse(out) as { readonly cells: readonly Cell[] };
    const fields = [
      report,
      ...report.cells,
      ...report.cells.flatMap(({ kind, runs = [] }) => (kind === "run" ? runs : [])),
    ];
    expect(fields.length).toBe(6);
    for (const field of new Set(fields.flatMap((each) => Object.keys(each))))
      expect(documented).toContain(`\`${field}\``);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("the output of other commands with --json is documented, field by field", async () => {
  const home = mkdtempSync(join(tmpdir(), "planwright-json-"));
  try {
    const program = { folder: home, seconds: 60, megabytes: 4000 };
    const reported = { name: "far", version: "1.0", tools: 1, tokens: 10, hash: "0" };
    const headers = { authorization: "FAR_KEY" };
    const endpoint = {
      name: "lab",
      baseUrl: "http://127.0.0.1:1/v1",
      concurrency: 2,
      idleTimeout: 60,
      identify: false,
    };
    const price = { input: 1, output: 2 };
    const limits = { requestsPerMinute: 10, tokensPerMinute: 1000, outageTimeout: 5 };
    const sent = { keyEnv: "KEY", headers, query: { a: "b" }, refuses: ["seed"], models: ["m"] };
    const settings = {
      endpoints: [{ ...endpoint, ...limits, ...sent, api: "responses", prices: { "*": price } } satisfies Endpoint],
      agents: [{ ...program, name: "mine", command: ["python3", "agent.py"], kept: true, environment: { A: "B" } }],
      toolServers: [{ ...program, name: "far", url: "http://127.0.0.1:1/mcp", headers, reported }],
    };
    mkdirSync(join(home, "settings"));
    writeFileSync(join(home, "settings", "settings.json"), JSON.stringify(settings));
    writeFileSync(join(home, "session.md"), "```run main\nsuite: appbench\nmodel: builtin/oracle\nlimit: 2\n```\n");
    writeFileSync(join(home, "answers.jsonl"), "");
    const bytes = Buffer.alloc(32);
    for (const [index, value] of [1, 0, 0.9, 0.1, 0, 1, 0.1, 0.9].entries()) bytes.writeFloatLE(value, index * 4);
    writeFileSync(join(home, "a.bin"), bytes);
    writeFileSync(join(home, "a.json"), JSON.stringify({ shape: [4, 2], dtype: "float32" }));
    const vectors = ["cluster", "--vectors", join(home, "a.bin"), "--shape", join(home, "a.json")];
    const documented = readFileSync("documentation/exports.md", "utf8");
    const lines: readonly (readonly string[])[] = [
      ["endpoint", "list"],
      ["agents", "list"],
      ["tools", "list"],
      ["ctl", home, "status"],
      ["score", "appbench", "--split", "all", "--predictions", join(home, "answers.jsonl")],
      [...vectors, "--method", "kmeans", "--k", "2"],
      [...vectors, "--method", "dbscan", "--eps", "0.3"],
    ];
    for (const line of lines) {
      const { status, out } = await typedIn(home, ...line, "--json");
      expect({ line, status }).toEqual({ line, status: 0 });
      const printed = JSON.parse(out) as object | readonly object[];
      const objects = (Array.isArray(printed) ? printed : [printed]) as readonly object[];
      const inner = objects.flatMap((each) =>
        "runs" in each && Array.isArray(each.runs) ? (each.runs as object[]) : [],
      );
      for (const field of [...objects, ...inner].flatMap((each) => Object.keys(each)))
        expect(documented, line.join(" ")).toContain(`\`${field}\``);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

describe("examples of cells", () => {
  it("are recognised as cells, so that a copied example runs", () => {
    for (const file of texts) {
      const document = readSession(readFileSync(file, "utf8"));
      const notes = document.segments.filter(({ kind }) => kind === "note");
      expect([file, notes.flatMap(({ id }) => strayBlocks(document, id))]).toEqual([file, []]);
    }
  });
});

describe("the how-to page", () => {
  test("gives commands that all work, and names columns that exist in pandas", async () => {
    const home = mkdtempSync(join(tmpdir(), "planwright-how-to-"));
    const nobody = () => Promise.reject(new Error("No task is asked for"));
    const server = await startBuiltinServer({ lorem: 8, sources: { loadedFor: nobody, taskFor: nobody } });
    const at = (...path: string[]) => join(home, ...path);
    try {
      const text = readFileSync("documentation/how-to.md", "utf8");
      const [, limits] = /^```yaml\n.*\n(budget: .*\n)```$/m.exec(text)!;
      mkdirSync(at("sessions/mine"), { recursive: true });
      mkdirSync(at("logs"));
      const cell = `suite: appbench\nsplit: all\nmodel: builtin/slips?rate=0.5\nlimit: 6\n${limits}`;
      writeFileSync(at("sessions/mine/session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
      // Words of a shell (ssh, tmux, eval) are not checked.
      const lines = shellLines(text).filter((line) => line.startsWith("planwright "));
      expect(lines.length).toBeGreaterThan(7);
      for (const line of lines) {
        if (line.includes("import inspect")) {
          await runProgram(["export", "mine", "--format", "inspect"], home);
          const log = readdirSync(at("sessions/mine/exports")).find((name) => name.endsWith(".eval"))!;
          copyFileSync(at("sessions/mine/exports", log), at("logs/their.eval"));
        }
        const [command = ""] = line.replace("http://127.0.0.1:8000/v1", server.url).split(" > ");
        const { status, err } = await runProgram(wordsOf(command).slice(1), home);
        expect({ line, status, err: status === 0 ? "" : err }).toEqual({ line, status: 0, err: "" });
        if (line.includes("--detach"))
          await until(async () =>
            expect((await runProgram(["ctl", "mine", "status"], home)).out).toContain("No program executes these runs"),
          );
      }
      const [, python = ""] = /^```python\n(.*?)^```$/ms.exec(text)!;
      const [head = ""] = readFileSync(at("sessions/mine/exports/rows.csv"), "utf8").split("\n");
      const [message = ""] = readFileSync(at("sessions/mine/exports/messages.jsonl"), "utf8").split("\n");
      const known = [...head.split(","), ...Object.keys(JSON.parse(message) as object), "mean", "count", "wrong"];
      const read = [...python.matchAll(/"([\w.]+)"/g)].map(([, name]) => name!);
      expect(read).toContain("option.prompting");
      for (const name of read) expect(known).toContain(name);
    } finally {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});

/** Converts a heading to its link: lower case, dashes for spaces, without other signs. */
function anchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
