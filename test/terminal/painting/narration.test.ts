import { describe, expect, it } from "vitest";
import { escape, openScreen } from "../open-screen.tsx";
import { asking, runningWorkbench, sampleBoard } from "../sample-trajectory.ts";

const moves = /\x1b\[[\d;]*[A-HJKSTf]/; // oxlint-disable-line no-control-regex -- it is what is looked for

/** A live view of an answer that has begun to stream: its later output, and what the screen reader is told. */
async function streaming() {
  const workbench = runningWorkbench(sampleBoard());
  const screen = await openScreen({ workbench, screenReader: true });
  workbench.say("sm-004", ...asking, { type: "text", request: 0, text: "The library" });
  await screen.press("j", "L");
  await screen.pass(400);
  const { length } = screen.stdout.written;
  return {
    screen,
    streamed: (text: string) => workbench.say("sm-004", { type: "text", request: 0, text }),
    added: () => screen.stdout.written.slice(length),
  };
}

describe("a screen for a screen reader", () => {
  it("is printed once, then gets only new lines, and no line is overwritten", async () => {
    const screen = await openScreen({ screenReader: true });
    await screen.pass(400);
    const first = screen.stdout.written;
    expect(first).toMatch(/notebook, .*\nselected /);
    await screen.press("j");
    expect(screen.stdout.written).toBe(first);
    await screen.pass(400);
    const added = screen.stdout.written.slice(first.length);
    expect(added).toMatch(/^selected /);
    expect(added).not.toContain("notebook, ");
    expect(screen.stdout.written).not.toMatch(moves);
    expect(screen.stdout.written).not.toContain("\x1b[?1049h");
    await screen.close();
  });

  it("is printed again from the first line on a redraw", async () => {
    const screen = await openScreen({ screenReader: true });
    await screen.pass(400);
    const { length } = screen.stdout.written;
    await screen.press("\f");
    await screen.pass(400);
    expect(screen.stdout.written.slice(length)).toContain("notebook, ");
    await screen.close();
  });

  it("reports a streaming answer every three seconds", async () => {
    const { screen, streamed, added } = await streaming();
    for (let word = 0; word < 14; word++) {
      streamed(" opens");
      await screen.pass(200);
    }
    expect(added()).not.toContain("The library");
    await screen.pass(400);
    expect(added().match(/The library/g)).toHaveLength(1);
    await screen.close();
  });

  it("reports the effect of a key immediately, even during a stream", async () => {
    const { screen, streamed, added } = await streaming();
    for (let word = 0; word < 8; word++) {
      streamed(" opens");
      if (word === 0) screen.stdin.send("l");
      await screen.pass(60);
    }
    expect(added()).toMatch(/^selected /m);
    await screen.close();
  });

  it("reads the watched task instead of the strip of marks, and whole texts that a screen would truncate", async () => {
    const workbench = runningWorkbench(sampleBoard());
    const screen = await openScreen({ workbench, screenReader: true });
    await screen.pass(400);
    expect(screen.stdout.written).toContain("run prompting, hierarchical ⇄ flat · slips · ");
    await screen.press("j", "L", "g");
    await screen.pass(400);
    const said = screen.stdout.written;
    expect(said).toMatch(/selected wrong sm-000 /);
    expect(said).not.toMatch(/wrong, right|selected ·/);
    await screen.press(escape, "o");
    await screen.pass(400);
    expect(screen.stdout.written.slice(said.length)).not.toMatch(/wrong, right|selected ·/);
    await screen.close();
  });

  it("reports the changing numbers of an active run every ten seconds", async () => {
    const screen = await openScreen({ workbench: runningWorkbench(sampleBoard()), screenReader: true });
    await screen.press("j", "L");
    await screen.pass(400);
    const { length } = screen.stdout.written;
    await screen.pass(9_000);
    expect(screen.stdout.written.slice(length)).toBe("");
    await screen.pass(1_500);
    expect(screen.stdout.written.slice(length)).toMatch(
      /^1 in flight; oldest sm-004 for .*\n(running sm-004 running, .*\n)?$/,
    );
    await screen.close();
  });
});
