import { describe, expect, it, test } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import {
  editCell,
  insertCell,
  moveCell,
  readSession,
  removeCell,
  sessionTitle,
  strayBlocks,
  writeSession,
} from "../../../source/engine/session/document/session-document.ts";

const text = [
  "# Does seeing every API at once help?\r\n",
  "\r\n",
  "AppBench asks for one plan over many apps.\r\n",
  "\r\n",
  "```run prompting\n",
  "suite: appbench   # the benchmark\n",
  "prompting: [hierarchical, flat]\n",
  "```\n",
  "\n",
  "\n",
  "~~~analysis heat\n",
  "pane: scale\n",
  "~~~\n",
  "Words right below.\n",
  "\n",
  "````markdown\n",
  "```run shown, not meant\n",
  "```\n",
  "````\n",
  "```python\n",
  "print('an unknown fence survives')\n",
  "```\n",
  "   \n",
].join("");

describe("a session document", () => {
  test("is parsed into notes, runs and analyses", () => {
    const { segments } = readSession(text);
    expect(segments.map(({ kind, name }) => [kind, name])).toEqual([
      ["note", ""],
      ["run", "prompting"],
      ["analysis", "heat"],
      ["note", ""],
    ]);
    expect(segments[1]!.source).toBe("suite: appbench   # the benchmark\nprompting: [hierarchical, flat]\n");
    expect(segments[3]!.source).toContain("```run shown, not meant");
  });

  test("takes its title from its first heading", () => {
    expect(sessionTitle(readSession(text))).toBe("Does seeing every API at once help?");
    expect(sessionTitle(readSession("no heading"))).toBeUndefined();
  });

  test("is written back byte for byte with any content", () => {
    expect(writeSession(readSession(text))).toBe(text);
    const random = randomFrom(7);
    const pieces = [
      "```run a\n",
      "```\n",
      "~~~\n",
      "````\n",
      "\n",
      " \r\n",
      "text",
      "# h\n",
      "```analysis\r\n",
      "a: 1\n",
      "~~~run\n",
      "\u0000",
      "```run",
    ];
    for (let round = 0; round < 3000; round++) {
      const made = Array.from(
        { length: Math.floor(random() * 12) },
        () => pieces[Math.floor(random() * pieces.length)],
      ).join("");
      expect(writeSession(readSession(made))).toBe(made);
    }
  });

  test("changes only in the cell that is edited", () => {
    const document = readSession(text);
    const changed = writeSession(editCell(document, "c1", "suite: ultratool\n"));
    expect(changed).toBe(text.replace(/suite: appbench[^\n]*\nprompting[^\n]*\n/, "suite: ultratool\n"));
  });

  test("treats a code fence inside a cell as part of the cell", () => {
    const document = editCell(readSession(text), "c1", "a: |\n```\nb: 1\n");
    const again = readSession(writeSession(document));
    expect(again.segments[1]!.source).toBe("a: |\n```\nb: 1\n");
    expect(again.segments).toHaveLength(4);
  });

  test("accepts new cells anywhere, and reads these cells back unchanged", () => {
    for (const after of [undefined, "c0", "c1", "c2", "c3"]) {
      const { document } = insertCell(readSession(text), { kind: "run", name: "more", source: "suite: x" }, after);
      const again = readSession(writeSession(document));
      expect(again.segments.filter(({ name }) => name === "more").map(({ source }) => source)).toEqual(["suite: x\n"]);
      expect(again.segments).toHaveLength(5);
    }
    const { document } = insertCell(readSession(""), { kind: "note", name: "", source: "# New" }, undefined);
    expect(writeSession(document)).toBe("# New\n");
  });

  test("deletes and moves cells without changing other cells' text", () => {
    const document = readSession(text);
    expect(writeSession(removeCell(document, "c2"))).not.toContain("pane: scale");
    const moved = readSession(writeSession(moveCell(document, "c2", -1)));
    expect(moved.segments.map(({ name }) => name)).toEqual(["", "heat", "prompting", ""]);
    expect(moved.segments[2]!.source).toBe(document.segments[1]!.source);
  });
});

