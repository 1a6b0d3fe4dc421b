import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DocumentDraft } from "../../../source/engine/session/document/document-draft.ts";
import { DocumentHistory } from "../../../source/engine/session/document/document-history.ts";
import { editCell, insertCell, writeSession } from "../../../source/engine/session/document/session-document.ts";
import { openTestClock, type TestClock } from "../work/test-clock.ts";

const text = "# Title\n\n```run main\nsuite: appbench\n```\n\nlast words\n";
let path: string;
let clock: TestClock;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "planwright-typed-")), "session.md");
  clock = openTestClock();
  onTestFinished(() => rmSync(join(path, ".."), { recursive: true }));
});

/** A program that opens the document; it ends without cleaning up, like a killed one. */
function opened(document = text): { readonly history: DocumentHistory; readonly cell: (index: number) => string } {
  const draft = new DocumentDraft(path, clock);
  onTestFinished(() => draft.close());
  const history = new DocumentHistory(document, draft);
  return { history, cell: (index) => history.document.segments[index]!.id };
}
const kept = () => existsSync(`${path}.typed.draft`);

describe("text that is being typed in a cell", () => {
  test("is on disk after every pause, and in the editor at the next start", async () => {
    const { history, cell } = opened();
    history.keepTyped({ cell: cell(1), text: "suite: ultra" });
    await clock.advance(400);
    history.keepTyped({ cell: cell(1), text: "suite: ultratool\nlimit: " });
    await clock.advance(400);
    expect(kept()).toBe(false);
    await clock.advance(100);

    const next = opened();
    expect(next.history.typed).toEqual({ cell: next.cell(1), text: "suite: ultratool\nlimit: " });
    // The document does not change before the editor is left.
    expect(next.history.dirty).toBe(false);
  });

  test("is kept exactly, including fences and text that would end the cell", async () => {
    const { history, cell } = opened();
    const typed = "```run other\nsuite: x\n```\n \u0000\ud800";
    history.keepTyped({ cell: cell(2), text: typed });
    await clock.advance(500);
    const next = opened();
    expect(next.history.typed).toEqual({ cell: next.cell(2), text: typed });
    expect(next.history.document.segments).toHaveLength(3);
  });

  test("is deleted once the document on disk contains it, and not before", async () => {
    const { history, cell } = opened();
    history.keepTyped({ cell: cell(2), text: "first words" });
    await clock.advance(500);
    history.keepTyped(undefined);
    history.change(editCell(history.document, cell(2), "first words"));
    expect(opened().history.typed).toMatchObject({ text: "first words" });
    await clock.advance(500);
    expect(kept()).toBe(false);
    const next = opened().history;
    expect(next.typed).toBeUndefined();
    expect(writeSession(next.document)).toBe(text.replace("last", "first"));
  });

  test("is kept for front matter; it becomes a note if another program wrote other front matter", async () => {
    const front = (limit: number) => `---\ndefaults: {limit: ${limit}}\n---\n\n${text}`;
    const { history, cell } = opened(front(1));
    history.keepTyped({ cell: cell(0), text: "defaults: {limit: 2}" });
    await clock.advance(500);
    const next = opened(front(1));
    expect(next.history.typed).toEqual({ cell: next.cell(0), text: "defaults: {limit: 2}" });
    const other = opened(front(3));
    const { typed, document } = other.history;
    expect(typed?.text).toBe("defaults: {limit: 2}");
    expect(document.segments.find(({ id }) => id === typed?.cell)?.kind).toBe("note");
    expect(writeSession(document)).toContain(front(3).slice(0, 20));
  });

  test("is not restored twice if the program ended after it saved the text and before it deleted the draft", async () => {
    const { history, cell } = opened();
    history.keepTyped({ cell: cell(2), text: "first words" });
    await clock.advance(500);
    const next = opened(text.replace("last", "first")).history;
    expect(next.typed).toBeUndefined();
    expect(next.document.segments).toHaveLength(3);
  });

  test("returns to its cell even if cells were inserted before, and to a new cell if the text of its cell was changed", async () => {
    const { history, cell } = opened();
    history.keepTyped({ cell: cell(1), text: "suite: ultratool" });
    await clock.advance(500);
    const before = opened(`A note.\n\n\`\`\`run first\nsuite: x\n\`\`\`\n\n${text}`);
    expect(before.history.typed).toEqual({ cell: before.cell(3), text: "suite: ultratool" });

    const changed = opened(text.replace("suite: appbench", "suite: toolbench"));
    expect(changed.history.typed).toEqual({ cell: changed.cell(1), text: "suite: ultratool" });
    expect(changed.history.document.segments.map(({ name, source }) => `${name}: ${source}`)).toEqual([
      ": # Title",
      ": suite: appbench\n",
      "main: suite: toolbench\n",
      ": last words",
    ]);
  });

  test("returns to a new note, and leaves nothing in the document if the note is empty", async () => {
    const { history } = opened("");
    const { document, id } = insertCell(history.document, { kind: "note", name: "", source: "" }, undefined);
    history.change(document);
    history.keepTyped({ cell: id, text: "A thought" });
    await clock.advance(500);
    const next = opened("");
    expect(next.history.typed).toEqual({ cell: next.cell(0), text: "A thought" });
    expect(next.history.document.segments).toMatchObject([{ kind: "note", source: "" }]);
  });

  test("is not kept if it equals the text of the cell; invalid drafts are ignored", async () => {
    const { history, cell } = opened();
    history.keepTyped({ cell: cell(1), text: "suite: appbench" });
    await clock.advance(500);
    expect(kept()).toBe(false);
    for (const rubbish of [
      "",
      "{",
      "[]",
      '{"kind":"note"}',
      '{"place":0,"kind":"x","name":"","source":"","text":""}',
    ]) {
      writeFileSync(`${path}.typed.draft`, rubbish);
      expect(opened().history.typed).toBeUndefined();
      expect(readFileSync(`${path}.typed.draft`, "utf8")).toBe(rubbish);
    }
  });
});
