import { afterEach, expect, it, vi } from "vitest";
import { isClosedIn, type FormReading, unframed, unwrapped } from "../../../source/engine/log/rows/unwrapped.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { frames } from "../../../source/engine/log/rows/frames.ts";
import { peelings } from "../../../source/engine/text/peelings.ts";
import type { Event } from "../../../source/engine/types.ts";
import { planForm } from "../../../suites/appbench/score/form.ts";
import { bareSpec } from "../../bare-spec.ts";

afterEach(() => void vi.restoreAllMocks());

/** Reads `plan: ...` up to a full stop, which closes it. */
const read: FormReading = (text) => {
  if (!text.startsWith("plan: ")) return undefined;
  return { got: text.slice(6).replace(/\.$/, ""), extent: text.endsWith(".") ? "closed" : "open" };
};

const framedTexts = (text: string, reading: FormReading, isScored = false) =>
  unframed(text, reading, isScored)
    .map((found) => found.text)
    .toArray();

it("a wrapped answer is found in the form with the fewest layers removed", () => {
  expect(unwrapped("```\nplan: go.\n```", read)).toMatchObject({ text: "plan: go.", form: { got: "go" } });
  expect(isClosedIn("```\nplan: go\n```", read)).toBe(false);
  expect(isClosedIn("```\nplan: go.\n```", read)).toBe(true);
  expect(unwrapped("plan: go.", read)).toBeUndefined();
});

it("each wrapping of a reply is removed once, however often the reply is read", () => {
  const peel = vi.spyOn(peelings[0]!, "peel");
  const text = `Here is what I think of it, ${Math.PI}`;
  for (let time = 0; time < 3; time++) {
    unwrapped(text, read);
    isClosedIn(text, read);
  }
  expect(peel.mock.calls.filter(([of]) => of === text)).toHaveLength(1);
  // Fifty tasks in flight do not make it forget a reply; 80,000 characters of other replies do.
  for (let other = 0; other < 50; other++) unwrapped(`${text} ${other}`, read);
  unwrapped(text, read);
  expect(peel.mock.calls.filter(([of]) => of === text)).toHaveLength(1);
  for (let other = 0; other < 4; other++) unwrapped(`${other}`.padStart(20_000, "x"), read);
  unwrapped(text, read);
  expect(peel.mock.calls.filter(([of]) => of === text)).toHaveLength(2);
});

it("the layers of 80,000 characters of replies are cached", () => {
  const peel = vi.spyOn(peelings[0]!, "peel");
  const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(20_000));
  for (const text of [...texts, ...texts]) unwrapped(text, read);
  expect(texts.map((text) => peel.mock.calls.filter(([of]) => of === text).length)).toEqual([1, 1, 1, 1]);
});

it("words are removed only if they are in the way of a form, and an empty text is no answer", () => {
  const plan = (outer: "open" | "part"): FormReading => {
    return (text) => ({ got: text, extent: text === "plan" ? "closed" : outer });
  };
  expect(unwrapped("I have thought.\n\nplan", plan("part"))).toMatchObject({ text: "plan" });
  expect(unwrapped("I have thought.\n\nplan", plan("open"))?.text).not.toBe("plan");
  const empty: FormReading = (text) => (text.trim() === "" ? { got: "", extent: "closed" } : undefined);
  for (const text of ["****", "``````", "> "]) expect(unwrapped(text, empty)).toBeUndefined();
});

it("layers of replies longer than 20,000 characters are not cached", () => {
  const peel = vi.spyOn(peelings[0]!, "peel");
  for (const [length, times] of [
    [20_000, 1],
    // Once for each of the three ways of looking for a form.
    [20_001, 6],
  ] as const) {
    peel.mockClear();
    const text = "x".repeat(length);
    unwrapped(text, read);
    unwrapped(text, read);
    expect(peel.mock.calls.filter(([of]) => of === text)).toHaveLength(times);
  }
});

it("an answer inside a wrapping is searched for in replies of up to 200,000 characters", () => {
  const quoted = (length: number) => `> plan: ${"x".repeat(length - 9)}.`;
  expect(unwrapped(quoted(200_000), read)?.layers).toEqual(["quoted lines"]);
  expect(unwrapped(quoted(200_001), read)).toBeUndefined();
  expect([isClosedIn(quoted(200_000), read), isClosedIn(quoted(200_001), read)]).toEqual([true, false]);
});

it("an answer inside a wrapping is not found if its form covers only a part, or equals the form of the whole text", () => {
  const parts: FormReading = (text) => (text.startsWith("plan: ") ? { got: text, extent: "part" } : undefined);
  expect(unwrapped("> plan: go.", parts)).toBeUndefined();
  const same: FormReading = (text) => (text.includes("plan: ") ? { got: "go", extent: "closed" } : undefined);
  expect(unwrapped("> plan: go.", same)).toBeUndefined();
});

