import { describe, expect, test } from "vitest";
import { commands } from "../../source/commands/index.ts";
import { suites } from "../../suites/index.ts";

/** Flags as a text names them. */
const named = (text: string) => new Set([...text.matchAll(/--([a-z][a-z0-9-]*)/g)].map(([, name]) => name!));

describe("the usage of every command", () => {
  test.each(commands)("$name names all its flags, and no others", ({ usage, flags, suiteFlags }) => {
    const own = new Set(Object.keys({ ...flags, ...suiteFlags?.(suites) }));
    // A usage may speak of another command by its flags.
    const elsewhere = new Set(commands.flatMap((other) => Object.keys(other.flags)));
    expect([...own].filter((name) => !named(usage).has(name))).toEqual([]);
    expect([...named(usage)].filter((name) => !own.has(name) && !elsewhere.has(name))).toEqual([]);
  });
});
