import { readFileSync } from "node:fs";
import type { Key } from "ink";
import { describe, expect, it } from "vitest";
import type { Layer } from "../../../source/terminal/input/keyboard.ts";
import { chordsOf } from "../../../source/terminal/input/chord.ts";
import { keyPage, withKeys } from "../../../build/key-page.ts";
import { Keyboard } from "../../../source/terminal/input/keyboard.ts";
import { keyGroups, keyName, keyTable } from "../../../source/terminal/input/keys.ts";
import { openNotices } from "../../../source/terminal/frame/notices.ts";
import { openDouble } from "../double-workbench.ts";

const none = {} as Key;
/** Enough iterations of the event loop for all pressed keys; nothing here waits for time. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe("chords of keys", () => {
  it("are separated if several keys arrive together", () => {
    expect(chordsOf("dd", none)).toEqual(["d", "d"]);
    expect(chordsOf("ja b\r", none)).toEqual(["j", "a", "space", "b", "enter"]);
    expect(chordsOf("日本", none)).toEqual(["日", "本"]);
    expect(chordsOf("x\x10", none)).toEqual(["x", "ctrl+p"]);
    // Twice Esc.
    expect(chordsOf("", { ...none, escape: true, meta: true })).toEqual(["esc", "esc"]);
  });
  it("consist of keys with their modifiers", () => {
    expect(chordsOf("", { ...none, return: true, shift: true })).toEqual(["shift+enter"]);
    expect(chordsOf("p", { ...none, ctrl: true })).toEqual(["ctrl+p"]);
    expect(chordsOf("G", { ...none, shift: true })).toEqual(["G"]);
    expect(chordsOf("", { ...none, upArrow: true })).toEqual(["up"]);
    expect(chordsOf("", { ...none, escape: true, meta: true, eventType: "press" })).toEqual(["esc"]);
    expect(chordsOf("", { ...none, return: true, eventType: "release" })).toEqual([]);
  });
});

describe("the table of keys", () => {
  it("gives each key one meaning per screen", () => {
    for (const { title, bindings } of keyGroups()) {
      const keys = bindings.flatMap((binding) => binding.keys);
      expect([title, keys.filter((key, index) => keys.indexOf(key) !== index)]).toEqual([title, []]);
    }
  });
  it("has no sequence that starts with another key", () => {
    for (const { bindings } of keyGroups()) {
      const keys = bindings.flatMap((binding) => binding.keys);
      for (const key of keys.filter((each) => each.includes(" "))) expect(keys).not.toContain(key.split(" ")[0]);
    }
  });
  it("has an alternative for each key that some terminals cannot send", () => {
    for (const { keys } of Object.values(keyTable).flat()) {
      if (keys.length === 0) continue;
      expect(keys.some((key) => !/^(shift\+enter|alt\+enter|ctrl\+(left|right|home|end))$/.test(key))).toBe(true);
    }
  });
  it("contains no Alt with a key that can follow Esc, because a terminal sends both in the same way", () => {
    const keys = Object.values(keyTable).flatMap((bindings) => bindings.flatMap((binding) => binding.keys));
    const risky = keys.filter((key) => /^alt\+(.|enter|up|down|space)$/.test(key));
    expect(risky).toEqual([]);
  });
  it("has a key that leaves every screen", () => {
    for (const { scope, bindings } of keyGroups()) {
      if (scope === "notebook" || scope === "everywhere") continue;
      expect([scope, bindings.some(({ keys }) => keys.includes("esc"))]).toEqual([scope, true]);
    }
  });
  it("equals the table of the documentation", () => {
    const page = readFileSync(keyPage, "utf8");
    expect(page, "run `node build/key-page.ts`").toBe(withKeys(page));
    expect(page).toContain("`r` run");
    expect(keyName("+")).toBe("+");
    expect(keyName("d d")).toBe("dd");
  });
});

describe("the keyboard", () => {
  function context() {
    const notices = openNotices();
    const keyboard = new Keyboard(notices);
    const done: string[] = [];
    const workbench = openDouble();
    const layer =
      (scope: Layer["scope"], names: readonly string[], more: Partial<Layer> = {}) =>
      () => ({
        scope,
        commands: Object.fromEntries(names.map((name) => [name, () => void done.push(`${scope}.${name}`)])),
        context: () => ({ workbench }),
        ...more,
      });
    return { notices, keyboard, done, layer };
  }

  it("handles keys typed ahead in order, each on the screen that the previous key opened", async () => {
    const { keyboard, done, layer } = context();
    keyboard.add(layer("everywhere", ["help"]));
    keyboard.add(layer("notebook", ["down"], {}));
    let opened = false;
    keyboard.settleWith((then) => {
      // A screen that appears a little after the key that opened it.
      if (done.at(-1) === "everywhere.help" && !opened) {
        opened = true;
        const appear = () => {
          keyboard.add(layer("text", ["down"]));
          then();
        };
        setImmediate(() => setImmediate(() => setImmediate(appear)));
      } else setImmediate(then);
    });
    keyboard.press(["j", "?", "j"]);
    await settled();
    expect(done).toEqual(["notebook.down", "everywhere.help", "text.down"]);
  });

  it("waits for the second key of a sequence, and handles another key as usual", async () => {
    const { keyboard, done, layer } = context();
    keyboard.add(() => ({
      ...layer("notebook", ["delete", "down"])(),
      context: () => ({ workbench: openDouble(), cell: openDouble().cells()[0]! }),
    }));
    keyboard.press(["d"]);
    await settled();
    expect(keyboard.pending()).toBe("d");
    keyboard.press(["d"]);
    await settled();
    keyboard.press(["d", "j"]);
    await settled();
    expect(done).toEqual(["notebook.delete", "notebook.down"]);
  });

  it("gives the reason why a key cannot be used, and ignores unknown keys", async () => {
    const { keyboard, notices, done, layer } = context();
    keyboard.add(layer("notebook", ["run"]));
    keyboard.press(["r"]);
    await settled();
    expect(notices.current()?.text).toBe("There is no cell yet: b adds one");
    keyboard.press(["%"]);
    await settled();
    expect(notices.current()?.text).toMatch(/% has no function here/);
    expect(done).toEqual([]);
  });

  it("passes characters to a text field immediately, and separates Esc from a letter that arrives with it", async () => {
    const { keyboard, done, layer } = context();
    const texts: string[] = [];
    keyboard.add(layer("notebook", ["down"]));
    const remove = keyboard.add(layer("editor", ["leave"], { text: (text) => void texts.push(text) }));
    keyboard.press([..."hello?"]);
    await settled();
    expect(texts).toEqual(["hello?"]);
    keyboard.press(["alt+j"]);
    keyboard.settleWith((then) => {
      if (done.includes("editor.leave")) remove();
      setImmediate(then);
    });
    await settled();
    expect(done).toEqual(["editor.leave", "notebook.down"]);
  });

  it("passes Ctrl+C, Ctrl+Z and Ctrl+L through any dialog", async () => {
    const { keyboard, done, layer } = context();
    keyboard.add(layer("everywhere", ["interrupt", "suspend", "redraw"]));
    keyboard.add(layer("editor", ["leave"], { text: () => {} }));
    keyboard.add(layer("question", ["yes"], { otherwise: () => done.push("no") }));
    keyboard.press(["ctrl+c", "ctrl+z", "ctrl+l", "k"]);
    await settled();
    expect(done).toEqual(["everywhere.interrupt", "everywhere.suspend", "everywhere.redraw", "no"]);
  });
});
