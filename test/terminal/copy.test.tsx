import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { copySequence } from "../../source/terminal/frame/copy.ts";
import { openDouble, welcome } from "./double-workbench.ts";
import { enter, escape, openScreen } from "./open-screen.tsx";
import { runningWorkbench } from "./sample-trajectory.ts";

afterEach(() => vi.unstubAllEnvs());

/** The text that the terminal was told to put into its clipboard. */
const copies = (written: string) =>
  written
    .split("\x1b]52;c;")
    .slice(1)
    .map((rest) => Buffer.from(rest.slice(0, rest.indexOf("\x07")), "base64").toString());

describe("the key y, which copies", () => {
  it("copies a notebook's cell, a figure's value, and a task's id", async () => {
    vi.stubEnv("TERM", "xterm-256color");
    vi.stubEnv("TERM_PROGRAM", "");
    const screen = await openScreen();
    await screen.press("j", "y");
    expect(screen.text()).toContain(`Copied: ${welcome[1]!.source.length} characters`);
    expect(screen.text()).toContain("▌ run prompting");
    await screen.press("G", enter, "y", enter, "y");
    expect(copies(screen.stdout.written)).toEqual([welcome[1]!.source, "95.0", "mm-0"]);
    await screen.close();
  });

  it("copies a watched task, a field of the form, and a found line of help", async () => {
    vi.stubEnv("TERM", "xterm-256color");
    vi.stubEnv("TERM_PROGRAM", "");
    const screen = await openScreen({ workbench: runningWorkbench() });
    await screen.press("j", "L", "g", "l", "y", escape, "e", "y", escape, "?", "/", "increase concurrency", enter, "y");
    expect(copies(screen.stdout.written)).toEqual([
      "sm-001",
      "appbench",
      expect.stringMatching(/^\+ {2}= +Increase concurrency: more tasks at once$/),
    ]);
    await screen.close();
  });

  it("copies a hostile text without its control sequences", async () => {
    vi.stubEnv("TERM", "xterm-256color");
    vi.stubEnv("TERM_PROGRAM", "");
    const source = "\x07\x1b]52;c;AAAA\x07\x1b[2J";
    const screen = await openScreen({
      workbench: openDouble({ cells: [{ id: "c1", kind: "note", name: "", source }] }),
    });
    await screen.press("y");
    expect(copies(screen.stdout.written)).toEqual([source]);
    await screen.close();
  });

  it("writes to a file, whose path is shown, if the terminal has no clipboard", async () => {
    vi.stubEnv("TERM", "linux");
    const screen = await openScreen({ columns: 120 });
    await screen.press("j", "y");
    const path = /the text is in (\S+)/.exec(screen.text())![1]!;
    expect(readFileSync(path, "utf8")).toBe(welcome[1]!.source);
    rmSync(dirname(path), { recursive: true });
    expect(copies(screen.stdout.written)).toEqual([]);
    await screen.close();
  });

  it("sends one sequence that is not longer than terminals accept", () => {
    expect(copySequence("a".repeat(56_244), { TERM: "xterm" })).toHaveLength(74_992 + 8);
    expect(copySequence("a".repeat(56_245), { TERM: "xterm" })).toBeUndefined();
  });
});
