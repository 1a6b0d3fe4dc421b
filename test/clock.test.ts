/** No test depends on the clock: none waits for time, and none has its own limit besides the runner's. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

/** Forbidden patterns, each with its replacement. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\bset(Timeout|Interval)\(/, "waits for a time: use until(), or turn a test clock"],
  [/timers\/promises/, "waits for a time: use until(), or turn a test clock"],
  [/\bAtomics\.wait(Async)?\(/, "waits for a time: use until()"],
  [/\bAbortSignal\.timeout\(/, "has a limit in milliseconds: vitest's is the only one"],
  [/\bvi\.wait(For|Until)\(/, "has a limit in milliseconds: use until()"],
  [/\bexpect\.poll\(/, "has a limit in milliseconds: use until()"],
  [
    /\{[^}]*\b((timeout|testTimeout)(: *\d|\s*\})|interval: *\d)/,
    "has a limit in milliseconds: vitest's is the only one",
  ],
  [/\bvi\.setConfig\(/, "has a limit in milliseconds: vitest's is the only one"],
  [/^ *\}, \d[\d_]*\);/m, "has a limit in milliseconds: vitest's is the only one"],
  [/\bperformance\.(now|mark|measure)\(|\bprocess\.hrtime\b/, "measures time: npm run bench does"],
  [/(?:while|for) *\([^\n]*\bDate\.now\(/, "waits for a time: use until()"],
  [/\bDate\.now\(\) *[<>]|(?<!=)[<>]=? *Date\.now\(\)/, "measures time: npm run bench does"],
  [/\.wait\(\d|\bsleep\(|\bdelay\(/, "waits for a time: use until(), or turn a test clock"],
];

/** Files that may use them, and why. */
const allowed: Readonly<Record<string, string>> = {
  "built-program.ts": "waits for another process to build the program, before a synchronous answer",
  "clock.test.ts": "names what is forbidden",
  "extension/program.ts": "waits for the thread that runs a command line, before a synchronous answer",
  "engine/work/test-clock.ts": "is the clock that tests turn",
  "until.ts": "looks again every few milliseconds, without a limit",
};

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function faults(text: string): string[] {
  return forbidden
    .filter(([pattern]) => pattern.test(text))
    .map(([pattern, why]) => `${pattern.exec(text)![0].trim()} ${why}`);
}

test("no test waits for a fixed time or sets a timeout of its own", () => {
  const found = files(import.meta.dirname)
    .filter((path) => allowed[relative(import.meta.dirname, path)] === undefined)
    .flatMap((path) => faults(readFileSync(path, "utf8")).map((fault) => `${relative(".", path)}: ${fault}`));
  expect(found).toEqual([]);
});

test.each([
  "await new Promise((resolve) => setTimeout(resolve, 5));",
  'import { setTimeout as wait } from "node:timers/promises";',
  "await vi.waitFor(() => expect(1).toBe(1));",
  "await expect.poll(() => text).toBe(1);",
  'test("quick", { timeout: 5_000 }, () => {});',
  'test("quick", () => {\n  work();\n}, 30_000);',
  "expect(performance.now() - from).toBeLessThan(1000);",
  "for (const until = Date.now() + 30; Date.now() < until;);",
  "await screen.wait(100);",
])("the check for fixed times finds %j", (text) => {
  expect(faults(text)).not.toEqual([]);
});
