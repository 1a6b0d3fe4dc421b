import { afterEach, describe, expect, it, vi } from "vitest";
import { KeptJson } from "../../../source/engine/models/network/client.ts";

const catalogue = `Say "so"\n\u2028 \\ 计划 🌍 \ud800 `.repeat(400);
const asking = (question: string) => ({
  messages: [
    { role: "system", content: catalogue },
    { role: "user", content: question },
  ],
  tools: [{ description: catalogue }, undefined, catalogue],
  [catalogue]: { seed: 1, more: undefined },
});

afterEach(() => vi.restoreAllMocks());

describe("requests serialised as JSON", () => {
  it.each([
    { model: "m", temperature: 0 },
    asking("Which plan?"),
    asking(catalogue.slice(1)),
    catalogue,
    [catalogue, "", null],
  ])("equal JSON.stringify's bytes each time", (value) => {
    const json = new KeptJson();
    for (let time = 0; time < 2; time++)
      expect(json.bytesOf(value).equals(Buffer.from(JSON.stringify(value)))).toBe(true);
  });

  it("serialise a repeated long text only once, unless many other texts came in between", () => {
    const json = new KeptJson();
    const stringify = vi.spyOn(JSON, "stringify");
    const written = () => stringify.mock.calls.filter(([value]) => value === catalogue).length;
    for (const question of ["Which plan?", "Which other?", "And then?"]) json.bytesOf(asking(question));
    expect(written()).toBe(1);
    for (let count = 0; count < 10; count++) json.bytesOf([`${count}`.repeat(1024 * 1024)]);
    json.bytesOf(asking("Which plan?"));
    expect(written()).toBe(2);
  });
});
