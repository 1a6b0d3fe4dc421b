import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DocumentDraft } from "../../../source/engine/session/document/document-draft.ts";
import { DocumentHistory } from "../../../source/engine/session/document/document-history.ts";
import { insertCell } from "../../../source/engine/session/document/session-document.ts";
import { SessionFolder } from "../../../source/engine/session/session-folder.ts";
import { writeFigures } from "../../../source/engine/figures/export-files.ts";
import type { Figure } from "../../../source/engine/figure.ts";
import { Log } from "../../../source/engine/log/file/log.ts";
import { breakWhere, breakableFiles, fillDisk } from "../files/faulty-files.ts";
import { openTestClock } from "../work/test-clock.ts";
import { Recorder } from "../../../source/engine/log/recorder.ts";

breakableFiles();

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-full-"))));
afterEach(() => {
  breakWhere();
  rmSync(folder, { recursive: true });
});

describe("a document that cannot be written", () => {
  test("stays unsaved, and the previous document stays complete", () => {
    const session = new SessionFolder(folder);
    session.write("# old\n");
    const history = new DocumentHistory(session.read());
    history.change(insertCell(history.document, { kind: "note", name: "", source: "new" }, undefined).document);
    fillDisk();
    expect(() => history.save((text) => session.write(text))).toThrow(
      `Could not write ${session.document}: the disk is full`,
    );
    expect(history.dirty).toBe(true);
    expect(readFileSync(session.document, "utf8")).toBe("# old\n");
  });

  test("keeps the previous draft if there is no room for a newer draft", async () => {
    const clock = openTestClock();
    const draft = new DocumentDraft(join(folder, "session.md"), clock);
    draft.keep(() => "first");
    await clock.advance(600);
    fillDisk();
    draft.keep(() => "second");
    await clock.advance(600);
    expect(draft.read()).toBe("first");
    breakWhere();
    draft.close();
    expect(existsSync(join(folder, "session.md.draft"))).toBe(false);
  });
});

test("an earlier export stays complete when the disk is full, and the error names the file", async () => {
  const table = (value: string): Figure => ({
    kind: "table",
    title: "Table",
    notes: [],
    columns: [{ title: "a", align: "left" }],
    rows: [[{ text: value }]],
  });
  const write = (value: string) =>
    writeFigures(
      { figures: [table(value)], warnings: [], colourOf: () => undefined, runOf: () => undefined },
      "table",
      folder,
      "csv",
    );
  const [path] = await write("old");
  const old = readFileSync(path!, "utf8");
  fillDisk();
  await expect(write("new")).rejects.toThrow(`Could not write ${path}: the disk is full`);
  expect(readFileSync(path!, "utf8")).toBe(old);
  expect(readdirSync(folder)).toEqual(["table.csv"]);
});

test.skipIf(!existsSync("/dev/full"))(
  "streamed text that cannot be saved on a full disk is reported with the next step",
  async () => {
    const clock = openTestClock();
    const log = new Log("/dev/full", undefined, { clock });
    const recorder = new Recorder(log, "task", undefined, clock);
    recorder.start({}, "question");
    await clock.advance(80);
    expect(log.broken).toBe(true);
    // Its timer fires with no caller waiting, which must not end the program.
    recorder.take({ type: "text", request: 0, text: "words" });
    await clock.advance(300);
    expect(() => recorder.take({ type: "finish", request: 0, reason: "stop" })).toThrow("The disk is full");
  },
);
