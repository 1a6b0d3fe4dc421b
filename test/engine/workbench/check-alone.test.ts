/** A run of the user's own questions that differs from a saved run only in its check scores the saved answers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { own } from "../../../suites/own/index.ts";
import { says, scriptedServer } from "../models/scripted-server.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

const cell = (name: string, more: string) =>
  `\`\`\`run ${name}\nsuite: own\nfrom: questions.csv\nmodel: lab/m\n${more}\n\`\`\`\n`;

async function open(...cells: readonly string[]) {
  const server = await scriptedServer(says("**The answer is 7.**"));
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 5, identify: false };
  const workbench = await sessions.open(`# Mine\n\n${cells.join("\n")}`, {
    suites: [own],
    settings: { endpoints: [lab] },
  });
  writeFileSync(join(sessions.path, "questions.csv"), "question,answer\nWhat is 3 + 4?,7\nWhat is 4 + 4?,8\n");
  workbench.refresh();
  const run = async (name: string) => {
    await workbench.run(cellNamed(workbench, name));
    return runsOf(workbench, name)[0]!;
  };
  return { server, workbench, run };
}

describe("a check that is changed after the run", () => {
  it("scores the saved answers, reports the run that gave them, and sends no request", async () => {
    const { server, run } = await open(cell("first", "check: exact"), cell("second", "check: number"));
    await using _ = server;
    const first = await run("first");
    const second = await run("second");
    expect([first.counts, second.counts]).toMatchObject([
      { right: 0, wrong: 2 },
      { right: 1, wrong: 1 },
    ]);
    expect(second.warnings).toContain(`2 answers reused from run ${first.run} (check exact), not requested again`);
    expect(first.beside).toEqual(["1 of the 2 answers that `exact` rejects contains the expected answer"]);
    expect(server.seen).toHaveLength(2);
  });

  it("requires new answers if there are demonstrations, because these show answers in the format that the check expects", async () => {
    const { server, run } = await open(cell("first", "shots: 1"), cell("second", "shots: 1\ncheck: number"));
    await using _ = server;
    await run("first");
    expect((await run("second")).taken).toBeUndefined();
    expect(server.seen).toHaveLength(4);
  });

  it("sends the saved answers to a judge with another rubric, and keeps the rule checks as measures", async () => {
    const { server, workbench, run } = await open(
      cell("first", ""),
      cell("second", "check: judge\nrubric: Any answer will do.\njudge: builtin/oracle"),
    );
    await using _ = server;
    await run("first");
    const judged = await run("second");
    expect(judged.taken).toMatchObject([{ answers: 2, source: { scoring: "check exact" } }]);
    expect(workbench.rows(judged.run).map(({ score }) => score!.metrics)).toMatchObject([
      { "check.exact": 0, "check.contains": 1, "check.number": 1 },
      { "check.exact": 0, "check.contains": 0, "check.number": 0 },
    ]);
    expect(server.seen).toHaveLength(2);
  });
});
