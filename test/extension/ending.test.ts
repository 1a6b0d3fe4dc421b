/** Effects of a user's code on the whole program, besides the tasks for which it was called. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { userFolder } from "./program.ts";

const user = userFolder();

/** A suite that does something at its very first prompt, in line 9. */
const suite = (deed: string) => `import { existsSync, writeFileSync } from "node:fs";
import { define, simpleSuite, type SimpleTask } from "planwright";

const marker = new URL("deed-is-done", import.meta.url);
const tasks = ["a", "b", "c"].map((id) => ({ id, question: id, answer: id }));
const prompt = ({ question }: SimpleTask) => {
  if (!existsSync(marker)) {
    writeFileSync(marker, "");
    ${deed}
  }
  return question;
};
export default define({ suites: [simpleSuite({ name: "mine", tasks, prompt, score: () => 1 })] });
`;
const notebook = "```run main\nsuite: mine\nmodel: builtin/oracle\n```\n";

/** The last line in the log of the session's only run. */
function lastEvent(): unknown {
  const [run] = readdirSync(user.at("session", "runs"));
  const lines = readFileSync(user.at("session", "runs", run!, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  return JSON.parse(lines.at(-1)!);
}

describe("an error in a user's code that occurs outside of any task", () => {
  test.each([
    ['setImmediate(() => { throw new Error("boom"); });', true],
    ['void Promise.reject(new TypeError("boom"));', true],
    ['setImmediate(() => { throw "boom"; });', false],
    ['void Promise.reject("boom");', false],
  ])("is reported in one sentence, and ends the program with all logs closed: %s", (deed, hasLine) => {
    user.write("session/session.md", notebook);
    const file = user.write("mine.ts", suite(deed));
    const { err, status } = user.planwright("run", "session", "--with", file);
    expect(status).toBe(1);
    const sentence = hasLine
      ? `${file}:9: boom`
      : "boom (without a file and a line, because the thrown value is not an Error)";
    expect(err.trimEnd().split("\n").at(-1)).toBe(`planwright: ${sentence}`);
    expect(err).not.toContain("    at ");
    expect(lastEvent()).toMatchObject({ type: "run-ended", reason: "stopped" });
    expect(user.runs("--with", file)[0]).toMatchObject({ status: "done", counts: { right: 3 } });
  });
});

describe("`process.exit` in a user's file", () => {
  const refusal = "Expected an error to be thrown, got `process.exit(0)`, which would end Planwright";

  test("fails only the task that called it", () => {
    user.write("session/session.md", notebook);
    const file = user.write("mine.ts", suite("process.exit(0);"));
    const { out, status } = user.planwright("run", "session", "--json", "--with", file);
    expect(status).toBe(1);
    expect(out).toContain(`${refusal} (mine.ts:9)`);
    expect(lastEvent()).toMatchObject({ type: "run-ended", reason: "done" });
    expect(user.runs("--with", file)[0]).toMatchObject({ status: "done", counts: { right: 3 } });
  });

  test("is rejected with its line while the file is loaded", () => {
    const file = user.write("mine.ts", "export const a = 1;\nprocess.exit(0);\n");
    const { err, status } = user.planwright("data", "list", "--with", file);
    expect(status).toBe(2);
    expect(err).toBe(`planwright: ${file}:2: ${refusal}\n`);
  });
});
