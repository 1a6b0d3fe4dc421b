/** A key chooses the run cells of an analysis, even if it has no figures. */
import { describe, expect, test } from "vitest";
import { analyses } from "../../../analyses/index.ts";
import { analysisOf, cellNamed, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

const run = (name: string) => `\`\`\`run ${name}\nsuite: appbench\nlimit: 1\nmodel: builtin/oracle\n\`\`\`\n`;
const analysis = (name: string, source: string) => `\`\`\`analysis ${name}\n${source}\n\`\`\`\n`;
const notebook = (...cells: readonly string[]) => sessions.open(cells.join("\n"));
const offered = { values: ["all above", "one", "two"], standard: ["all above"], alone: ["all above"] };

describe("the choice of run cells of an analysis", () => {
  test("is offered first in every analysis of runs, even if there are no figures", async () => {
    // A query reads the index of a folder instead of runs.
    const ofRuns = analyses.filter(({ name }) => name !== "sql");
    const cells = ofRuns.map(({ name }) => analysis(`a-${name}`, `analysis: ${name}`));
    const session = await notebook(run("one"), run("two"), ...cells);
    await session.settled();
    for (const { name } of ofRuns) {
      const { lists, listed } = analysisOf(session, `a-${name}`);
      expect([name, Object.keys(lists)[0], lists["of"], listed["of"]]).toEqual([name, "of", offered, ["all above"]]);
    }
  });

  test("is written into the cell, as a list for several cells, and is omitted if all are chosen", async () => {
    const session = await notebook(run("one"), run("two"), analysis("a", "analysis: overview"));
    const choose = (value: string) => {
      session.choose(cellNamed(session, "a"), "of", value);
      return session
        .cells()
        .find(({ name }) => name === "a")!
        .source.trimEnd();
    };
    expect(choose("two")).toBe("analysis: overview\nof: two");
    expect(choose("one")).toBe("analysis: overview\nof: [ two, one ]");
    expect(analysisOf(session, "a").listed["of"]).toEqual(["two", "one"]);
    expect(choose("two")).toBe("analysis: overview\nof: one");
    expect(choose("all above")).toBe("analysis: overview");
  });

  test("is offered in a cell with an error, unless no run cell has a name", async () => {
    const session = await notebook(run("one"), run("two"), analysis("a", "analysis: overview\nof: [moon]\nby: moon"));
    expect(analysisOf(session, "a").lists["of"]).toEqual(offered);
    const nameless = await notebook("```run\nsuite: appbench\n```\n", analysis("a", "analysis: overview"));
    expect(analysisOf(nameless, "a").lists["of"]).toBeUndefined();
  });
});
