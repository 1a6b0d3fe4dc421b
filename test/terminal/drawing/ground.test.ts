import { PassThrough, Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { askedGround, coloursOf } from "../../../source/terminal/drawing/ground.ts";
import { until } from "../../until.ts";
import { openTestClock } from "../../engine/work/test-clock.ts";

/** Asks a terminal that answers with these pieces in order; without pieces it never answers. */
async function asked(...pieces: readonly string[]) {
  const clock = openTestClock();
  const written: string[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => stdin });
  const ground = askedGround(stdin, { write: (text) => written.push(text) }, clock);
  for (const piece of pieces) stdin.write(piece);
  if (pieces.length === 0) await clock.advance(1000);
  return { ground: await ground, written, typed: String(stdin.read() ?? ""), due: clock.due() };
}

const identity = "\x1b[?62;22c";

describe("the background of a terminal", () => {
  it.each([
    ["\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "light"],
    ["\x1b]11;rgb:fdf6/e3e3/d5d5\x07", "light"],
    ["\x1b]11;rgb:0000/2b2b/3636\x1b\\", "dark"],
    ["\x1b]11;rgb:28/2a/36\x1b\\", "dark"],
    ["\x1b]11;rgba:0000/0000/0000/cccc\x1b\\", "dark"],
  ])("is read from the reply %j", async (answer, ground) => {
    expect((await asked(answer + identity)).ground).toBe(ground);
  });

  it("is requested once, followed by a request that every terminal answers", async () => {
    const { written, due } = await asked(identity);
    expect(written).toEqual(["\x1b]11;?\x1b\\\x1b[c"]);
    expect(due).toEqual([]);
  });

  it("can arrive in parts, and no key that is typed between the parts is lost", async () => {
    const { ground, typed } = await asked("j", "\x1b]11;rgb:ff", "ff/ffff/ffff\x1b\\k", `${identity}r`);
    expect(ground).toBe("light");
    expect(typed).toBe("jkr");
  });

  it("is read in such a way that the next reader of the input gets the typed keys", async () => {
    // This input delivers only on request, and a pause cancels the request, like the program's own input.
    let wanted = false;
    const input = new Readable({ highWaterMark: 0, read: () => (wanted = true) }).on("pause", () => (wanted = false));
    const stdin = Object.assign(input, { setRawMode: () => stdin });
    const answer = () => {
      wanted = false;
      stdin.push(identity);
    };
    await askedGround(stdin, { write: () => setImmediate(answer) }, openTestClock());
    stdin.on("readable", () => stdin.read());
    await until(() => expect(wanted).toBe(true));
  });

  it("is unknown without a reply, so that environment variables decide", async () => {
    vi.stubEnv("COLORFGBG", undefined);
    expect((await asked(identity)).ground).toBeUndefined();
    expect((await asked()).ground).toBeUndefined();
    vi.stubEnv("COLORFGBG", "0;15");
    expect((await asked(identity)).ground).toBe("light");
    vi.stubEnv("COLORFGBG", "15;default;0");
    expect((await asked()).ground).toBe("dark");
    vi.unstubAllEnvs();
  });
});

describe("the number of a terminal's colours", () => {
  const colours = (bits: number, environment: NodeJS.ProcessEnv) =>
    coloursOf({ getColorDepth: () => bits }, environment);

  it("is the reported number, and 256 if the name of the terminal contains 256", () => {
    expect([24, 8, 4, 1].map((bits) => colours(bits, { TERM: "xterm" }))).toEqual(["true", 256, 16, 16]);
    expect(colours(4, { TERM: "rxvt-unicode-256color" })).toBe(256);
  });

  it("depends on the name of the terminal in GNU screen, not on the terminal that contains it", () => {
    const STY = "1234.pts-0.here";
    expect(colours(24, { STY, TERM: "screen", COLORTERM: "truecolor" })).toBe(16);
    expect(colours(24, { STY, TERM: "screen-256color", COLORTERM: "truecolor" })).toBe(256);
  });
});
