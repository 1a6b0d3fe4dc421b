import { describe, expect, it, onTestFinished } from "vitest";
import { openScreen } from "../open-screen.tsx";
import { asking, runningWorkbench, sampleBoard } from "../sample-trajectory.ts";

describe("a painted screen", () => {
  it("starts once the terminal no longer echoes keys", async () => {
    const screen = await openScreen();
    expect(screen.stdin.raw).toBe(true);
    expect(screen.writtenBeforeRaw()).toBe("");
    await screen.close();
    expect(screen.stdin.raw).toBe(false);
  });

  it("is complete again after a library has printed something", async () => {
    const screen = await openScreen();
    const before = screen.text();
    console.log("a warning\nof several lines");
    await screen.pass();
    expect(screen.stdout.written).toContain("a warning");
    expect(screen.text()).toBe(before);
    await screen.close();
  });

  it("leaves the console unchanged, even next to another screen", async () => {
    const before = { ...console };
    // Cleanup runs in reverse order, so this check runs last.
    onTestFinished(() => expect({ ...console }).toEqual(before));
    const screens = [await openScreen(), await openScreen()];
    for (const screen of screens) await screen.close();
  });

  it("looks after a resize as if the window had always had the new size", async () => {
    const screen = await openScreen({ columns: 120, rows: 40 });
    for (const [columns, rows] of [
      [60, 20],
      [30, 5],
      [120, 20],
      [80, 24],
    ] as const) {
      screen.stdout.resize(columns, rows);
      await screen.still();
    }
    const fresh = await openScreen({ columns: 80, rows: 24 });
    expect(screen.text()).toBe(fresh.text());
    await screen.close();
    await fresh.close();
  });

  it("is complete after the window had another size for a short time", async () => {
    const screen = await openScreen();
    const before = screen.text();
    const listeners = process.listenerCount("SIGWINCH");
    screen.stdout.terminal.resize(40, 10);
    screen.stdout.terminal.resize(80, 24);
    screen.stdout.terminal.write("\x1b[2J");
    process.emit("SIGWINCH");
    await screen.still();
    expect(screen.text()).toBe(before);
    await screen.close();
    expect(process.listenerCount("SIGWINCH")).toBe(listeners - 1);
  });

  it("keeps the text of the ordinary screen in the scrollback, is drawn above the shell's prompt, and shows the cursor", async () => {
    const screen = await openScreen({ alternateScreen: false });
    const before = screen.text();
    await screen.close();
    const { active } = screen.stdout.terminal.buffer;
    expect(active.type).toBe("normal");
    expect(active.baseY).toBeGreaterThan(0);
    expect(screen.text().split("\n").slice(0, -1)).toEqual(before.split("\n").slice(1));
    expect(active.cursorY).toBe(23);
    expect(screen.stdout.written.lastIndexOf("\x1b[?25h")).toBeGreaterThan(
      screen.stdout.written.lastIndexOf("\x1b[?25l"),
    );
  });

  it("is updated by a streamed word without drawing the text around the word again", async () => {
    const workbench = runningWorkbench(sampleBoard());
    const screen = await openScreen({ workbench, columns: 200, rows: 60 });
    workbench.say("sm-004", ...asking, { type: "text", request: 0, text: "The library" });
    await screen.press("j", "L");
    const { length } = screen.stdout.written;
    workbench.say("sm-004", { type: "text", request: 0, text: " opens" });
    await new Promise((resolve) => setImmediate(resolve));
    const added = screen.stdout.written.slice(length);
    expect(added).toMatch(/\[\d+;\d+Hopens/);
    // Its position, the spinner, and the marks around a frame.
    expect(added.length).toBeLessThan(60);
    await screen.close();
  });
});
