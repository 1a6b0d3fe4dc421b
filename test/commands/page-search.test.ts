import { describe, expect, it } from "vitest";
import { foundLines, type Page } from "../../source/commands/shell/page-search.ts";

const page = (name: string, ...lines: readonly string[]): Page => ({
  prints: `planwright help ${name}`,
  text: lines.join("\n"),
});
/** The lines that were found, each as the page's name and its text. */
const found = (pages: readonly Page[], ...words: readonly string[]) =>
  foundLines(pages, words.join(" ")).map((line) => line.replace(/^planwright help (\S+) +/, "$1: "));

describe("searching the documentation", () => {
  it("lists lines with the whole word before lines with a part of a word, also in headings", () => {
    const pages = [page("a", "# Labelling", "a labelled task", "one label more"), page("b", "## A label")];
    expect(found(pages, "label")).toEqual([
      "b: ## A label",
      "a: one label more",
      "a: # Labelling",
      "a: a labelled task",
    ]);
  });

  it("lists a line of several pages once, with the first of them, whether or not it ends in a full stop", () => {
    const pages = [
      page("a", "Lists seeds", "  --seed"),
      page("b", "lists seeds.", "--seed", "--seed N", "Lists seeds.."),
    ];
    expect(found(pages, "seed")).toEqual(["a: --seed", "b: --seed N", "a: Lists seeds", "b: Lists seeds.."]);
    const many = page("c", ...Array.from({ length: 31 }, (_, at) => `seed ${at}`));
    expect(found([many, many], "seed").at(-1)).toBe("1 more line contains the word.");
  });

  it("recognises a whole word that follows a part of a word in the same line", () => {
    expect(found([page("a", "seeds", "seeds and a seed")], "seed")).toEqual(["a: seeds and a seed", "a: seeds"]);
  });

  it("counts letters of every language, digits and the underscore as parts of words", () => {
    const pages = [page("a", "seedé", "seed2", "seed_x", "seed-x")];
    expect(found(pages, "seed")[0]).toBe("a: seed-x");
  });

  it("lists lines with several words as a phrase before lines that contain all of them", () => {
    const pages = [
      page(
        "a",
        "no point, and then return of it",
        "points of no returns",
        "a Point of No Return is last",
        "the point of it",
      ),
    ];
    expect(found(pages, "point", "of", "no", "return")).toEqual([
      "a: a Point of No Return is last",
      "a: no point, and then return of it",
      "a: points of no returns",
    ]);
  });

  it("lists rows of the index first, each with the page to which it leads, unless only the link contains the word", () => {
    const index = page(
      "index",
      "# I want to ...",
      "| I want to ... | page |",
      "|---|---|",
      "| see a floor | [notebooks](notebooks.md#floors), [how to](how-to.md) |",
      "| ask my own questions about a floor | [own questions](../suites/own/README.md) |",
      "| know more | [other](floor.md) |",
    );
    expect(found([page("notebooks", "## The floor"), index], "floor")).toEqual([
      "notebooks: I want to see a floor",
      "own: I want to ask my own questions about a floor",
      "notebooks: ## The floor",
    ]);
  });

  it("lists lines of the history last, even its headings", () => {
    const pages = [page("history", "## Prompts", "prompts"), page("z", "all prompts", "onlyprompts")];
    expect(found(pages, "prompts")).toEqual([
      "z: all prompts",
      "z: onlyprompts",
      "history: ## Prompts",
      "history: prompts",
    ]);
  });

  it("lists at most 30 lines, and counts the others", () => {
    const many = page("a", ...Array.from({ length: 32 }, (_, at) => `seed ${at}`));
    expect(found([many], "seed")).toHaveLength(31);
    expect(found([many], "seed").at(-1)).toBe("2 more lines contain the word.");
    expect(foundLines([many], "seed 3").at(-1)).not.toContain("more lines");
    const both = page("a", ...Array.from({ length: 31 }, (_, at) => `${at}: a seed is sent`));
    expect(foundLines([both], "sent seed").at(-1)).toBe("1 more line contains the words.");
  });

  it("cuts a long line around the first of the words", () => {
    const line = `${"many words come before ".repeat(6)}the seed of a run`;
    const [shown = ""] = found([page("a", line)], "run", "seed");
    expect(shown).toMatch(/^a: ….*the seed of a run$/);
    expect(shown.length).toBeLessThan(90);
  });

  it("finds nothing if a line lacks one of the words", () => {
    expect(found([page("a", "the seed", "a run")], "seed", "run")).toEqual([]);
  });
});
