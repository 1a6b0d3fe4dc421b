import { describe, expect, it } from "vitest";
import {
  causeText,
  briefCause,
  earlyEnding,
  endingText,
  hasOwnMistakes,
  isUnread,
  unreadText,
} from "../../../source/engine/log/rows/cause-text.ts";
import {
  kindTitle,
  mistakeAbout,
  mistakePlaces,
  mistakeText,
  overruledText,
  scoreText,
  wordsAt,
} from "../../../source/engine/log/rows/mistake-text.ts";
import { isIncomplete, replyNotes, RunNotes } from "../../../source/engine/log/rows/run-warnings.ts";
import { noteName } from "../../../source/engine/log/rows/row-notes.ts";
import type { Entry } from "../../../source/engine/log/trajectory.ts";
import type { Cause, NoteKind, Row, RunSpec } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";

const errorKinds = [
  { name: "value-space", title: "Wrong place" },
  { name: "wrong-app", title: "Wrong app" },
];

describe("the text of a mistake", () => {
  it("contains the details, and the kind if its title differs from the details", () => {
    const text = (kind: string, more: object = {}) => mistakeText({ kind, ...more }, { errorKinds });
    expect(text("value-space", { key: "town", expected: "'a'", got: "'b'", note: "n" })).toBe(
      "Wrong place (value-space): town, expected 'a', got 'b', n",
    );
    expect([text("wrong-app"), text("gone"), text("no-mistake")]).toEqual(["Wrong app", "gone", "No mistake"]);
    expect([mistakeAbout({ kind: "x" }), mistakeAbout({ kind: "x", note: "n" })]).toEqual(["", "n"]);
    expect(kindTitle("no-mistake", errorKinds)).toBe("No mistake");
  });

  it("names nothing in the place of an empty value", () => {
    expect(mistakeAbout({ kind: "x", expected: "", got: "" })).toBe("expected nothing, got nothing");
  });

  it("describes a correction and a score", () => {
    const override = { was: "value-space", source: "ada", reason: "two names" } as never;
    expect(overruledText({ kind: "x", override }, { errorKinds })).toBe("changed from Wrong place by ada: two names");
    expect(overruledText({ kind: "x" }, { errorKinds })).toBeUndefined();
    expect([scoreText(undefined), scoreText(1), scoreText(0.12345)]).toEqual(["no score", "1", "0.1235"]);
  });
});

