/** A run cell while its file of questions is replaced or removed. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { own } from "../../../suites/own/index.ts";
import { openTestClock } from "../work/test-clock.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

const questions = "question,answer\nCapital of France?,Paris\n2+2?,4\n";

describe("a file of questions that is removed while the notebook is open", () => {
  test("is reported at the next start of the run, and the cell shows its results again once the file is back", async () => {
    const clock = openTestClock();
    const text = "```run main\nsuite: own\nfrom: questions.csv\nmodel: builtin/oracle\n```\n";
    const path = join(sessions.path, "questions.csv");
    const session = await sessions.open(text, { suites: [own], clock });
    const cell = cellNamed(session, "main");
    const problems = () => {
      const state = session.state(cell);
      return state.kind === "run" ? state.problems.map(({ message }) => message) : [];
    };
    expect(problems()).toEqual([`Expected a file of questions at ${path}, found none`]);
    writeFileSync(path, questions);
    await clock.advance(2000);
    expect(problems()).toEqual([]);
    await session.run(cell);
    expect(runsOf(session, "main")[0]).toMatchObject({ status: "done", counts: { right: 2 } });

    rmSync(path);
    await clock.advance(2000);
    expect(runsOf(session, "main")[0]).toMatchObject({ status: "done", counts: { right: 2 } });
    await session.run(cell);
    expect(problems()).toEqual([`Expected a file of questions at ${path}, found none`]);
    writeFileSync(path, questions);
    await clock.advance(2000);
    expect(problems()).toEqual([]);
    expect(runsOf(session, "main")[0]).toMatchObject({ status: "done", counts: { right: 2 } });
  });
});
