import { describe, expect, it } from "vitest";
import { pairedText } from "../../../source/terminal/help/help-screen.tsx";
import { enter, escape, openScreen } from "../open-screen.tsx";

const wordsOf = (text: string) => text.match(/\p{L}{2,}/gu)?.length ?? 0;

describe("the help screen", () => {
  it("shows the keys of the screen from which it was opened, in one column", async () => {
    const screen = await openScreen({ columns: 100, rows: 60 });
    await screen.press("?");
    expect(screen.text()).toMatch(/Notebook[\s\S]*Watch the run live[\s\S]*Move[\s\S]*\/ {2}Find a key of any screen/);
    expect(screen.text()).not.toContain("Set-up form");
    expect(screen.text()).not.toContain("Compare two runs");
    await screen.press(escape, "j", "e", "?");
    expect(screen.text()).toContain("Set-up form");
    expect(screen.text()).not.toContain("Watch the run live");
    await screen.close();
  });

  it("also shows keys for moving from 150 columns on, in at most 250 words", async () => {
    const screen = await openScreen({ columns: 200, rows: 60 });
    await screen.press("?");
    expect(screen.text()).toMatch(/Notebook +Move\b/);
    expect(wordsOf(screen.text())).toBeLessThanOrEqual(250);
    await screen.close();
  });

  it("can be searched for a key of any other screen", async () => {
    const screen = await openScreen({ columns: 100, rows: 60 });
    await screen.press("?", "/", "Fork: continue", enter);
    expect(screen.text()).toMatch(/▌ {3}F {2,}Fork: continue/);
    await screen.close();
  });
});

describe("two keys in one row of help", () => {
  it("have a common text if a single word differs", () => {
    expect(pairedText("Next error", "Previous error")).toBe("Next/previous error");
    expect(pairedText("First task", "Last task")).toBe("First/last task");
  });

  it("have separate texts if no word or several words differ", () => {
    expect(pairedText("Next error", "Previous place")).toBeUndefined();
    expect(pairedText("Next error", "next error")).toBeUndefined();
    expect(pairedText("Cancel", "Left")).toBeUndefined();
    expect(pairedText("Edit", "Edit all")).toBeUndefined();
  });
});
