/**
 * An unreadable Responder is not the Planner's mistake: in whichever round it happens, the task of a perfect Planner fails, keeps its
 * rounds, and is executed again by the next run.
 */
import { expect, test } from "vitest";
import type { Models } from "../../../source/engine/models/models.ts";
import type { Chunk } from "../../../source/engine/types.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../../engine/workbench/temporary-session.ts";

const sessions = temporarySessions();

/** Makes the perfect Responder give an unreadable reply in one round; counts its rounds. */
function scriptedResponder() {
  const script = { rounds: 0, unreadIn: 0 };
  const between = (models: Models): Models => ({
    ...models,
    model(name) {
      const real = models.model(name);
      return {
        ...real,
        async *stream(request): AsyncIterable<Chunk> {
          const isResponder = request.asker.role === "responder";
          if (!isResponder || (script.rounds += 1) !== script.unreadIn) return yield* real.stream(request);
          yield { type: "text", text: "I opened it for you." };
          yield { type: "finish", reason: "stop" };
        },
      };
    },
  });
  return { script, between };
}

const notebook = "```run main\nsuite: planningarena\nmodel: builtin/oracle\nresponder: builtin/oracle\nlimit: 6\n```\n";

test("a task with an unreadable Responder in any round stays unscored with a perfect Planner until the task is run again", async () => {
  const { script, between } = scriptedResponder();
  const workbench = await sessions.open(notebook, { suites: [planningarena], between });
  const cell = cellNamed(workbench, "main");
  await workbench.run(cell);
  const { run } = runsOf(workbench, "main")[0]!;
  const longest = [...workbench.rows(run)].toSorted((one, other) => other.counted.calls - one.counted.calls)[0]!;
  const rounds = longest.counted.calls / 2;
  expect([longest.score?.value, rounds > 1]).toEqual([1, true]);

  for (let round = 1; round <= rounds; round++) {
    Object.assign(script, { rounds: 0, unreadIn: round });
    await workbench.run(cell, [{ run, task: longest.task }]);
    const failed = workbench.rows(run).find(({ task }) => task === longest.task)!;
    expect([failed.state, failed.score, failed.cause?.cause], `round ${round}`).toEqual([
      "failed",
      undefined,
      "environment",
    ]);
    expect(failed.failure?.message).toBe(`The Responder's reply in round ${round} cannot be read`);
    expect(runsOf(workbench, "main")[0]!.counts).toMatchObject({ failed: 1, right: 5, wrong: 0 });
    const { answer, entries } = (await workbench.trajectory({ run, task: longest.task }))!;
    expect(answer).toMatchObject({ end: "responder-unparsable", unread: { content: "I opened it for you." } });
    const said = entries.filter((entry) => entry.kind === "turn" && entry.role === "model");
    expect(said).toHaveLength(round);
    expect(JSON.stringify(failed)).not.toContain("arbled");

    Object.assign(script, { rounds: 0, unreadIn: 0 });
    await workbench.run(cell);
    expect(workbench.rows(run).find(({ task }) => task === longest.task)?.score?.value).toBe(1);
  }
});

test("a dialogue with an unreadable Responder gets no score when it is scored again", async () => {
  const { sampleFolder } = await import("../../../source/engine/settings/package-folder.ts");
  const loaded = await planningarena.open({ folder: sampleFolder("planningarena"), data: "sample" });
  const [task] = await loaded.tasks("generated");
  const spec = { options: {} } as never;
  const answer = { end: "responder-unparsable", dialogue: [], unread: { role: "responder", content: "Well," } };
  const outcome = { answer, steps: [], failure: undefined };
  const score = await loaded.score(task!, outcome, { spec, signal: new AbortController().signal });
  expect([score.value, score.metrics, score.errors]).toEqual([undefined, {}, []]);
  loaded.close?.();
});
