import { describe, expect, test } from "vitest";
import { type Flags, readArguments, readDuration } from "../../source/commands/shell/arguments.ts";
import { commands } from "../../source/commands/index.ts";
import { suites } from "../../suites/index.ts";

const flags: Flags = { data: "text", limit: "text", json: "nothing" };
const problem =
  (...args: string[]) =>
  () =>
    readArguments(args, flags);

describe("the arguments of a command", () => {
  test("are flags with and without values, and other arguments in order", () => {
    const read = readArguments(["one", "--data", "a", "--data=-b", "--json", "two", "--", "--three"], flags);
    expect(read.texts("data")).toEqual(["a", "-b"]);
    expect([read.flag("json"), read.text("limit"), read.positionals]).toEqual([
      true,
      undefined,
      ["one", "two", "--three"],
    ]);
  });

  test("are rejected by name, with the expected and the given value", () => {
    expect(problem("--datta", "a")).toThrow("Expected a flag such as `--data`, got `--datta`");
    expect(problem("--nothing-like-it")).toThrow("Expected one of --data, --limit, --json, got `--nothing-like-it`");
    expect(problem("-d")).toThrow("Expected one of --data, --limit, --json, got `-d`");
    expect(problem("--constructor")).toThrow("got `--constructor`");
    expect(problem("--data")).toThrow("Expected `--data` to have a value, got none");
    expect(problem("--data", "--json")).toThrow("Expected `--data` to have a value, got `--json`");
    expect(problem("--json=yes")).toThrow("Expected `--json` to have no value, got `yes`");
    expect(() => readArguments(["--json"], {})).toThrow("Expected no flags, got `--json`");
  });
});

/** The flags that a text mentions. */
const named = (text: string) => new Set([...text.matchAll(/--([a-z][a-z0-9-]*)/g)].map(([, name]) => name!));

describe("the usage of every command", () => {
  test.each(commands)("$name lists all its flags and no others", ({ usage, flags, suiteFlags }) => {
    const own = new Set(Object.keys({ ...flags, ...suiteFlags?.(suites) }));
    // A usage may mention another command with its flags.
    const elsewhere = new Set(commands.flatMap((other) => Object.keys(other.flags)));
    expect([...own].filter((name) => !named(usage).has(name))).toEqual([]);
    expect([...named(usage)].filter((name) => !own.has(name) && !elsewhere.has(name))).toEqual([]);
  });
});

describe("a time on the command line", () => {
  test.each([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["24d", 2_073_600_000],
  ])("is read: %s is %i milliseconds", (written, milliseconds) =>
    expect(readDuration("until", written)).toBe(milliseconds),
  );

  test.each(["", "2", "h", "0s", "2 h", "2h!", "-2h", "25d", "1e9h", "tomorrow"])("is rejected: %j", (written) =>
    expect(() => readDuration("until", written)).toThrow("Expected `--until` to be a time such as 90s, 30m, 2h"),
  );
});
