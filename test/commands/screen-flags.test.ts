import { describe, expect, test } from "vitest";
import { readArguments } from "../../source/commands/shell/arguments.ts";
import { screenFlags, screenLook } from "../../source/commands/session/screen-flags.ts";
import { typed } from "./typed.ts";

describe("flags of the screen", () => {
  test.each([
    [["--theme", "light"], { ground: "light" }],
    [["--theme=dark,16"], { ground: "dark", depth: 16 }],
    [["--theme", "true"], { depth: "true" }],
    [["--mouse"], { mouse: true }],
    [[], {}],
  ])("are read from %j", (args, look) => {
    const rest = { ascii: false, screenReader: false, alternateScreen: true, mouse: false };
    expect(screenLook(readArguments(args, screenFlags))).toEqual({ ...rest, ...look });
  });

  test.each(["--foo", "-x"])("reject %s and list the flags without suggesting a notebook", async (flag) => {
    const { status, err } = await typed(flag);
    expect(status).toBe(2);
    expect(err).toBe(
      `planwright: Expected a session, a command, or one of --ascii, --screen-reader, --no-alternate-screen, --mouse, --take-over, --theme, got \`${flag}\`\n`,
    );
  });

  test.each(["blue", "dark,light", "16,256", ""])("reject --theme=%s", async (theme) => {
    const { status, err } = await typed(`--theme=${theme}`);
    expect(status).toBe(2);
    expect(err).toContain(`Expected \`--theme\` to be one of dark, light, one of 16, 256, true, or one of each`);
    expect(err).toContain(`got \`${theme}\``);
  });
});
