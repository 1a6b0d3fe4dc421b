import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { manual } from "../../build/reference.ts";
import { foldedText } from "../../source/commands/shell/folded-text.ts";
import { commands } from "../../source/commands/index.ts";

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "");
const folded = (columns: number, ...lines: readonly string[]) => foldedText(lines.join("\n"), columns).split("\n");

describe("text folded for a narrow terminal", () => {
  test("keeps every word of a command's usage at 80 and 60 columns", () => {
    for (const { usage } of commands)
      for (const columns of [80, 60]) {
        const text = foldedText(usage, columns);
        expect(text.split("\n").filter((line) => line.length > columns)).toEqual([]);
        expect(wordsOf(text)).toEqual(wordsOf(usage));
      }
  });

  test("aligns the lines of a flag's description", () => {
    expect(
      folded(
        40,
        "--allow    lets the sessions of this folder use a server",
        "           from now on",
        "--json     prints cells",
      ),
    ).toEqual([
      "--allow    lets the sessions of this",
      "           folder use a server from now",
      "           on",
      "--json     prints cells",
    ]);
    expect(
      folded(40, "--fail-on-claim  ends with status 1 where a claim", "           is answered with no", "", "Ends."),
    ).toEqual([
      "--fail-on-claim  ends with status 1",
      "           where a claim is answered",
      "           with no",
      "",
      "Ends.",
    ]);
  });

  test("indents a folded usage line, and keeps a flag and its value on one line", () => {
    expect(
      folded(
        50,
        "planwright run SESSION [--cells NAME,NAME] [--set FIELD=VALUE]",
        "               [--until TIME]",
        "planwright run",
      ),
    ).toEqual([
      "planwright run SESSION [--cells NAME,NAME]",
      "    [--set FIELD=VALUE] [--until TIME]",
      "planwright run",
    ]);
  });

  test("folds a paragraph as a whole, and does not join a short line with the lines after it", () => {
    const long = "one word and another ".repeat(6).trimEnd();
    expect(folded(60, long, "and the rest.", "", "Figures: csv", "Runs:")).toEqual([
      "one word and another one word and another one word and",
      "another one word and another one word and another one word",
      "and another and the rest.",
      "",
      "Figures: csv",
      "Runs:",
    ]);
  });

  test("keeps the shape of lists, tables and code", () => {
    const wide = "x".repeat(20).concat(" ", "y".repeat(20));
    expect(
      folded(
        30,
        `- ${wide}`,
        "  and more",
        "- two",
        "",
        "| a | b |",
        `| ${wide} | |`,
        "",
        "```sh",
        wide,
        "```",
        "",
        `    ${wide}`,
      ),
    ).toEqual([
      `- ${"x".repeat(20)}`,
      `  ${"y".repeat(20)} and`,
      "  more",
      "- two",
      "",
      "| a | b |",
      `| ${wide} | |`,
      "",
      "```sh",
      wide,
      "```",
      "",
      `    ${wide}`,
    ]);
  });

  test("is unchanged if it is narrower than the limit", () => {
    const text = readFileSync("documentation/workers.md", "utf8");
    expect(foldedText(text, 400)).toBe(text);
  });

  test("leaves room for the margin of the manual page if the page prints the text verbatim", () => {
    const forms = [...manual().matchAll(/^\.nf\n(.*?)^\.fi$/gms)].flatMap(([, form]) => form!.split("\n"));
    expect(forms.length).toBeGreaterThan(100);
    expect(forms.filter((line) => line.replaceAll("\\-", "-").length > 73)).toEqual([]);
  });
});
