import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtinModel, firstHour, onScreen, pictureFile, scenes, servedModel } from "../build/first-hour.ts";
import { pictureText, screenSvg } from "../build/screen-svg.ts";
import { until } from "./until.ts";

test("the first hour's commands work one by one as written", async () => {
  await firstHour(servedModel, async (home, typed) => {
    expect(typed.length).toBeGreaterThan(6);
    for (const { line, status, err } of typed)
      expect({ line, status, err: status === 0 ? "" : err }).toEqual({ line, status: 0, err: "" });
    const exports = join(home, "sessions/ablation/exports");
    expect(readFileSync(join(exports, "table.tex"), "utf8")).toContain("\\begin{tabular}");
    expect(readFileSync(join(exports, "rows.csv"), "utf8").split("\n").length).toBeGreaterThan(40);
    expect(readFileSync(join(home, "reports/junit.xml"), "utf8")).toContain('failures="0"');
    // Two runs of 20 tasks: the four tasks requested first are not requested again.
    expect(tasksAsked(join(home, "sessions/ablation/runs"))).toBe(40);
  });
});

/** Counts the tasks of each run for which a request was sent. */
function tasksAsked(runs: string): number {
  const logs = readdirSync(runs).map((run) =>
    readFileSync(join(runs, run, "events.jsonl"), "utf8")
      .trim()
      .split("\n"),
  );
  const sent = logs.map((lines) =>
    lines
      .map((line) => JSON.parse(line) as { readonly type: string; readonly task?: string; readonly saved?: number })
      .filter(({ type, saved }) => type === "prompt" && saved === undefined),
  );
  return sent.reduce((sum, prompts) => sum + new Set(prompts.map(({ task }) => task)).size, 0);
}

test("the first hour works without a server: the built-in model gives the same pictures", async () => {
  const text = readFileSync("documentation/first-hour.md", "utf8");
  const shown = [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, picture]) => join("documentation", picture!));
  expect(shown).toEqual(scenes.map(pictureFile));
  await firstHour(builtinModel, async (home, typed) => {
    expect(typed.filter(({ status }) => status !== 0)).toEqual([]);
    for (const scene of scenes) {
      const drawn = withoutSeconds(pictureText(readFileSync(pictureFile(scene), "utf8")));
      // A cell above or a note may be drawn after the awaited text.
      await onScreen(scene, home, ({ terminal }) =>
        until(() =>
          expect(
            withoutSeconds(pictureText(screenSvg(terminal))),
            "run `npm run build && node build/screen-picture.ts first-hour`",
          ).toBe(drawn),
        ),
      );
    }
  });
});

/** Returns the text without the numbers in a column of seconds. */
function withoutSeconds(text: string): string {
  const column =
    text
      .split("\n")
      .find((line) => / seconds\b/.test(line))
      ?.indexOf("seconds") ?? -1;
  if (column < 0) return text;
  const [from, to] = [column, column + "seconds".length];
  return text.replaceAll(
    /^.+$/gm,
    (line) => line.slice(0, from) + line.slice(from, to).replace(/^ *\d+\.\d$/, "") + line.slice(to),
  );
}
