/** Key tables and handlers belong together; most of this file is checked by the compiler, not by running it. */
import { describe, expect, expectTypeOf, it } from "vitest";
import { type CommandOf, type Commands, keyTable } from "../../../source/terminal/input/keys.ts";
import { textCommands, openBuffer } from "../../../source/terminal/editor/text-buffer.ts";
import { useLayer } from "../../../source/terminal/terminal.ts";

const nothing = () => {};
const buffer = openBuffer("");

describe("commands and their keys", () => {
  it("have a type for each scope that contains the commands of the scope", () => {
    expectTypeOf<CommandOf<"question">>().toEqualTypeOf<"yes" | "no" | "save">();
    expectTypeOf<"lanes-4">().toExtend<CommandOf<"live">>();
    expectTypeOf<"export-svg">().toExtend<CommandOf<"figure">>();
    expectTypeOf<"wider">().not.toExtend<CommandOf<"live">>();
    expectTypeOf<Commands<"choices">>().toExtend<{
      readonly accept: (keys: string) => void;
      readonly mark?: (keys: string) => void;
    }>();
  });

  it("do not compile if a key's command has no handler", () => {
    // @ts-expect-error `no` has a key, but no handler.
    const question: Commands<"question"> = { yes: nothing };
    // @ts-expect-error Likewise if a screen registers its commands: `accept` and `back` are missing.
    const Line = () => useLayer(true, { scope: "line", commands: { ...textCommands(buffer, nothing, nothing) } });
    expect([question, Line]).toBeDefined();
  });

  it("do not compile if a handler's command is in no table of keys", () => {
    // @ts-expect-error No key calls `maybe`.
    const question: Commands<"question"> = { yes: nothing, no: nothing, maybe: nothing };
    const Question = () =>
      useLayer(true, {
        scope: "question",
        // @ts-expect-error Likewise if a screen registers its commands.
        commands: { yes: nothing, no: nothing, maybe: nothing },
      });
    const handlers = { yes: nothing, no: nothing, left: nothing };
    // @ts-expect-error Likewise for handlers that are spread in, which the compiler does not check by itself.
    const Spread = () => useLayer(true, { scope: "question", commands: { ...handlers } });
    expect([question, Question, Spread]).toBeDefined();
  });

  it("compile with a handler for each command, with or without handlers for optional commands", () => {
    const typing = textCommands(openBuffer(""), nothing, nothing);
    const required = { ...typing, down: nothing, up: nothing, first: nothing, last: nothing, back: nothing };
    const paging = { "page-down": nothing, "page-up": nothing, accept: nothing };
    const One = () => useLayer(true, { scope: "choices", commands: { ...required, ...paging } });
    const Several = () => useLayer(true, { scope: "choices", commands: { ...required, ...paging, mark: nothing } });
    expect([One, Several]).toBeDefined();
    const optional = Object.values(keyTable).flatMap((bindings) => bindings.filter((binding) => binding.optional));
    expect(optional.map(({ command }) => command)).toEqual(["mark", "remark", "next-template", "edit", "save"]);
  });
});
