import { describe, expect, it } from "vitest";
import { mistakePlaces } from "../../../source/engine/log/rows/mistake-text.ts";
import { type Entry, trajectoryOf } from "../../../source/engine/log/trajectory.ts";
import type { Mistake, Role, TaskEvent, ToolCall } from "../../../source/engine/types.ts";

/** Replies in this order, each of a role. */
function replies(...given: readonly (readonly [Role, string, ToolCall?])[]): readonly Entry[] {
  const stamp = { seq: 0, at: 0, task: "t" };
  const events = given.flatMap(([role, text, call], request): TaskEvent[] => [
    { ...stamp, type: "prompt", request, role, model: "m", stage: "s", messages: [] },
    { ...stamp, type: "text", request, text },
    ...(call === undefined ? [] : [{ ...stamp, type: "call", request, call } as const]),
  ]);
  return trajectoryOf("t", events).entries;
}

/** The text at the place of a mistake, with the number of the reply. */
function words(entries: readonly Entry[], mistake: Mistake): readonly [number, string | undefined] | undefined {
  const [place] = mistakePlaces(entries, [mistake]);
  if (place === undefined) return undefined;
  const entry = entries[place.entry];
  if (entry?.kind !== "turn") throw new Error("Expected the place to be a reply");
  const text = place.call === undefined ? entry.text : entry.calls[place.call]!.text;
  return [place.entry, place.from === undefined ? undefined : text.slice(place.from, place.to)];
}

describe("the place of a mistake in a trajectory", () => {
  const two = replies(["model", "find(town='Utrecht')"], ["model", "book(to='Utrecht', town='Delft', n=2)"]);

  it("is the occurrence of the mistake's words next to the mistake's key", () => {
    expect(words(two, { kind: "value", key: "town", got: "'Utrecht'" })).toEqual([0, "'Utrecht'"]);
    expect(words(two, { kind: "value", key: "to", got: "'Utrecht'" })).toEqual([1, "'Utrecht'"]);
    expect(words(two, { kind: "value", key: "n", got: "2" })).toEqual([1, "2"]);
  });
  it("is the last occurrence of the mistake's words if no occurrence is next to the key", () => {
    expect(words(two, { kind: "call", got: "town=" })).toEqual([1, "town="]);
  });
  it("is found although the scorer added a remark to the words", () => {
    expect(words(two, { kind: "value", got: '"Delft" (not said anywhere in the plan)' })).toEqual([1, "Delft"]);
  });
  it("needs all of the words that are no remark", () => {
    const found = (text: string, mistake: Omit<Mistake, "kind">) =>
      words(replies(["model", text]), { kind: "value", ...mistake });
    expect(found("alpha(x, y)", { got: "alpha(x)" })).toEqual([0, undefined]);
    expect(found("alpha beta", { got: "alpha (or beta) gamma" })).toEqual([0, undefined]);
    expect(found("alpha (or beta)", { got: "alpha (or beta) (not said)" })).toEqual([0, "alpha (or beta)"]);
    // The first of two equal words comes before any key.
    const twice = replies(["model", "12 of days: 12"]);
    expect(mistakePlaces(twice, [{ kind: "value", key: "days", got: "12" }])).toEqual([{ entry: 0, from: 12, to: 14 }]);
  });
  it("is the last of several empty replies", () => {
    expect(words(replies(["model", ""], ["actor", ""], ["model", ""]), { kind: "call", got: "go" })).toEqual([
      2,
      undefined,
    ]);
  });
  it("is the last reply if the mistake has no words, or only words too short to be found", () => {
    expect(words(two, { kind: "missing-call", expected: "pay()" })).toEqual([1, undefined]);
    expect(words(two, { kind: "number", got: "2" })).toEqual([1, undefined]);
  });
  it("is in a call if the model called a tool", () => {
    const text = '{"town": "Gouda"}';
    const call = { id: "1", name: "find", text, arguments: { town: "Gouda" } };
    const entries = replies(["model", "", call], ["judge", "Gouda is wrong"]);
    expect(words(entries, { kind: "value", key: "town", got: "Gouda" })).toEqual([0, "Gouda"]);
  });
  it("is undefined without a reply", () => {
    expect(mistakePlaces([], [{ kind: "no-plan" }])).toEqual([undefined]);
  });
});