describe("front matter", () => {
  const front = "---\r\ntitle: A paper # kept\r\ndefaults:\n  model: lab/llama\n---  \n";
  const whole = `${front}\n${text}`;

  test("is a separate cell before all others, and is written back byte for byte", () => {
    const { segments } = readSession(whole);
    expect(segments.map(({ kind }) => kind)).toEqual(["front-matter", "note", "run", "analysis", "note"]);
    expect(segments[0]!.source).toBe("title: A paper # kept\r\ndefaults:\n  model: lab/llama\n");
    expect(writeSession(readSession(whole))).toBe(whole);
    expect(writeSession(readSession("---\na: 1\n---"))).toBe("---\na: 1\n---");
  });

  test("is unchanged by edits of other cells, and edits of the front matter change no other cell", () => {
    const document = readSession(whole);
    const edited = writeSession(editCell(document, "c2", "suite: ultratool\n"));
    expect(edited.startsWith(front)).toBe(true);
    expect(writeSession(editCell(document, "c0", "defaults: {limit: 5}"))).toBe(
      `---\r\ndefaults: {limit: 5}\n---  \n\n${text}`,
    );
  });

  test("is not recognised if it does not start in the first line, or is not closed", () => {
    for (const other of ["\n---\na: 1\n---\n", "---\na: 1\n", "--- x\na: 1\n---\n", "----\na: 1\n---\n"]) {
      expect(readSession(other).segments.map(({ kind }) => kind)).toEqual(["note"]);
      expect(writeSession(readSession(other))).toBe(other);
    }
  });

  test("is not closed by text inside it", () => {
    const edited = editCell(readSession(whole), "c0", "defaults:\n---\n...\nmore: 1");
    expect(readSession(writeSession(edited)).segments.map(({ kind }) => kind)).toEqual(
      readSession(whole).segments.map(({ kind }) => kind),
    );
    expect(edited.segments[0]!.source).toBe("defaults:\n# ---\n# ...\nmore: 1\n");
  });

  test("is inserted once, before all cells, and stays first", () => {
    const cell = { kind: "front-matter", name: "", source: "defaults:\n  limit: 5" } as const;
    const { document } = insertCell(readSession(text), cell, "c1");
    expect(writeSession(document)).toBe(`---\ndefaults:\n  limit: 5\n---\n\n${text}`);
    expect(readSession(writeSession(document)).segments).toHaveLength(5);
    expect(() => insertCell(document, cell, undefined)).toThrow("Expected a session without front matter");
    const note = insertCell(document, { kind: "note", name: "", source: "Above" }, undefined);
    expect(note.document.segments.slice(0, 2).map(({ source }) => source)).toEqual([
      "defaults:\n  limit: 5\n",
      "Above",
    ]);
    expect(moveCell(document, document.segments[0]!.id, 1)).toBe(document);
    expect(moveCell(document, document.segments[1]!.id, -1)).toBe(document);
    expect(writeSession(insertCell(readSession(""), cell, undefined).document)).toBe(
      "---\ndefaults:\n  limit: 5\n---\n",
    );
  });
});

describe("a block that looks like a cell", () => {
  const named = (text: string) => {
    const document = readSession(text);
    return document.segments.flatMap(({ id, kind }) => (kind === "note" ? strayBlocks(document, id) : []));
  };

  it("is reported with its line in the document and the correct first line", () => {
    const text = "# Mine\n\n```run a\nsuite: own\n```\n\nText\n\n```yaml\nsuite: own\n```\n\n```\npane: errors\n```\n";
    expect(named(text)).toEqual([
      "The block in line 9 of the document has `suite:` but is not a cell, so it has no effect: begin it with ```run NAME",
      "The block in line 13 of the document has `pane:` but is not a cell, so it has no effect: begin it with ```analysis NAME",
    ]);
  });

  it.each([
    "```yaml\nmodel: a\n```\n",
    "suite: own\n",
    "```python\nsuite: int\n```\n",
    "````markdown\n```yaml\nsuite: own\n```\n````\n",
    "```yaml\nsuite: own\n",
    "```yaml\nspec:\n  suite: own\n```\n",
  ])("is not reported for text like %j", (text) => {
    expect(named(text)).toEqual([]);
  });
});
