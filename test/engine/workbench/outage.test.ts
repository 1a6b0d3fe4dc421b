/** A run whose endpoint stays unreachable: with a screen it pauses until resumed, without one the same command resumes it. */
import { describe, expect, test } from "vitest";
import { execute } from "../../../source/commands/session/run.ts";
import { OutageProblem } from "../../../source/engine/models/problem.ts";
import type { Models } from "../../../source/engine/models/models.ts";
import type { Chunk } from "../../../source/engine/types.ts";
import { until } from "../../until.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();

const away = "Endpoint lab has not answered for 15 minutes: connect ECONNREFUSED";
const text = "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n";

/** The endpoint is unreachable after this many requests. */
async function openWith(wire: { answers: number }) {
  const between = (models: Models): Models => ({
    ...models,
    model(name) {
      const real = models.model(name);
      return {
        ...real,
        async *stream(request): AsyncIterable<Chunk> {
          if (wire.answers-- <= 0) throw new OutageProblem(away);
          yield* real.stream(request);
        },
      };
    },
  });
  return sessions.open(text, { suites: [tinySuite().suite], between });
}

describe("an endpoint that stays unreachable", () => {
  test("pauses the run and gives the reason, and resuming completes it", async () => {
    const wire = { answers: 5 };
    const workbench = await openWith(wire);
    const cell = cellNamed(workbench, "main");
    const running = workbench.run(cell);
    await until(() =>
      expect(runsOf(workbench, "main")[0]).toMatchObject({
        status: "paused",
        message: away,
        counts: { right: 5, wrong: 0, failed: 0, running: 0 },
      }),
    );
    const { stopped, waiting } = runsOf(workbench, "main")[0]!.counts;
    expect([stopped > 0, stopped + waiting]).toEqual([true, 7]);
    wire.answers = 100;
    workbench.resume(cell);
    await running;
    expect(runsOf(workbench, "main")[0]).toMatchObject({ status: "done", message: undefined, counts: { right: 12 } });
  });

  test("ends a run without a screen as stopped, with status 1, and the same command resumes it", async () => {
    const wire = { answers: 5 };
    const workbench = await openWith(wire);
    const { suites, analyses } = workbench;
    const context = { stdout: () => {}, stderr: () => {}, signal: new AbortController().signal, suites, analyses };
    const headless = () => execute(workbench, context, { cells: undefined, json: false, width: 80, ascii: true });
    expect(await headless()).toBe(1);
    expect(runsOf(workbench, "main")[0]).toMatchObject({ status: "partial", message: away, counts: { right: 5 } });
    wire.answers = 100;
    expect(await headless()).toBe(0);
    expect(runsOf(workbench, "main")[0]).toMatchObject({ status: "done", counts: { right: 12, wrong: 0 } });
  });
});
