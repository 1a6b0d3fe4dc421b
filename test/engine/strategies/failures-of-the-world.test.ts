/**
 * A failure of the environment never becomes a score: whichever request of a task fails, in any strategy of any suite, the task fails,
 * is executed again by the same command, and then ends normally.
 */
import { publicRow } from "../../../source/engine/log/rows/row-notes.ts";
import { cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ModelProblem } from "../../../source/engine/models/problem.ts";
import type { Models } from "../../../source/engine/models/models.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Chunk, Row } from "../../../source/engine/types.ts";
import type { EnvironmentSource } from "../../../source/engine/protocol.ts";
import { suites } from "../../../suites/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../workbench/temporary-session.ts";
import { askingStrategies } from "../../asking-strategies.ts";

const sessions = temporarySessions();

/** Counts requests, and makes one of them fail: before its reply, or in the middle of it. */
function brokenWire() {
  const wire = { requests: 0, fails: -1, inside: false };
  const broken = () => new ModelProblem("connect ECONNREFUSED", { attempts: 6 });
  const between = (models: Models): Models => ({
    ...models,
    model(name) {
      const real = models.model(name);
      return {
        ...real,
        async *stream(request): AsyncIterable<Chunk> {
          const fails = wire.requests++ === wire.fails;
          if (fails && !wire.inside) throw broken();
          for await (const chunk of real.stream(request)) {
            yield chunk;
            if (fails) throw broken();
          }
        },
      };
    },
  });
  return { wire, between };
}

/** Settings for each suite's smallest interesting task, with a judge if requested. */
const settings: Readonly<Record<string, string>> = {
  planningarena: "judge: builtin/oracle\nresponder: builtin/oracle\n",
  ultratool: "judge: builtin/oracle\n",
  toolbench: "judge: builtin/oracle\nresponder: builtin/oracle\n",
  own: "from: questions.csv\ncheck: judge\njudge: builtin/oracle\n",
  mcp: "judge: builtin/oracle\n",
};

/** A row without its times, including the metric `first_call`. */
function counted(row: Row) {
  const { state, score, calls, toolCalls, counts } = publicRow(row);
  const { first_call: _, ...metrics } = score?.metrics ?? {};
  return { state, score: { ...score, metrics }, calls, toolCalls, counts };
}

/** The sample of a suite that reads its tasks from a file of the session. */
function bringQuestions(): void {
  cpSync(sampleFolder("own"), sessions.path, { recursive: true });
}

/** An environment for suites that bring none. */
const look = { name: "look", description: "Looks around", parameters: { type: "object", properties: {} } };
const desk: EnvironmentSource = {
  open: async () => ({ tools: [look], call: async () => ({ ok: true, observation: "a lamp", status: "ok" }) }),
};
const code = { suites: new Map(), strategies: new Map(), environments: new Map([["desk", "0123456789abcdef"]]) };
const own = { environments: { desk }, code };

const cases = suites.flatMap((suite) => askingStrategies(suite).map((strategy) => ({ suite, strategy })));

describe.each(cases)("$suite.name with $strategy.name", ({ suite, strategy }) => {
  test("never scores a task whose request failed", async () => {
    const { wire, between } = brokenWire();
    const model = "builtin/slips?rate=0.3";
    const tools = suite.ofFile !== undefined && strategy.needs === "environment" ? "tools: [desk]\n" : "";
    const text = `suite: ${suite.name}\nstrategy: ${strategy.name}\nmodel: ${model}\nlimit: 1\n${settings[suite.name] ?? ""}${tools}`;
    if (suite.ofFile !== undefined) bringQuestions();
    const workbench = await sessions.open(`\`\`\`run main\n${text}\`\`\`\n`, { suites: [suite], between, own });
    const cell = cellNamed(workbench, "main");
    await workbench.run(cell);
    const [{ run, message }] = runsOf(workbench, "main") as [ReturnType<typeof runsOf>[0]];
    const [row] = workbench.rows(run);
    expect([row?.state, message, row?.failure]).toEqual(["scored", undefined, undefined]);
    const undisturbed = counted(row!);
    const requests = wire.requests;
    expect(requests).toBeGreaterThan(0);
    for (let request = 0; request < requests; request++) {
      Object.assign(wire, { requests: 0, fails: request, inside: request % 2 === 1 });
      await workbench.run(cell, [{ run, task: row!.task }]);
      const [failed] = workbench.rows(run);
      expect([failed!.state, failed!.score], `request ${request}`).toEqual(["failed", undefined]);
      expect(["model", "judge"]).toContain(failed!.failure?.kind);
      Object.assign(wire, { requests: 0, fails: -1 });
      await workbench.run(cell);
      expect(counted(workbench.rows(run)[0]!), `after request ${request}`).toEqual(undisturbed);
    }
  });
});
