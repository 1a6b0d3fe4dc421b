import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

const sources = ["source", "suites", "analyses", "build"].flatMap(files);
const everything = [...sources, ...files("test"), ...files("bench")];
const texts = new Map(everything.map((path) => [path, readFileSync(path, "utf8")]));

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The parts of the project, and which of them each may import. */
const may: Readonly<Record<string, readonly string[]>> = {
  // Colours, signs, number formats, spacing: for everything that draws.
  look: [],
  engine: ["look"],
  suites: ["engine"],
  analyses: ["engine"],
  terminal: ["engine", "look"],
  commands: ["engine", "extension", "look", "workers"],
  // BullMQ and Redis: the engine only knows the objects it is given (`workbench/runs/run-context.ts`).
  workers: ["engine"],
  // The public API: what users import as `planwright`.
  kit: ["engine", "extension", "commands", "suites", "analyses"],
  extension: ["engine"],
  launch: ["cli"],
  cli: ["analysis-thread", "engine", "suites", "analyses", "terminal", "commands", "extension"],
  // A separate thread computes what a screen shows.
  "analysis-thread": ["engine", "suites", "analyses", "extension"],
  // The README's picture is taken from the real screen, with the pseudo-terminal of the tests; its keys are the terminal's. The
  // reference is written from all tables.
  build: ["test", "terminal", "commands", "engine", "look", "suites", "analyses"],
};

/**
 * The floors of the engine, the lowest first: a room imports from the floors below its own, including types, never from its own floor
 * or above. The contracts are the files at the top of the engine; they also import each other.
 */
const contracts = "contracts";
const floors: readonly (readonly string[])[] = [
  ["work"],
  [contracts],
  ["files"],
  ["migration"],
  ["python", "settings", "statistics", "text"],
  ["figures", "log", "measures", "models"],
  ["clustering"],
  ["run", "toolkits"],
  ["session", "strategies"],
  ["simple-suite"],
  ["workbench"],
];

function partOf(path: string): string {
  const [top, second] = path.split("/");
  return top === "source" ? second!.replace(/\.tsx?$/, "") : top!;
}

/** The room of a file of the engine; undefined for files elsewhere. */
function roomOf(path: string): string | undefined {
  const [, , room, inside] = path.split("/");
  if (partOf(path) !== "engine") return undefined;
  return inside === undefined ? contracts : room!;
}

function imports(path: string): string[] {
  return [...texts.get(path)!.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, name]) => name!);
}

/** The files of ours that a file imports. */
function targets(path: string): string[] {
  return imports(path)
    .filter((name) => name.startsWith("."))
    .map((name) => normalize(join(dirname(path), name)));
}

