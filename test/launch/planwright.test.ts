import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { builtProgram } from "../built-program.ts";

test("the program's first file loads in any version of Node, so that it can report a version that is too old", () => {
  const text = readFileSync(builtProgram(), "utf8");
  const fixed = [...text.matchAll(/^import (.*?) from "(.*?)"/gm)].map(([, names, from]) => ({ names, from }));
  // A named import of something an old Node lacks would fail before the first line runs.
  expect(fixed.every(({ names, from }) => names!.startsWith("* as ") && from!.startsWith("node:"))).toBe(true);
  expect(text.indexOf("Planwright needs Node")).toBeLessThan(text.indexOf("import("));
});

test.skipIf(process.platform === "win32")("the program is executable by name, even after it is built again", () => {
  expect(statSync(builtProgram()).mode & 0o111).toBe(0o111);
});

test("only the part of the HTTP client that sends requests is loaded, with or without a proxy", () => {
  const dist = dirname(builtProgram());
  const maps = readdirSync(dist).filter((name) => name.endsWith(".js.map"));
  const sources = (name: string) =>
    (JSON.parse(readFileSync(join(dist, name), "utf8")) as { sources: string[] }).sources;
  const text = maps.flatMap(sources).join("\n");
  const parts = [...text.matchAll(/node_modules\/undici\/lib\/([\w-]+)/g)].map(([, part]) => part!);
  expect(parts).toContain("dispatcher");
  expect(parts.filter((part) => ["api", "cache", "interceptor", "mock"].includes(part))).toEqual([]);
});

test("the program's parts are in ASCII, and import no module of Node, because both take longer to load", () => {
  const dist = dirname(builtProgram());
  const part = readdirSync(dist).find((name) => /^program-.*\.js$/.test(name))!;
  const text = readFileSync(join(dist, part), "utf8");
  expect(text).toContain('process.getBuiltinModule("node:path")');
  expect(text.match(/^import .* from "node:(?!module").*/m)).toBeNull();
  expect(/[^\0-\x7f]/.test(text)).toBe(false);
});

test("the packed program runs without other packages, and contains the grammar and all licences", () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-packed-"));
  const { files, dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly files: readonly string[];
    readonly dependencies?: unknown;
  };
  try {
    expect(dependencies).toBeUndefined();
    expect(files).toContain("!dist/**/*.map");
    cpSync(dirname(builtProgram()), join(folder, "dist"), {
      recursive: true,
      filter: (path) => !path.endsWith(".map"),
    });
    cpSync("package.json", join(folder, "package.json"));
    cpSync("suites/apibench/sample", join(folder, "suites/apibench/sample"), { recursive: true });
    const cell =
      "```run a\nsuite: apibench\ndata: sample\nstrategy: direct\nmodel: builtin/oracle\nlimit: 2\n```\n\n```analysis\npane: overview\n```\n";
    writeFileSync(join(folder, "session.md"), cell);
    const out = execFileSync(process.execPath, ["dist/cli.js", "run", ".", "--json"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { PLANWRIGHT_CONFIG_DIR: join(folder, "settings") },
    });
    const [{ runs }] = (JSON.parse(out) as { readonly cells: readonly [{ readonly runs: readonly object[] }] }).cells;
    expect(runs).toMatchObject([{ status: "done", counts: { right: 2 } }]);
    // Without the grammar a simpler rule replaces it, and the results name it.
    expect(out).not.toContain("grammar could not be loaded");
    const exported = (...flags: readonly string[]) =>
      spawnSync(process.execPath, ["dist/cli.js", "export", ".", ...flags], {
        cwd: folder,
        encoding: "utf8",
        env: { PLANWRIGHT_CONFIG_DIR: join(folder, "settings") },
      });
    expect(exported("--rows", "parquet")).toMatchObject({
      status: 2,
      stdout: "",
      stderr:
        "planwright: Parquet needs the package `hyparquet-writer`, which is not installed: npm install hyparquet-writer\n",
    });
    for (const [format, install] of [
      ["png", "npm install @resvg/resvg-wasm dejavu-fonts-ttf\n"],
      ["pdf", "npm install pdfkit svg-to-pdfkit dejavu-fonts-ttf\n"],
    ] as const)
      expect(exported("--format", format)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining(install),
      });
    expect(readdirSync(join(folder, "exports"))).toEqual([]);
    const licences = readFileSync(join(folder, "dist", "licences.txt"), "utf8");
    for (const name of ["ink", "react", "openai", "web-tree-sitter", "tree-sitter-wasms"])
      expect(licences).toMatch(new RegExp(`^---- ${name} \\d`, "m"));
    // Each entry has its terms and owner, even if a package has no file of them; the grammar has its own.
    const entries = licences.split(/^---- /m).slice(1);
    expect(entries.filter((entry) => entry.length < 300)).toEqual([]);
    expect(entries.find((entry) => entry.startsWith("ink-table "))).toMatch(/Copyright \(c\) Matic Zavadlal\n/);
    expect(entries.find((entry) => entry.startsWith("tree-sitter-python,"))).toMatch(/Max Brunsfeld\n/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