it("looks behind general layers only if the form has no own end", () => {
  const plan = (extent: "open" | "closed"): FormReading => {
    return (text) =>
      text.includes("plan") ? { got: text, extent: text.startsWith("plan") ? "closed" : extent } : undefined;
  };
  expect(framedTexts("\u2460 plan", plan("open"))).toEqual(["plan"]);
  expect(framedTexts("\u2460 plan", plan("closed"))).toEqual([]);
});

it("looks behind words that an answer may have only if what is inside will be scored, and yields each form once", () => {
  const place: FormReading = (text) =>
    text.includes("\n") ? undefined : { got: text.trim().toLowerCase(), extent: "open" };
  expect(framedTexts("Great question! Rome", place)).toEqual([]);
  expect(framedTexts("Great question! Rome", place, true)).toContain("Rome");
  const found = framedTexts("Well! Well! Rome", place, true);
  expect(found.length).toBe(new Set(found).size);
});

/** Reads lines `do ...`; other lines stand between them. */
const steps: FormReading = (text) => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const own = lines.filter((line) => line.startsWith("do "));
  const extent = own.length === lines.length ? "open" : "part";
  return own.length === 0 ? undefined : { got: lines.join("\n"), extent, parts: own.length };
};

it("calls nothing a wrapping that has parts of the answer, apart from copies of it", () => {
  expect(unwrapped("Sure:\n\ndo a\ndo b", steps)?.text).toBe("do a\ndo b");
  expect(unwrapped("do a\nAnd do not forget:\ndo b", steps)).toBeUndefined();
  expect(unwrapped("do a\ndo b\n\nTo sum up:\n\ndo a\ndo b", steps)?.text).toBe("do a\ndo b");
});

it("calls a text that stands there twice a wrapping only if what is inside will be scored", () => {
  expect(framedTexts("do a\ndo a", steps)).toEqual([]);
  expect(framedTexts("do a\ndo a", steps, true)).toEqual(["do a"]);
  const all: FormReading = (text) => ({ ...steps(text)!, isAll: true });
  expect(framedTexts("do a\ndo a", all, true)).toEqual(["do a"]);
});

it("wide marks among Chinese letters are no wrapping, but they are one among others", () => {
  expect(unwrapped("do \u8BA2\u7968\uFF08\u4E24\u5F20\uFF09", steps)).toBeUndefined();
  expect(unwrapped("do two\uFF0Cthree", steps)?.text).toBe("do two,three");
  // Characters without width are no letters of any script.
  expect(unwrapped("do \u8BA2\u200B\u7968", steps)?.layers).toEqual(["characters"]);
});

it("a plan that the official reading takes as a whole costs two readings and five layers", () => {
  const counted = (text: string) => {
    const spies = [...new Set([...peelings, ...frames])].map((one) => vi.spyOn(one, "peel"));
    const reading = vi.fn<FormReading>((inner) =>
      planForm(inner, { stage: "plan", spec: bareSpec("appbench", { strategy: "direct" }) }),
    );
    unwrapped(text, reading);
    const peeled = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    vi.restoreAllMocks();
    return { read: reading.mock.calls.length, peeled };
  };
  const lines = ["Trains: [a = find_trains(#from='York')]", "Taxi: [b = book_taxi(#from='station', #to=a)]"];
  expect(counted(lines.join("\n"))).toEqual({ read: 2, peeled: 5 });
  // Words around it are looked through once for each of the three ways of looking for a form.
  const { read: readings, peeled } = counted(`I would go:\n${lines.join("\n")} and back`);
  expect(readings).toBeLessThanOrEqual(5);
  expect(peeled).toBeLessThan(250);
});

it("the cause is a wrapping in general layers only if the answer inside has a higher score, or only a judge scores it", () => {
  const causeOf = (unwrappedValue: number | undefined, judge?: string) => {
    const table = new RowTable(undefined, (text) =>
      text.includes("plan") ? { got: text, extent: "open" } : undefined,
    );
    const take = (event: object) => table.take({ seq: 0, at: 0, task: "t", ...event } as Event);
    const spec = bareSpec("made", judge === undefined ? {} : { judge });
    take({ type: "run-started", run: "r", spec, total: 1, warnings: [] });
    take({ type: "started", facets: {}, question: "?" });
    take({ type: "prompt", request: 0, role: "model", model: "m", stage: "answer", messages: [] });
    take({ type: "text", request: 0, text: "\u2460 plan" });
    take({ type: "finish", request: 0, reason: "stop" });
    take({ type: "answer", answer: "\u2460 plan" });
    const metrics = unwrappedValue === undefined ? {} : { unwrapped: unwrappedValue };
    take({ type: "scored", score: { value: 0.5, metrics, checks: [], errors: [] }, suiteRevision: 1 });
    return table.row("t")!.cause!.cause;
  };
  expect([1, 0.6].map((value) => causeOf(value))).toEqual(["wrapped", "wrapped"]);
  expect([0.5, 0, undefined].map((value) => causeOf(value))).toEqual(["read", "read", "read"]);
  expect([causeOf(undefined, "b/oracle"), causeOf(0.5, "b/oracle")]).toEqual(["wrapped", "read"]);
});

