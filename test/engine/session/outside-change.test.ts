import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DocumentDraft } from "../../../source/engine/session/document-draft.ts";
import { DocumentHistory } from "../../../source/engine/session/document-history.ts";
import { OutsideChange } from "../../../source/engine/session/outside-change.ts";
import { editCell, writeSession } from "../../../source/engine/session/session-document.ts";
import { SessionFolder } from "../../../source/engine/session/session-folder.ts";
import { openTestClock } from "../work/test-clock.ts";

let path = "";
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "planwright-outside-"));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

function open() {
  const clock = openTestClock();
  const folder = new SessionFolder(path);
  writeFileSync(folder.document, "Before\n");
  let changes = 0;
  const changed = () => void (changes += 1);
  const history = new DocumentHistory(folder.read(), new DocumentDraft(folder.document, clock));
  const outside = new OutsideChange(folder.document, history, clock, changed);
  return {
    history,
    outside: outside,
    clock,
    changes: () => changes,
    text: () => writeSession(history.document),
    edit: (text: string) => history.change(editCell(history.document, history.document.segments[0]!.id, text)),
    /** As another program does, which may write as much in the same moment. */
    write: (text: string) => {
      writeFileSync(`${folder.document}.new`, text);
      rmSync(folder.document);
      writeFileSync(folder.document, readFileSync(`${folder.document}.new`));
    },
    onDisk: () => readFileSync(folder.document, "utf8"),
    save: () => {
      outside.mustBeDecided();
      history.save((text) => folder.write(text));
    },
    [Symbol.dispose]: () => {
      outside.close();
      history.close();
    },
  };
}

describe("a document that another program changes while it is open", () => {
  it("is read again within a second where nothing was changed here, and what was here can be brought back", async () => {
    using session = open();
    session.write("After!\n");
    await session.clock.advance(1000);
    expect(session.text()).toBe("After!\n");
    expect(session.history.dirty).toBe(false);
    expect([session.outside.taken, session.outside.theirs, session.changes()]).toEqual([1, undefined, 1]);
    session.history.undo();
    expect(session.text()).toBe("Before\n");
  });

  it("is left alone where it was changed here too, or is being typed in, until somebody decides", async () => {
    using session = open();
    session.edit("Mine\n");
    session.write("Theirs\n");
    await session.clock.advance(1000);
    expect(session.text()).toBe("Mine\n");
    expect(session.outside.theirs).toBe("Theirs\n");
    expect(() => session.save()).toThrow("Another program has changed session.md too: nothing is written yet");
    expect(session.onDisk()).toBe("Theirs\n");
  });

  it("is kept beside ours, and saving then writes ours", async () => {
    using session = open();
    session.edit("Mine\n");
    session.write("Theirs\n");
    await session.clock.advance(1000);
    writeFileSync(join(path, "session.outside.md"), "older");
    const kept = session.outside.keep()!;
    expect(kept).toBe(join(path, "session.outside-2.md"));
    expect(readFileSync(kept, "utf8")).toBe("Theirs\n");
    expect(session.history.dirty).toBe(true);
    session.save();
    expect(session.onDisk()).toBe("Mine\n");
    await session.clock.advance(1000);
    expect([session.text(), session.outside.theirs, session.outside.taken]).toEqual(["Mine\n", undefined, 0]);
  });

  it("is taken in place of ours, which one undo brings back", async () => {
    using session = open();
    session.edit("Mine\n");
    session.write("Theirs\n");
    await session.clock.advance(1000);
    session.outside.take();
    expect([session.text(), session.history.dirty]).toEqual(["Theirs\n", false]);
    session.history.undo();
    expect([session.text(), session.history.dirty]).toEqual(["Mine\n", true]);
  });

  it("is noticed when it is saved before the second is over", () => {
    using session = open();
    session.edit("Mine\n");
    session.write("Theirs\n");
    expect(() => session.save()).toThrow("nothing is written yet");
  });

  it("is not thought changed by our own writing, by the same text written again, or because it is gone", async () => {
    using session = open();
    session.edit("Mine\n");
    session.save();
    await session.clock.advance(2000);
    session.write("Mine\n");
    await session.clock.advance(1000);
    rmSync(join(path, "session.md"));
    await session.clock.advance(1000);
    expect([session.text(), session.outside.taken, session.outside.theirs]).toEqual(["Mine\n", 0, undefined]);
    expect(existsSync(join(path, "session.outside.md"))).toBe(false);
  });
});
