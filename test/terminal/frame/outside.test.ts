import { describe, expect, it } from "vitest";
import type { MissingDocument } from "../../../source/engine/session/document/outside-change.ts";
import { watchOutside } from "../../../source/terminal/frame/outside.ts";
import { openNavigation } from "../../../source/terminal/frame/navigation.ts";
import { openNotices } from "../../../source/terminal/frame/notices.ts";
import { Keyboard } from "../../../source/terminal/input/keyboard.ts";
import { openDouble } from "../double-workbench.ts";

/** A notebook that another program changes while it also has changes here. */
function changedOnBothSides() {
  const notices = openNotices();
  const keyboard = new Keyboard(notices);
  const navigation = openNavigation({ kind: "notebook" });
  const listeners = new Set<() => void>();
  const decided: string[] = [];
  let trouble: string | undefined;
  const outside = {
    taken: 0,
    theirs: undefined as string | undefined,
    missing: undefined as MissingDocument | undefined,
    take: () => void decided.push("theirs"),
    keep: () => (decided.push("both"), "session.outside.md"),
  };
  const workbench = Object.assign(openDouble(), {
    outside,
    settingsTrouble: () => trouble,
    subscribe: (listener: () => void) => (listeners.add(listener), () => listeners.delete(listener)),
  });
  const end = watchOutside({ workbench, notices, navigation, keyboard });
  return {
    notices,
    keyboard,
    navigation,
    decided,
    listeners,
    end,
    change(theirs: string) {
      outside.theirs = theirs;
      for (const listener of listeners) listener();
    },
    trouble(why: string | undefined) {
      trouble = why;
      for (const listener of listeners) listener();
    },
    miss(missing: MissingDocument | undefined) {
      outside.missing = missing;
      for (const listener of listeners) listener();
    },
  };
}

const nothing = () => ({ scope: "notebook" as const, commands: {}, context: () => ({ workbench: openDouble() }) });

describe("a notebook changed here and by another program", () => {
  it("asks the user at once if no text is being typed", () => {
    const { notices, keyboard, change, navigation, decided } = changedOnBothSides();
    keyboard.add(nothing);
    change("theirs");
    expect(notices.question()?.text).toContain("y loads that version, n keeps both");
    notices.answer("no");
    expect(decided).toEqual(["both"]);
    expect(navigation.places().all.at(-1)?.screen).toMatchObject({ kind: "text", text: "theirs" });
  });

  it("is reported once while a text is typed, and the question follows later, so that no typed letter answers it", () => {
    const { notices, keyboard, change, decided, end, listeners } = changedOnBothSides();
    keyboard.add(nothing);
    const typed: string[] = [];
    const leave = keyboard.add(() => ({ ...nothing(), scope: "editor", text: (text) => void typed.push(text) }));
    change("theirs");
    expect(notices.question()).toBeUndefined();
    expect(notices.current()?.text).toContain("leave the text field to choose a version");
    keyboard.press(["y"]);
    change("theirs");
    expect([typed, decided, notices.current()]).toEqual([["y"], [], undefined]);
    leave();
    expect(notices.question()?.text).toContain("y loads that version");
    end();
    expect(listeners.size).toBe(0);
  });
});

describe("a notebook whose file is missing", () => {
  it("is reported once with advice, and again when the file is back", () => {
    const { notices, miss } = changedOnBothSides();
    miss({ why: "session.md was removed", isGone: true });
    expect(notices.current()).toEqual({ tone: "bad", text: "session.md was removed: s writes the file again" });
    notices.clear();
    miss({ why: "session.md was removed", isGone: true });
    expect(notices.current()).toBeUndefined();
    miss({ why: "session.md is now a folder", isGone: false });
    expect(notices.current()?.text).toBe("session.md is now a folder: the notebook stays open");
    miss(undefined);
    expect(notices.current()?.text).toBe("session.md exists again");
  });

  it("is reported with other problems of the settings, which disappear once they are solved", () => {
    const { notices, trouble } = changedOnBothSides();
    trouble("settings.json was removed");
    expect(notices.current()).toEqual({
      tone: "bad",
      text: "The previous settings stay in use: settings.json was removed",
    });
    notices.clear();
    trouble("settings.json was removed");
    expect(notices.current()).toBeUndefined();
    trouble(undefined);
    expect(notices.current()?.text).toBe("The settings were reloaded");
  });
});