describe("imports", () => {
  test.each(Object.entries(may))("%s imports only %j", (part, allowed) => {
    const wrong = sources
      .filter((path) => partOf(path) === part)
      .flatMap((path) =>
        targets(path)
          .filter((target) => partOf(target) !== part && !allowed.includes(partOf(target)))
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("suites import nothing from each other", () => {
    const wrong = sources
      .filter((path) => path.startsWith("suites/") && path.split("/").length > 2)
      .flatMap((path) =>
        targets(path)
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

  test("only the rows of a screen use Ink's text, because other text would not be painted", () => {
    const known = sources.filter((path) => /\bimport \{[^}]*\bText\b[^}]*\} from "ink"/.test(texts.get(path)!));
    expect(known).toEqual(["source/terminal/drawing/rows.tsx"]);
  });
});

describe("the engine", () => {
  test("consists of contracts and at most 32 folders, and each folder belongs to one layer", () => {
    const entries = readdirSync("source/engine", { withFileTypes: true });
    expect(entries.length).toBeLessThanOrEqual(32);
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rooms.toSorted()).toEqual(
      floors
        .flat()
        .filter((room) => room !== contracts)
        .toSorted(),
    );
  });

  const levels = new Map(floors.flatMap((rooms, level) => rooms.map((room) => [room, level] as const)));
  test.each([...levels])("%s imports only from the layers below", (room, level) => {
    const wrong = sources
      .filter((path) => roomOf(path) === room)
      .flatMap((path) =>
        targets(path)
          // The look is below all floors.
          .filter((target) => roomOf(target) !== room && partOf(target) !== "look")
          .filter((target) => (levels.get(roomOf(target) ?? "") ?? level) >= level)
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe("every suite", () => {
  const suites = readdirSync("suites", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const rooms = ["README.md", "ask", "data", "index.ts", "loaded-suite.ts", "migration.ts", "paper", "sample", "score"];
  /** Further files of a suite, each with its reason. */
  const more: Readonly<Record<string, readonly string[]>> = {
    // The tool chains from which tasks are generated: data that comes with the suite and that users can replace.
    planningarena: ["chains"],
    // Databases and tools in which conversations are played.
    tau2: ["environment"],
  };

  /** Files that a suite lacks. */
  const less: Readonly<Record<string, readonly string[]>> = {
    // The user's own questions: no paper reports them, and no version knew their hashes.
    own: ["migration.ts", "paper"],
    // No earlier version contained it.
    planbench: ["migration.ts"],
    // The user's program has the tasks.
    process: ["migration.ts", "paper", "sample"],
    // No earlier version played it.
    tau2: ["migration.ts"],
  };

  test.each(suites.map(({ name }) => name))("has the same folders: %s", (suite) => {
    const own = [...rooms, ...(more[suite] ?? [])].filter((room) => less[suite]?.includes(room) !== true);
    expect(readdirSync(join("suites", suite)).toSorted()).toEqual(own.toSorted());
  });
});

describe("names in the source", () => {
  /** Names that may be exported with two meanings, with the reason. */
  const twice: Readonly<Record<string, string>> = {};
  test("are exported by only one file of the engine and the terminal", () => {
    const homes = new Map<string, string[]>();
    for (const path of sources.filter((each) => ["engine", "terminal"].includes(partOf(each))))
      for (const name of exportedNames(texts.get(path)!)) homes.set(name, [...(homes.get(name) ?? []), path]);
    const several = [...homes].filter(([, paths]) => paths.length > 1);
    expect(several.filter(([name]) => !(name in twice))).toEqual([]);
    expect(Object.keys(twice).filter((name) => (homes.get(name) ?? []).length < 2)).toEqual([]);
  });

  /** Exports that only tests import although the file itself does not use them, each with its reason. */
  const forTests: Readonly<Record<string, string>> = {
    mcnemarPower: "the curve the detectable difference lies on, held against reference values",
  };
  test("are exported only if another file imports them; an import in a test counts unless the file uses the name itself", () => {
    const importers = new Map<string, string[]>();
    for (const path of everything)
      for (const target of targets(path)) importers.set(target, [...(importers.get(target) ?? []), path]);
    const mentions = (path: string, name: string) =>
      texts.get(path)!.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0;
    const idle = sources
      // The public API exports for users.
      .filter((path) => !["build", "kit"].includes(partOf(path)))
      .flatMap((path) =>
        [...exportedNames(texts.get(path)!)]
          .filter((name) => {
            const users = (importers.get(path) ?? []).filter((other) => mentions(other, name) > 0);
            if (users.some((other) => !other.startsWith("test/"))) return false;
            const isType = new RegExp(`^export (type|interface) ${name}\\b`, "m").test(texts.get(path)!);
            const usedHere = mentions(path, name) > 1;
            // A type of which other types in the file consist may be exported for their users.
            return isType ? !usedHere && users.length === 0 : users.length === 0 || (!usedHere && !(name in forTests));
          })
          .map((name) => `${path}: ${name}`),
      );
    expect(idle).toEqual([]);
  });

  test("are kebab-case in files and describe the content", () => {
    const wrong = everything.filter(
      (path) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/.test(path.split("/").at(-1)!) ||
        /(^|[/-])(utils?|helpers?|common|manager|misc)([-./]|$)/.test(path),
    );
    expect(wrong).toEqual([]);
  });
});

/** Names that a file declares and exports, excluding re-exports. */
function exportedNames(text: string): Set<string> {
  const declared = /^export (?:async |abstract )*(?:function\*?|const|let|class|type|interface) (\w+)/gm;
  return new Set([...text.matchAll(declared)].map(([, name]) => name!));
}

describe("the code that writes files", () => {
  /** Files that write without `source/engine/files`, each with its reason. */
  const otherwise: Readonly<Record<string, string>> = {
    "source/cli.ts": "says why nothing can be printed",
    "source/engine/log/file/log.ts": "is appended to",
    "source/engine/log/file/log-index.ts": "is appended to",
    "source/engine/log/rows/stored-rows.ts": "is appended to, and worked out from the log where it was changed",
    "source/engine/clustering/toolkits/reply-file.ts": "is appended to; what is not kept is asked for again",
    "source/engine/clustering/toolkits/library.ts": "a device, such as /dev/stdout, is not replaced",
    "source/engine/settings/settings.ts": "moves settings aside that cannot be read",
    "source/engine/migration/installed-data.ts": "moves people's folders back",
    "source/engine/workbench/sharing/session-host.ts": "moves a socket, which has no contents",
    "suites/planningarena/data/evolution/evolve-folder.ts": "is appended to as models answer",
    "suites/travelplanner/data/build.ts": "SQLite writes a database itself, which is then renamed",
  };
  const writing = /^(write|append|copy|rename|cp|link|symlink|ftruncate|truncate|createWriteStream)/;

  test("calls one function, which leaves either the complete old file or the complete new file", () => {
    const found = sources.filter((path) => {
      if (path.startsWith("source/engine/files/") || partOf(path) === "build") return false;
      const imported = texts.get(path)!.matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g);
      return [...imported].some(([, names]) => names!.split(",").some((name) => writing.test(name.trim())));
    });
    expect(found.toSorted()).toEqual(Object.keys(otherwise).toSorted());
  });
});

describe("a source file", () => {
  test("has at most 600 lines, and the median is well under 100", () => {
    const lengths = everything.map((path) => ({ path, lines: texts.get(path)!.split("\n").length - 1 }));
    expect(lengths.filter(({ lines }) => lines > 600)).toEqual([]);
    const sorted = lengths
      .filter(({ path }) => sources.includes(path))
      .map(({ lines }) => lines)
      .sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(100);
  });

  test("has no default exports, no enums, and no open to-dos", () => {
    const wrong = sources.flatMap((path) => {
      const text = texts.get(path)!;
      return [/^export default /m, /^\s*(export )?(const )?enum /m, /\b(TODO|FIXME|XXX)\b/]
        .filter((pattern) => pattern.test(text))
        .map((pattern) => `${path}: ${pattern}`);
    });
    expect(wrong).toEqual([]);
  });
});

test("no test replaces a module, because test files share loaded modules", () => {
  const found = everything.filter((path) => /\bvi\.(mock|doMock|resetModules)\(/.test(texts.get(path)!));
  expect(found).toEqual([]);
});

test("links in the documents lead to existing files", () => {
  const documents = ["README.md", "CONTRIBUTING.md", "documentation/extending.md", "documentation/glossary.md"];
  const broken = documents.flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/\]\(([^)#:]+)\)/g)]
      .map(([, target]) => normalize(join(dirname(document), target!)))
      .filter((target) => !existsSync(target)),
  );
  expect(broken).toEqual([]);
});
