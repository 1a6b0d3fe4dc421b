import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import type { RunState } from "../../../source/engine/workbench/workbench.ts";
import { cellNamed, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();

const text =
  "# Mine\n\n```run main\nsuite: tiny\nmodel: builtin/oracle\nlimit: 3\n```\n\n```analysis all\nanalysis: overview\n```\n";

/** Opens the session with this hash of the suite's code; without `written` the document is not written. */
function openWith(hash: string, written: string | undefined = text): Promise<SessionWorkbench> {
  const code = { suites: new Map([["tiny", hash]]), strategies: new Map(), environments: new Map() };
  return sessions.open(written, { suites: [tinySuite().suite], own: { code } });
}

function runOf(workbench: SessionWorkbench): RunState {
  const state = workbench.state(cellNamed(workbench, "main"));
  if (state.kind !== "run") throw new TypeError("Expected a run cell");
  return state.runs[0]!;
}

async function figuresOf(workbench: SessionWorkbench) {
  await workbench.settled();
  const state = workbench.state(cellNamed(workbench, "all"));
  return state.kind === "analysis" ? state.figures : [];
}

async function finished(hash: string): Promise<string> {
  const workbench = await openWith(hash);
  await workbench.run(cellNamed(workbench, "main"));
  const { run, status } = runOf(workbench);
  expect(status).toBe("done");
  await workbench.close();
  return run;
}

describe("results of an older version of the user's code", () => {
  test("are kept, listed as older, and shown separately from results of the current code", async () => {
    const first = await finished("1111111111111111");
    const second = await finished("2222222222222222");
    const workbench = await openWith("3333333333333333", undefined);
    const state = runOf(workbench);
    expect(state).toMatchObject({ status: "ready", counts: { right: 0 } });
    expect(state.older?.map(({ run }) => run).toSorted()).toEqual([first, second].toSorted());
    expect(state.warnings).toContainEqual(
      expect.stringMatching(
        /^Results of older code do not count: suite \d{8}, started \d{4}-.* \(`O` or `--keep-older REASON` keeps them\)$/,
      ),
    );
    expect(await figuresOf(workbench)).toEqual([]);
    await workbench.close();
    // The same code finds its own results again.
    const before = await openWith("1111111111111111", undefined);
    expect(runOf(before)).toMatchObject({ run: first, status: "done" });
  });

  test("can be accepted for the present code by a user, whose name and reason every figure then shows", async () => {
    const first = await finished("1111111111111111");
    const workbench = await openWith("2222222222222222", undefined);
    const { run } = runOf(workbench);
    expect(() => workbench.keepOlder(run, first, "  ")).toThrow("A reason is required");
    workbench.keepOlder(run, first, "Only a comment was changed");
    const kept = runOf(workbench);
    expect(kept).toMatchObject({ run: first, status: "done", kept: { reason: "Only a comment was changed" } });
    const said = `Results of older code (suite 11111111), accepted for the present code by ${kept.kept!.by}: Only a comment was changed`;
    expect(kept.warnings).toContain(said);
    const figures = await figuresOf(workbench);
    expect(figures.length).toBeGreaterThan(0);
    for (const { notes } of figures) expect(notes).toContain(said);
    await workbench.close();
    const again = await openWith("2222222222222222", undefined);
    expect(runOf(again)).toMatchObject({ run: first, status: "done" });
    again.keepOlder(first, first, undefined);
    expect(runOf(again)).toMatchObject({ run, status: "ready", older: [{ run: first }] });
  });

  test("are accepted only for that code, and only if the file contains a statement of acceptance", async () => {
    const first = await finished("1111111111111111");
    const workbench = await openWith("2222222222222222", undefined);
    workbench.keepOlder(runOf(workbench).run, first, "Same results");
    await workbench.close();
    const other = await openWith("3333333333333333", undefined);
    expect(runOf(other)).toMatchObject({ status: "ready", older: [{ run: first }] });
    await other.close();
    const path = join(sessions.path, "runs", first, "kept.json");
    const kept = JSON.parse(readFileSync(path, "utf8")) as object;
    for (const broken of [
      "",
      "[]",
      "null",
      JSON.stringify({ ...kept, reason: " " }),
      JSON.stringify({ ...kept, by: 3 }),
    ]) {
      writeFileSync(path, broken);
      const opened = await openWith("2222222222222222", undefined);
      expect(runOf(opened)).toMatchObject({ status: "ready", older: [{ run: first }] });
      await opened.close();
    }
  });

  test("are not listed if other settings differ, or for built-in suites", async () => {
    await finished("1111111111111111");
    const workbench = await openWith("2222222222222222", text.replace("limit: 3", "limit: 3\nseed: 4"));
    expect(runOf(workbench).older).toBeUndefined();
    await workbench.close();
    const plain = await sessions.open(text, { suites: [tinySuite().suite] });
    expect(runOf(plain).older).toBeUndefined();
  });
});
