import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

const sources = ["source", "suites", "analyses", "build"].flatMap(files);
const everything = [...sources, ...files("test"), ...files("bench")];

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The parts of the project, and which of them each may import. */
const may: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  suites: ["engine"],
  analyses: ["engine"],
  terminal: ["engine"],
  commands: ["engine"],
  launch: ["cli"],
  cli: ["engine", "suites", "analyses", "terminal", "commands"],
  // The README's picture is taken of the real screen, with the pseudo-terminal of the tests; its keys are the terminal's.
  build: ["test", "terminal"],
};

function partOf(path: string): string {
  const [top, second] = path.split("/");
  return top === "source" ? second!.replace(/\.tsx?$/, "") : top!;
}

function imports(path: string): string[] {
  const text = readFileSync(path, "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, name]) => name!);
}

describe("who may import whom", () => {
  test.each(Object.entries(may))("%s imports only %j", (part, allowed) => {
    const wrong = sources
      .filter((path) => partOf(path) === part)
      .flatMap((path) =>
        imports(path)
          .filter((name) => name.startsWith("."))
          .map((name) => normalize(join(dirname(path), name)))
          .filter((target) => partOf(target) !== part && !allowed.includes(partOf(target)))
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("suites know nothing of each other", () => {
    const wrong = sources
      .filter((path) => path.startsWith("suites/") && path.split("/").length > 2)
      .flatMap((path) =>
        imports(path)
          .filter((name) => name.startsWith("."))
          .map((name) => normalize(join(dirname(path), name)))
          .filter((target) => target.startsWith("suites/") && target.split("/")[1] !== path.split("/")[1])
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("only the terminal knows React and Ink", () => {
    const wrong = sources
      .filter((path) => partOf(path) !== "terminal" && partOf(path) !== "build")
      .flatMap((path) =>
        imports(path)
          .filter((name) => /^(react|ink)/.test(name))
          .map((name) => `${path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe("what a file may be", () => {
  test("no file has more than 300 lines, and the median of the sources is well under 100", () => {
    const lengths = everything.map((path) => ({ path, lines: readFileSync(path, "utf8").split("\n").length - 1 }));
    expect(lengths.filter(({ lines }) => lines > 300)).toEqual([]);
    const sorted = lengths
      .filter(({ path }) => sources.includes(path))
      .map(({ lines }) => lines)
      .sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(100);
  });

  test("names are kebab-case and say what is inside", () => {
    const wrong = everything.filter(
      (path) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/.test(path.split("/").at(-1)!) ||
        /(^|[/-])(utils?|helpers?|common|manager|misc)([-./]|$)/.test(path),
    );
    expect(wrong).toEqual([]);
  });

  test("no default exports, no enums, nothing left undone", () => {
    const wrong = sources.flatMap((path) => {
      const text = readFileSync(path, "utf8");
      return [/^export default /m, /^\s*(export )?(const )?enum /m, /\b(TODO|FIXME|XXX)\b/]
        .filter((pattern) => pattern.test(text))
        .map((pattern) => `${path}: ${pattern}`);
    });
    expect(wrong).toEqual([]);
  });
});
