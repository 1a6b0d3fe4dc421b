import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DocumentDraft } from "../../../source/engine/session/document/document-draft.ts";
import { DocumentHistory } from "../../../source/engine/session/document/document-history.ts";
import { OutsideChange } from "../../../source/engine/session/document/outside-change.ts";
import { editCell, writeSession } from "../../../source/engine/session/document/session-document.ts";
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
  const outside = new OutsideChange(folder, history, clock, changed);
  return {
    history,
    outside: outside,
    clock,
    changes: () => changes,
    text: () => writeSession(history.document),
    edit: (text: string) => history.change(editCell(history.document, history.document.segments[0]!.id, text)),
    /** Writes like another program, which may write equally many bytes at the same time. */
    write: (text: string) => {
      writeFileSync(`${folder.document}.new`, text);
      rmSync(folder.document);
      writeFileSync(folder.document, readFileSync(`${folder.document}.new`));
    },
    folder,
    onDisk: () => readFileSync(folder.document, "utf8"),
    save: () => {
      outside.mustBeDecided();
      history.save((text) => folder.write(text));
      outside.look();
    },
    [Symbol.dispose]: () => {
      outside.close();
      history.close();
    },
  };
}

describe("a document that another program changes while it is open", () => {
  it("is read again within a second if the user has not changed it, and undo restores the previous text", async () => {
    using session = open();
    session.write("After!\n");
    await session.clock.advance(1000);
    expect(session.text()).toBe("After!\n");
    expect(session.history.dirty).toBe(false);
    expect([session.outside.taken, session.outside.theirs, session.changes()]).toEqual([1, undefined, 1]);
    session.history.undo();
    expect(session.text()).toBe("Before\n");
  });

  it("is not written until the user decides, if the user has changed it or is editing it", async () => {
    using session = open();
    session.edit("Mine\n");
    session.write("Theirs\n");
    await session.clock.advance(1000);
    expect(session.text()).toBe("Mine\n");
    expect(session.outside.theirs).toBe("Theirs\n");
    expect(() => session.save()).toThrow("Another program has changed session.md too: nothing is saved yet");
    expect(session.onDisk()).toBe("Theirs\n");
  });

  it("can be saved next to the user's version, and later saves write the user's version", async () => {
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

  it("can replace the user's version, which one undo restores", async () => {
    using session = open();
    session.edit("Mine\n");
    session.write("Theirs\n");
    await session.clock.advance(1000);
    session.outside.take();
    expect([session.text(), session.history.dirty]).toEqual(["Theirs\n", false]);
    session.history.undo();
    expect([session.text(), session.history.dirty]).toEqual(["Mine\n", true]);
  });

  it("is detected before the next check of the file if the user saves", () => {
    using session = open();
    session.edit("Mine\n");
    session.write("Theirs\n");
    expect(() => session.save()).toThrow("nothing is saved yet");
  });

  it("is not reported after the program itself wrote it, or if the same text is written again", async () => {
    using session = open();
    session.edit("Mine\n");
    session.save();
    await session.clock.advance(2000);
    session.write("Mine\n");
    await session.clock.advance(1000);
    expect([session.text(), session.outside.taken, session.outside.theirs]).toEqual(["Mine\n", 0, undefined]);
    expect(existsSync(join(path, "session.outside.md"))).toBe(false);
  });
});

describe("a document that is removed while it is open", () => {
  const after = async (session: ReturnType<typeof open>, change: () => void) => {
    change();
    await session.clock.advance(1000);
    return session.outside.missing;
  };

  it("counts as unsaved, stays in the draft, and is written again when the user saves", async () => {
    using session = open();
    const { document } = session.folder;
    expect(session.outside.missing).toBeUndefined();
    expect(await after(session, () => rmSync(document))).toEqual({ why: "session.md was removed", isGone: true });
    expect([session.text(), session.history.dirty, session.changes()]).toEqual(["Before\n", true, 1]);
    await session.clock.advance(1000);
    expect(readFileSync(`${document}.draft`, "utf8")).toBe("Before\n");
    session.save();
    expect([session.onDisk(), session.history.dirty, session.outside.missing]).toEqual(["Before\n", false, undefined]);
    expect(existsSync(`${document}.draft`)).toBe(false);
  });

  it("is saved again when the file returns, even if the file has another program's text", async () => {
    using session = open();
    const { document } = session.folder;
    await after(session, () => renameSync(document, `${document}.away`));
    expect(await after(session, () => renameSync(`${document}.away`, document))).toBeUndefined();
    expect([session.history.dirty, existsSync(`${document}.draft`)]).toEqual([false, false]);
    await after(session, () => rmSync(document));
    await after(session, () => writeFileSync(document, "Theirs\n"));
    expect([session.text(), session.outside.taken, session.history.dirty]).toEqual(["Theirs\n", 1, false]);
  });

  it("keeps the user's changes separate from a new document at the same path", async () => {
    using session = open();
    const { document } = session.folder;
    session.edit("Mine\n");
    await after(session, () => rmSync(document));
    await after(session, () => writeFileSync(document, "Theirs\n"));
    expect([session.text(), session.outside.theirs]).toEqual(["Mine\n", "Theirs\n"]);
  });

  it("is not written to an unusable path: a folder, a special file, or a file without permission", async () => {
    using session = open();
    const { document } = session.folder;
    const asFolder = await after(session, () => (rmSync(document), mkdirSync(document)));
    expect(asFolder).toEqual({ why: "session.md is now a folder", isGone: false });
    expect(() => session.save()).toThrow("session.md is now a folder, so nothing is saved");
    rmdirSync(document);
    symlinkSync("/dev/zero", document);
    expect(() => session.save()).toThrow("session.md is no longer a file, so nothing is saved");
    rmSync(document);
    // Too many links: like a file without read permission, even for a user who may read everything.
    symlinkSync(document, document);
    expect(() => session.save()).toThrow(
      "session.md can no longer be read (ELOOP: too many symbolic links encountered)",
    );
    expect([session.text(), session.history.dirty]).toEqual(["Before\n", true]);
    rmSync(document);
    session.save();
    expect(session.onDisk()).toBe("Before\n");
  });

  it("is reported with the new path of its folder", async () => {
    using session = open();
    expect(session.folder.lock()).toBeUndefined();
    const away = `${path}-away`;
    const missing = await after(session, () => renameSync(path, away));
    renameSync(away, path);
    session.folder.unlock();
    expect(missing).toEqual({ why: `${path} was moved away or renamed while it was open`, isGone: false });
  });
});