describe("the place of a mistake", () => {
  const turn = (text: string, calls: readonly string[] = [], role = "model") =>
    ({ kind: "turn", role, text, calls: calls.map((each) => ({ text: each })) }) as unknown as Entry;
  const place = (entries: readonly Entry[], got: string | undefined, key?: string) =>
    mistakePlaces(entries, [{ kind: "x", ...(got !== undefined && { got }), ...(key !== undefined && { key }) }])[0];

  it("is the occurrence of its words at most sixty characters after the key, otherwise the last occurrence", () => {
    expect(place([turn("city: Rome, then Rome")], "Rome", "city")).toEqual({ entry: 0, from: 6, to: 10 });
    expect(place([turn("city: Rome, then Rome")], "Rome")).toEqual({ entry: 0, from: 17, to: 21 });
    const far = (gap: number) => place([turn(`city${" ".repeat(gap)}Rome and Rome`)], "Rome", "city")!.from! - gap;
    expect([far(56), far(57)]).toEqual([4, 13]);
    expect(place([turn("Rome"), turn("Rome again"), turn("none")], "Rome")).toMatchObject({ entry: 1 });
  });

  it("is found without remarks and quotes; short words are found only next to a key", () => {
    expect(place([turn("a Rome b")], '"Rome" (the town)')).toEqual({ entry: 0, from: 2, to: 6 });
    expect(place([turn("a Rome b")], "'Rome'")).toEqual({ entry: 0, from: 2, to: 6 });
    expect(place([turn("day 12 of 12")], "12")).toEqual({ entry: 0 });
    expect(place([turn("day 12 of 12")], "12", "day")).toEqual({ entry: 0, from: 4, to: 6 });
    expect(place([turn("it is abc")], "abc")).toEqual({ entry: 0, from: 6, to: 9 });
  });

  it("is in a call, or in the last non-empty reply; a judge's mistake has no place", () => {
    expect(place([turn("", ['{"a":"Rome"}', '{"b":"Rome"}'])], "Rome")).toEqual({ entry: 0, call: 1, from: 6, to: 10 });
    expect(place([turn("one"), turn("")], undefined)).toEqual({ entry: 0 });
    expect(place([turn("", ["", "x"])], undefined)).toEqual({ entry: 0, call: 1 });
    expect(place([turn("Rome"), turn("Rome", [], "judge")], "Rome")).toMatchObject({ entry: 0 });
    expect(place([turn("Rome", [], "judge")], "Rome")).toBeUndefined();
    expect(place([], "Rome")).toBeUndefined();
  });

  it("contains the words of the mistake, or no words if the mistake has no position in them", () => {
    const entry = turn("city: Rome", ["abc"]);
    expect(wordsAt(entry, { entry: 0, from: 6, to: 10 })).toBe("Rome");
    expect(wordsAt(entry, { entry: 0, call: 0, from: 1, to: 2 })).toBe("b");
    expect(wordsAt(entry, { entry: 0, call: 3, from: 0, to: 2 })).toBe("");
    expect([wordsAt(entry, { entry: 0 }), wordsAt({ kind: "note" } as Entry, { entry: 0, from: 0, to: 1 })]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("the text of a cause", () => {
  it("contains the limit that truncated the reply, or another detail", () => {
    const text = (cause: Cause["cause"], detail?: string) =>
      causeText({ cause, ...(detail !== undefined && { detail }) });
    expect([text("cut"), text("cut", "the context"), text("cut", "maxTokens 9")]).toEqual([
      "cut",
      "cut at the context",
      "cut at 9 tokens",
    ]);
    expect([text("limit", "step-limit"), text("empty"), text("wrapped", "fence")]).toEqual([
      expect.stringMatching(/^ended by a limit \(/),
      "empty",
      "wrapped (fence)",
    ]);
    expect(text("empty", "cut, too (the context)")).toBe("empty (also cut at the context)");
    expect(briefCause({ cause: "limit", detail: "x" })).toBe("ended by a limit");
  });

  it("reports whether an answer was read, and how a task ended early", () => {
    const row = (cause: string | undefined, more: object = {}) =>
      bareRow("r", "t", { ...(cause && { cause: { cause } as Cause }), ...more });
    const names = [
      "read",
      "cut",
      "wrapped",
      "other-form",
      "no-call",
      "unknown-tool",
      "empty",
      "refused",
      "repeats",
      "echo",
    ];
    expect(names.filter((name) => isUnread(row(name)))).toEqual(names.slice(1));
    expect(["context", "limit", "environment", undefined].map((name) => isUnread(row(name)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const score = { value: 0, metrics: {}, checks: [], errors: [] };
    const failure = { kind: "timeout", message: "3 s" } as const;
    expect([row("read"), row("cut"), row(undefined), row(undefined, { score, failure })].map(hasOwnMistakes)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([endingText(row(undefined, { score, failure })), endingText(row("read")), endingText(row("empty"))]).toEqual(
      ["no reply (3 s)", undefined, "empty"],
    );
    const early = (...of: Parameters<typeof row>) => earlyEnding(row(...of));
    expect(early(undefined, { score, failure })).toBe("without a reply (3 s)");
    expect(early(undefined, { score, failure: { kind: "context", message: "" } })).toBeUndefined();
    expect([early("limit", { score }), early("limit"), early("cut", { score })]).toEqual([
      "by a limit",
      undefined,
      undefined,
    ]);
  });

  it("counts unread answers by cause, the most frequent first", () => {
    expect(unreadText({ empty: 1, wrapped: 3 }, 9)).toBe("4 of 9 not read: 3 wrapped, 1 empty");
    expect(unreadText({ "without a reply": 1 }, 9)).toBe("1 of 9 ended early: 1 without a reply");
    expect(unreadText({}, 9)).toBeUndefined();
    expect(unreadText({ "repeats itself": 1, "echoes its prompt": 1 }, 2)).toBe(
      "2 of 2 not read: 1 repeats itself, 1 echoes its prompt",
    );
    expect(unreadText({ "repeats itself": 3, "echoes its prompt": 2 }, 5)).toBe(
      "5 of 5 not read: 3 repeat themselves, 2 echo their prompts",
    );
  });
});

describe("the notes of replies", () => {
  const notes = (finish: object, hasAnswer = true) =>
    replyNotes({ type: "finish", reason: "stop", ...finish } as never, "m", hasAnswer).map(noteName);

  it("report how a reply ended, and how the server changed it", () => {
    expect(["length", "content_filter", "refusal", "stop"].map((reason) => notes({ reason })[0])).toEqual([
      "reply:cut",
      "reply:filtered",
      "reply:refused",
      undefined,
    ]);
    expect([notes({}, false), notes({ reason: "length" }, false)]).toEqual([["reply:empty"], ["reply:cut"]]);
    expect(notes({ without: ["seed"], adjusted: ["tools-in-prompt"], model: "n" })).toEqual([
      "without:seed:m",
      "adjusted:tools-in-prompt:m",
      "answered:m n",
    ]);
  });

  const row = (...kinds: readonly NoteKind[]): Row => ({
    ...bareRow("r", "t", { calls: 2 }),
    notes: kinds.map((note) => ({ ...note, times: 1 })),
  });
  const warned = (of: Row, spec: RunSpec | undefined = undefined) => {
    const counted = new RunNotes();
    counted.add(of, spec);
    const saved = new RunNotes();
    saved.restore(counted.saved());
    expect(saved.warnings(spec)).toEqual(counted.warnings(spec));
    counted.add(of, spec, -1);
    expect(counted.warnings(spec)).toEqual([]);
    return saved.warnings(spec);
  };

  it("count as warnings while a row contains such a note", () => {
    expect(warned(row({ type: "reply", how: "cut" }))).toEqual([
      "1 of 2 replies cut at maxTokens or at the context limit",
    ]);
    expect(warned(row({ type: "without", field: "seed", model: "m" }), bareSpec("s", { seed: 7 }))).toEqual([
      "m does not accept `seed`; 7 was not sent",
    ]);
    expect(
      warned(row({ type: "without", field: "temperature", model: "m" }), bareSpec("s", { temperature: 0.3 })),
    ).toEqual(["m does not accept `temperature`; its own default was used, not 0.3"]);
    expect(warned(row({ type: "note", kind: "same-reply" }))[0]).toContain("1 request sent again at temperature 0");
    expect(warned(row({ type: "note", kind: "equal-children" }))[0]).toContain("The search tree of 1 task");
    expect(warned(row({ type: "note", kind: "calls-not-repeated" }))[0]).toContain("1 forked task");
    expect(warned(row({ type: "note", kind: "other" }))).toEqual([]);
    expect(warned(row({ type: "answer-from", run: "x", judge: undefined }))[0]).toContain("1 answer reused from run x");
    expect(warned(row({ type: "answer-from", run: "x", judge: undefined, scoring: "other choice of tasks" }))).toEqual(
      [],
    );
    expect(
      [row({ type: "reply", how: "empty" }), row({ type: "reply", how: "cached" }), row()].map(isIncomplete),
    ).toEqual([true, false, false]);
  });
});
