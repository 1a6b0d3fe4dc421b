import { describe, expect, test } from "vitest";
import { type Flags, readArguments } from "../../source/commands/shell/arguments.ts";

const flags: Flags = { data: "text", limit: "text", json: "nothing" };
const problem =
  (...args: string[]) =>
  () =>
    readArguments(args, flags);

describe("the arguments of a command", () => {
  test("are flags with and without values, and the rest in order", () => {
    const read = readArguments(["one", "--data", "a", "--data=-b", "--json", "two", "--", "--three"], flags);
    expect(read.texts("data")).toEqual(["a", "-b"]);
    expect([read.flag("json"), read.text("limit"), read.positionals]).toEqual([
      true,
      undefined,
      ["one", "two", "--three"],
    ]);
  });

  test("are refused by name, with what was expected and what came", () => {
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
