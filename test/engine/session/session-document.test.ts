import { describe, expect, test } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import {
  editCell,
  insertCell,
  moveCell,
  readSession,
  removeCell,
  sessionTitle,
  writeSession,
} from "../../../source/engine/session/session-document.ts";

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
  test("is read into notes, runs and analyses", () => {
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

  test("is titled by its first heading", () => {
    expect(sessionTitle(readSession(text))).toBe("Does seeing every API at once help?");
    expect(sessionTitle(readSession("no heading"))).toBeUndefined();
  });

  test("is written back byte for byte, whatever it holds", () => {
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

  test("changes only the cell that is edited", () => {
    const document = readSession(text);
    const changed = writeSession(editCell(document, "c1", "suite: ultratool\n"));
    expect(changed).toBe(text.replace(/suite: appbench[^\n]*\nprompting[^\n]*\n/, "suite: ultratool\n"));
  });

  test("keeps a fence inside a cell from ending it", () => {
    const document = editCell(readSession(text), "c1", "a: |\n```\nb: 1\n");
    const again = readSession(writeSession(document));
    expect(again.segments[1]!.source).toBe("a: |\n```\nb: 1\n");
    expect(again.segments).toHaveLength(4);
  });

  test("takes new cells anywhere and reads them back as they were put", () => {
    for (const after of [undefined, "c0", "c1", "c2", "c3"]) {
      const { document } = insertCell(readSession(text), { kind: "run", name: "more", source: "suite: x" }, after);
      const again = readSession(writeSession(document));
      expect(again.segments.filter(({ name }) => name === "more").map(({ source }) => source)).toEqual(["suite: x\n"]);
      expect(again.segments).toHaveLength(5);
    }
    const { document } = insertCell(readSession(""), { kind: "note", name: "", source: "# New" }, undefined);
    expect(writeSession(document)).toBe("# New\n");
  });

  test("loses and moves cells without touching the others' text", () => {
    const document = readSession(text);
    expect(writeSession(removeCell(document, "c2"))).not.toContain("pane: scale");
    const moved = readSession(writeSession(moveCell(document, "c2", -1)));
    expect(moved.segments.map(({ name }) => name)).toEqual(["", "heat", "prompting", ""]);
    expect(moved.segments[2]!.source).toBe(document.segments[1]!.source);
  });
});
