import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DocumentDraft } from "../../../source/engine/session/document-draft.ts";
import { DocumentHistory } from "../../../source/engine/session/document-history.ts";
import { insertCell } from "../../../source/engine/session/session-document.ts";
import { SessionFolder } from "../../../source/engine/session/session-folder.ts";
import { Log } from "../../../source/engine/log/log.ts";
import { openTestClock } from "../work/test-clock.ts";
import { Recorder } from "../../../source/engine/log/recorder.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-full-"))));
afterEach(() => rmSync(folder, { recursive: true }));

describe("a document that cannot be written", () => {
  test("stays unsaved, and the old one whole", () => {
    const session = new SessionFolder(folder);
    session.write("# old\n");
    const history = new DocumentHistory(session.read());
    history.change(insertCell(history.document, { kind: "note", name: "", source: "new" }, undefined).document);
    // A folder in its place cannot be written over, as a full disk cannot be written to.
    mkdirSync(`${session.document}.new`);
    expect(() => history.save((text) => session.write(text))).toThrow("Could not write");
    expect(history.dirty).toBe(true);
    expect(readFileSync(session.document, "utf8")).toBe("# old\n");
  });

  test("leaves the draft of before where a newer one has no room", async () => {
    const clock = openTestClock();
    const draft = new DocumentDraft(join(folder, "session.md"), clock);
    draft.keep(() => "first");
    await clock.advance(600);
    mkdirSync(join(folder, "session.md.draft.new"));
    draft.keep(() => "second");
    await clock.advance(600);
    expect(draft.read()).toBe("first");
    rmSync(join(folder, "session.md.draft.new"), { recursive: true, force: true });
    draft.close();
    expect(existsSync(join(folder, "session.md.draft"))).toBe(false);
  });
});

test.skipIf(!existsSync("/dev/full"))("text that streams onto a full disk is reported by the next step", async () => {
  const clock = openTestClock();
  const log = new Log("/dev/full", undefined, { clock });
  const recorder = new Recorder(log, "task", undefined, clock);
  recorder.start({}, "question");
  await clock.advance(80);
  expect(log.broken).toBe(true);
  // Its timer runs out with nobody waiting: that must not end the program.
  recorder.take({ type: "text", request: 0, text: "words" });
  await clock.advance(300);
  expect(() => recorder.take({ type: "finish", request: 0, reason: "stop" })).toThrow("The disk is full");
});
