import { describe, expect, it } from "vitest";
import type { Codebook } from "../../../source/engine/analysis.ts";
import {
  codeFacets,
  codeProblems,
  isCodeFacet,
  isUsedCodeFacet,
  withWantedCodes,
} from "../../../source/engine/measures/code-facets.ts";
import type { RowCodes } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";

const codes = (given: readonly string[], has: Readonly<Record<string, boolean>>) => ({ given, has }) as RowCodes;
const coded = (task: string, own: RowCodes) => bareRow("r", task, { codes: own, facets: codeFacets(own) });

describe("facets of codes", () => {
  it("contain all codes of a task, and whether each kind applies", () => {
    expect(codeFacets(codes(["lost", "loop"], { lost: true, loop: true, none: false }))).toEqual({
      code: "lost|loop",
      "code.lost": "yes",
      "code.loop": "yes",
      "code.none": "no",
    });
    expect(codeFacets(codes([], { lost: false }))).toEqual({ code: "none", "code.lost": "no" });
    expect(["code", "code.lost", "codes", "level"].filter(isCodeFacet)).toEqual(["code", "code.lost"]);
  });

  it("are used if some task has a code", () => {
    const used = (facet: string, ...values: readonly string[]) =>
      isUsedCodeFacet(facet, new Map(values.map((value) => [value, 1])));
    expect(used("code")).toBe(false);
    expect(used("code", "none")).toBe(false);
    expect(used("code", "lost")).toBe(true);
    expect(used("code", "none", "lost")).toBe(true);
    expect(used("code.lost", "no")).toBe(false);
    expect(used("code.lost", "no", "yes")).toBe(true);
    expect(used("level", "yes")).toBe(false);
  });

  it("select the tasks with one of the wanted values of each facet", () => {
    const rows = [
      coded("a", codes(["lost", "loop"], { lost: true, loop: true })),
      coded("b", codes(["lost"], { lost: true, loop: false })),
      coded("c", codes([], { lost: false, loop: false })),
      bareRow("r", "d", { facets: { level: "easy" } }),
    ];
    const runs = [{ run: "r", rows }];
    const names = (wanted: Readonly<Record<string, readonly string[]>>) =>
      withWantedCodes(runs, wanted)[0]!.rows.map(({ task }) => task);
    expect(names({})).toEqual(["a", "b", "c", "d"]);
    expect(names({ level: ["hard"] })).toEqual(["a", "b", "c", "d"]);
    expect(names({ code: ["lost"] })).toEqual(["a", "b"]);
    expect(names({ code: ["loop", "none"] })).toEqual(["a", "c"]);
    expect(names({ "code.loop": ["no"] })).toEqual(["b", "c"]);
    expect(names({ code: ["lost"], "code.loop": ["no"] })).toEqual(["b"]);
    expect(withWantedCodes(runs, { code: ["lost"] })[0]!.run).toBe("r");
  });

  it("reject an unknown kind or value", () => {
    const codebook = { kinds: [{ name: "lost" }, { name: "loop" }] } as unknown as Codebook;
    const problems = (wanted: Readonly<Record<string, readonly string[]>>, of: Codebook | undefined = codebook) =>
      codeProblems(of, wanted).map(({ message }) => message);
    expect(problems({ code: ["lost", "loop", "none"], "code.lost": ["yes", "no"], level: ["any"] })).toEqual([]);
    expect(problems({ code: ["lost", "odd"] })).toEqual([
      "Expected `only` to pick `code` from lost, loop, none, got `odd`",
    ]);
    expect(problems({ code: ["lost", "odd", "odder"] })).toEqual([
      "Expected `only` to pick `code` from lost, loop, none, got `odd`",
    ]);
    expect(problems({ "code.odd": ["yes"] })).toEqual([
      "Expected `only` to name a kind (code.lost, code.loop), got `code.odd`",
    ]);
    expect(problems({ "code.lost": ["maybe"], code: ["odd"] })).toHaveLength(2);
    expect(problems({ "code.lost": ["maybe"] })).toEqual([
      "Expected `only` to pick `code.lost` from yes, no, got `maybe`",
    ]);
    expect(codeProblems(undefined, { "code.lost": ["yes"] })).toEqual([
      { message: "Expected `only` to name a kind (no kind exists), got `code.lost`" },
    ]);
    expect(codeProblems(undefined, { code: ["none"] })).toEqual([]);
  });
});