it("removes at most five layers, and reads at most 393 texts of a reply with many layers", () => {
  const nested = (times: number): string => (times === 0 ? "plan: go." : JSON.stringify(nested(times - 1)));
  expect(unwrapped(nested(5), read)).toMatchObject({ text: "plan: go.", layers: ["JSON", "quotes"] });
  expect([unwrapped(nested(6), read), isClosedIn(nested(5), read), isClosedIn(nested(6), read)]).toEqual([
    undefined,
    true,
    false,
  ]);
  const part = (at: number) => `> - ${at}. "**Part ${at}**": <a>(b${at}) [c] {d}</a>`;
  const many = Array.from({ length: 8 }, (_, at) => part(at)).join("\n\n");
  const texts = new Set<string>();
  framedTexts(many, (text) => void texts.add(text));
  expect(texts.size).toBe(393);
});

it("finds an answer in a run of blocks between blank lines, rules and marks of turns, whatever surrounds it", () => {
  const closed: FormReading = (text) => (/^plan: [^\n]+$/.test(text) ? { got: text, extent: "closed" } : undefined);
  for (const between of ["\n\n", "\n---\n", "<|end|>", "\n \n\n"])
    expect(framedTexts(`What follows?\nThis${between}- plan: go${between}It is\nwhat you need`, closed)).toContain(
      "plan: go",
    );
});

it("finds an answer behind a few words only if it has parts, and what is inside will be scored", () => {
  expect(framedTexts("Please now do a\ndo b", steps, true)).toContain("do a\ndo b");
  expect(framedTexts("Please now do a\ndo b", steps)).not.toContain("do a\ndo b");
  const place: FormReading = (text) => (text.includes("\n") ? undefined : { got: text, extent: "open" });
  expect(framedTexts("not Rome", place, true)).not.toContain("Rome");
});

it("takes nothing for a wrapping if what is removed has lines with labels of the answer, except a copy", () => {
  const day = (from: string, to = "Bed: y") => `From: ${from}\n${to}`;
  const days: FormReading = (text) => {
    const all = text.split("\n\n").map((one) => /^From: \w+\nBed: \w+$/.exec(one.trim()));
    return all.every((one) => one !== null) ? { got: text.trim(), extent: "open" } : undefined;
  };
  expect(unwrapped(`${day("a")}\n\n${day("b", "")}`, days)).toBeUndefined();
  expect(unwrapped(`${day("a")}\n\nHave fun`, days)?.text).toBe(day("a"));
  expect(unwrapped(`> ${day("a").replace("\n", "\n> ")}`, days)?.text).toBe(day("a"));
});

it("takes nothing for a wrapping whose removal leaves a form with fewer parts", () => {
  /** Reads `outer` from the reply with a general layer, and `inner` without the layer. */
  const found = (outer: string | undefined, inner: string, extent: "open" | "part" = "open") =>
    framedTexts("① plan", (text) => {
      if (text === "plan") return { got: inner, extent: "open" };
      return outer === undefined ? undefined : { got: outer, extent };
    }).length > 0;
  expect(found("[1, 2, 3]", "[1, 2]")).toBe(false);
  expect([found("[1, 2, 3]", "[1, 2, 4]"), found("[1, 2, 3]", "[1, 2, 3, 4]")]).toEqual([true, true]);
  // Parts are counted in lists and objects within each other, whatever they contain.
  const nested = '{"a": {"b": "x", "c": [null, 2]}, "d": false}';
  expect(["[1, 2, 3]", "[1, 2, 3, 4]", '[[1, [2, {"e": 3}]], 4]'].map((inner) => found(nested, inner))).toEqual([
    false,
    true,
    true,
  ]);
  // A form that is incomplete, or that is a text, has no parts.
  expect([found("[1, 2, 3]", "[1]", "part"), found(undefined, "[1]")]).toEqual([true, true]);
  expect([found("some words", "[]"), found("[1, 2, 3]", "some words"), found("[1, 2]", "null")]).toEqual([
    true,
    false,
    false,
  ]);
});
