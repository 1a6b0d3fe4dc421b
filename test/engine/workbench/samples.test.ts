import { describe, expect, it } from "vitest";
import { keyReaders } from "../../../source/engine/run/run-models.ts";
import type { Models } from "../../../source/engine/models/models.ts";
import { secondsOf } from "../../../source/engine/measures/effort.ts";
import { passAtK } from "../../../source/engine/statistics/pass-at-k.ts";
import { pickedAnswer, pickedSample, type Sample, scoredSteps } from "../../../source/engine/run/picked-sample.ts";
import type { TakenAnswer } from "../../../source/engine/run/taken-answer.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import { Problem } from "../../../source/engine/problem.ts";
import { callsMade, trajectoryOf } from "../../../source/engine/log/trajectory.ts";
import type { Json, Task, TaskEvent } from "../../../source/engine/types.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { cellNamed, runsOf } from "./temporary-session.ts";
import { tinySessions } from "./tiny-suite.ts";

const { sessions, suite } = tinySessions();

const cell = (name: string, more: string) =>
  `\`\`\`run ${name}\nsuite: tiny\nmodel: builtin/slips?rate=0.4\n${more}\`\`\`\n\n`;

/** Counts requests to models by role. */
function counting() {
  const asked = { model: 0, judge: 0 };
  const between = (models: Models): Models =>
    Object.assign(Object.create(models) as Models, {
      model: (name: string) => {
        const model = models.model(name);
        return Object.assign(Object.create(model) as typeof model, {
          stream: (request: Parameters<typeof model.stream>[0]) => {
            asked[request.asker.role === "judge" ? "judge" : "model"] += 1;
            return model.stream(request);
          },
        });
      },
    });
  return { asked, between };
}

const rightOf = (session: SessionWorkbench, run: string) =>
  new Map(session.rows(run).map(({ task, score }) => [task, score?.value]));

describe("a cell with samples", () => {
  it("counts as right what pass@n counts as right if the oracle picks, and requests no sample again", async () => {
    const { asked, between } = counting();
    const text = cell("repeated", "repeats: 3\n") + cell("best", "samples: [1, 2, 4]\npick: oracle\n");
    const session = await sessions.open(text, { suites: [suite], between });
    await session.run(cellNamed(session, "repeated"));
    expect(asked.model).toBe(36);
    await session.run(cellNamed(session, "best"));
    // Only the fourth trial had not been requested before.
    expect(asked).toEqual({ model: 48, judge: 0 });
    const runs = runsOf(session, "best");
    expect(runs.map(({ label, status }) => [label, status])).toEqual([
      ["trial 1", "done"],
      ["trial 2", "done"],
      ["trial 3", "done"],
      ["trial 4", "done"],
      ["oracle of 2", "done"],
      ["oracle of 4", "done"],
    ]);
    expect(runsOf(session, "repeated").map(({ run }) => run)).toEqual(runs.slice(0, 3).map(({ run }) => run));
    const trials = runs.slice(0, 4).map(({ run }) => rightOf(session, run));
    const picked = rightOf(session, runs[5]!.run);
    for (const [task, value] of picked) {
      const successes = trials.filter((trial) => trial.get(task) === 1).length;
      expect(value).toBe(passAtK(4, successes, 4));
    }
    const share = (values: Iterable<number | undefined>) => [...values].reduce((sum: number, value) => sum + value!, 0);
    expect(share(picked.values())).toBeGreaterThan(share(trials[0]!.values()));
    expect(share(rightOf(session, runs[4]!.run).values())).toBeLessThanOrEqual(share(picked.values()));

    await session.run(cellNamed(session, "best"));
    expect(asked.model).toBe(48);
  });

  it("reports the tokens, requests and seconds of all its samples without sending requests itself", async () => {
    const session = await sessions.open(cell("voted", "samples: 3\n"), { suites: [suite] });
    await session.run(cellNamed(session, "voted"));
    const runs = runsOf(session, "voted");
    const rows = runs.map(({ run }) => new Map(session.rows(run).map((row) => [row.task, row])));
    const voted = rows.pop()!;
    expect(voted.size).toBe(12);
    for (const [task, row] of voted) {
      const { counted, spent } = row;
      const trials = rows.map((each) => each.get(task)!);
      const own = trials.map((trial) => trial.counted);
      const sum = (of: (each: typeof counted) => number) => own.reduce((total, each) => total + of(each), 0);
      expect(counted.calls).toBe(3);
      expect(counted.tokens.input).toBe(sum(({ tokens }) => tokens.input));
      expect(counted.tokens.output).toBe(sum(({ tokens }) => tokens.output));
      expect(counted.cost).toBe(sum(({ cost }) => cost ?? 0));
      expect(spent.calls).toBe(0);
      const seconds = trials.reduce((total, trial) => total + secondsOf(trial)!, 0);
      // The program's own work between requests is not part of a sample's time.
      expect(Math.abs(secondsOf(row)! - seconds)).toBeLessThan(0.25 * seconds + 0.5);
    }
  });

  it("picks the answer of the majority, or the first answer on a tie", async () => {
    const session = await sessions.open(cell("voted", "samples: [2, 5]\n"), { suites: [suite] });
    await session.run(cellNamed(session, "voted"));
    const runs = runsOf(session, "voted");
    const trials = runs.slice(0, 5).map(({ run }) => rightOf(session, run));
    const [two, five] = runs.slice(5).map(({ run }) => rightOf(session, run));
    // All wrong answers of this model are equal.
    for (const [task, value] of five!) {
      const successes = trials.filter((trial) => trial.get(task) === 1).length;
      expect(value).toBe(successes > 2 ? 1 : 0);
      expect(two!.get(task)).toBe(trials[0]!.get(task));
    }
  });

  it("reports in every figure that the oracle reads the answer key, but not for a majority", async () => {
    const text = cell("both", "samples: 2\npick: [majority, oracle]\n");
    const session = await sessions.open(text.replace("builtin/slips?rate=0.4", "builtin/nothing"), { suites: [suite] });
    const runs = runsOf(session, "both");
    expect(runs.map(({ label, readsAnswerKey }) => [label, readsAnswerKey])).toEqual([
      ["trial 1", false],
      ["trial 2", false],
      ["majority of 2", false],
      ["oracle of 2", true],
    ]);
    await session.run(cellNamed(session, "both"));
    expect(runsOf(session, "both").at(-1)!.warnings).toContain("pick: oracle reads the answer key");
    expect(keyReaders({ problem: () => "none" } as unknown as Models, runs.at(-1)!.spec)).toEqual(["pick: oracle"]);
  });

  it("asks the judge that picks once per task, and scores the picked answer", async () => {
    const { asked, between } = counting();
    const named: Models["model"] = (name) => ({
      name,
      readsAnswerKey: false,
      async *stream({ asker }) {
        yield { type: "text", text: asker.stage === "pick" ? "Answer 2" : "0.5" };
        yield { type: "finish", reason: "stop" };
      },
    });
    const judged = (models: Models): Models => {
      const counted = between(models);
      const model = (name: string) =>
        name === "builtin/nothing"
          ? Object.assign(named(name), {
              stream: (request: Parameters<ReturnType<typeof named>["stream"]>[0]) => {
                asked.judge += 1;
                return named(name).stream(request);
              },
            })
          : counted.model(name);
      return Object.assign(Object.create(models) as Models, { model });
    };
    const text = cell("judged", "samples: 3\npick: judge\njudge: builtin/nothing\n");
    const session = await sessions.open(text, { suites: [suite], between: judged });
    await session.run(cellNamed(session, "judged"));
    const [, second, , picked] = runsOf(session, "judged");
    expect(picked).toMatchObject({ label: "judge of 3", status: "done" });
    // Each answer is judged once, and each task once more to choose; verdicts on the same answer are equal.
    expect(asked).toEqual({ model: 36, judge: 36 + 12 });
    for (const { task } of session.rows(picked!.run)) {
      const [given, chosen] = await Promise.all([second!, picked!].map(({ run }) => session.trajectory({ run, task })));
      expect(chosen!.answer).toEqual(given!.answer);
    }
  });

  it("asks the judge about all tasks even if it picks no answer, and repeats the request for a task without a pick", async () => {
    let said = "neither";
    const judged = (models: Models): Models => {
      const judge: ReturnType<Models["model"]> = {
        name: "builtin/nothing",
        readsAnswerKey: false,
        async *stream({ asker }) {
          yield { type: "text", text: asker.stage === "pick" ? said : "0.5" };
          yield { type: "finish", reason: "stop" };
        },
      };
      const model = (name: string) => (name === judge.name ? judge : models.model(name));
      return Object.assign(Object.create(models) as Models, { model });
    };
    const text = cell("judged", "samples: 2\npick: judge\njudge: builtin/nothing\nlimit: 5\n");
    const session = await sessions.open(text, { suites: [suite], between: judged });
    await session.run(cellNamed(session, "judged"));
    const picked = () => runsOf(session, "judged")[2]!;
    expect(picked()).toMatchObject({ status: "failed", counts: { failed: 5 } });
    said = "1";
    await session.run(cellNamed(session, "judged"));
    expect(picked()).toMatchObject({ status: "done", counts: { failed: 0 } });
    for (const row of session.rows(picked().run)) {
      const runs = [runsOf(session, "judged")[0]!, picked()];
      const [given, chosen] = await Promise.all(runs.map(({ run }) => session.trajectory({ run, task: row.task })));
      expect(row.score?.value).toBe(0.5);
      expect(chosen!.answer).toBe(given!.answer);
    }
  });

  it("leaves tasks open that lack a sample, and picks once all samples are answered", async () => {
    let isDown = true;
    const failing = (models: Models): Models =>
      Object.assign(Object.create(models) as Models, {
        model: (name: string) => {
          const model = models.model(name);
          return Object.assign(Object.create(model) as typeof model, {
            stream: (request: Parameters<typeof model.stream>[0]) => {
              if (isDown && request.asker.spec.trial === 2 && request.asker.task === "t3")
                throw new Problem("model", "The server refuses it");
              return model.stream(request);
            },
          });
        },
      });
    const session = await sessions.open(cell("voted", "samples: 2\n"), { suites: [suite], between: failing });
    await session.run(cellNamed(session, "voted"));
    const picked = () => runsOf(session, "voted")[2]!;
    expect(picked().counts).toMatchObject({ waiting: 1 });
    expect(session.rows(picked().run)).toHaveLength(11);
    isDown = false;
    await session.run(cellNamed(session, "voted"));
    expect(picked()).toMatchObject({ status: "done", counts: { waiting: 0 } });
    expect(session.rows(picked().run)).toHaveLength(12);
  });

  it.each([
    ["samples: 2\nrepeats: 2\n", "Expected `samples` or `repeats`, got both"],
    ["samples: 2\ntrial: 2\n", "Expected `samples` or `trial`, got both"],
    ["pick: oracle\n", "Expected `samples: NUMBER` with `pick`, got none"],
    ["samples: 2\npick: judge\n", "Expected `judge: ENDPOINT/MODEL`, which picks the answer, got none"],
    ["samples: 2\npick: best\n", 'Expected `pick` to be one of majority, judge, oracle, got `"best"`'],
    [
      `samples: 100\ntemperature: [${Array.from({ length: 101 }, (_, at) => at / 100).join()}]\n`,
      "Expected at most 500 runs in one cell, got 10100",
    ],
    ["samples: 0\n", "Expected `samples` to be a whole number from 1 to 100, got `0`"],
  ])("rejects %j", async (more, message) => {
    const session = await sessions.open(cell("wrong", more), { suites: [suite] });
    const state = session.state(cellNamed(session, "wrong"));
    expect(state.kind === "run" && state.problems.map((problem) => problem.message)).toEqual([message]);
  });
});

describe("the picked sample", () => {
  const task: Task = { id: "t", question: "What?", input: 0, answer: 0, facets: {} };
  const sample = (answer: Json | undefined, value?: number): Sample => ({
    run: "r",
    answer: { steps: answer === undefined ? [] : [{ type: "answer", answer }], requests: 1, failure: undefined },
    score: value === undefined ? undefined : { value, metrics: {}, checks: [], errors: [] },
  });
  const describeAnswer: LoadedSuite["describe"] = (_, answer) => ({
    reference: [],
    plan: answer === undefined ? [] : [{ title: "Answer", lines: [String(answer).toLowerCase()], needs: [] }],
    matches: [],
  });
  const loaded = { suite, describe: describeAnswer } as unknown as LoadedSuite;
  const none = () => Promise.reject(new Error("asked"));
  const picked = (pick: "majority" | "oracle", ...samples: readonly Sample[]) =>
    pickedSample({ pick }, samples, { loaded, task }, none);

  it("is chosen from answers that the suite reads as equal, ignoring samples without an answer", async () => {
    const answers = [undefined, undefined, undefined, sample("Rome"), sample("PARIS"), sample("paris")];
    const { index, reason } = await picked("majority", ...answers.map((each) => each ?? sample(undefined)));
    expect([index, reason]).toEqual([4, "majority: 2 of 6 answers are equal"]);
    expect((await picked("majority", sample("a"), sample("b"))).index).toBe(0);
    expect((await picked("majority", sample(undefined), sample(undefined))).index).toBe(0);
  });

  it("is the first with the best score, ignoring samples without a score", async () => {
    expect((await picked("oracle", sample("a"), sample("b", 0), sample("c", 0.5), sample("d", 0.5))).index).toBe(2);
  });

  it("has the number that the judge writes; a reply without a number leads to a second request", async () => {
    const replies = ["both 1 and 2", "2."];
    const ask = () => Promise.resolve(replies.shift() ?? "neither");
    const samples = [sample("a"), sample("b")];
    expect((await pickedSample({ pick: "judge" }, samples, { loaded, task }, ask)).index).toBe(1);
    await expect(pickedSample({ pick: "judge" }, samples, { loaded, task }, ask)).rejects.toThrow(
      'Expected the judge to name one of 2 answers, got "neither"',
    );
  });

  it("is the only sample whose calls the trajectory shows", () => {
    const made = (id: string, name: string) => {
      const call = { id, name, text: "{}", arguments: {} };
      return [
        { type: "prompt", request: 0, role: "model", model: "m", stage: "s", messages: [] },
        { type: "call", request: 0, call },
        { type: "result", callId: id, name, result: { ok: true, observation: "", status: "" } },
      ] as const;
    };
    const of = (name: string): Sample => ({
      ...sample(undefined),
      answer: { ...sample(undefined).answer, steps: made("c", name) },
    });
    const samples = [of("search"), of("book")];
    const { steps } = pickedAnswer(samples, { index: 0, reason: "judge" }, 0);
    const events = steps.map((step, seq) => ({ ...step, seq, at: seq, task: "t" })) as readonly TaskEvent[];
    expect(callsMade(trajectoryOf("t", events)).map(({ name }) => name)).toEqual(["search"]);
  });

  it("has its own steps scored, with the other samples' requests before them", () => {
    const steps = (text: string): TakenAnswer["steps"] => [
      { type: "prompt", request: 0, role: "model", model: "m", stage: "s", messages: [], saved: 1 },
      { type: "text", request: 0, text },
      { type: "answer", answer: text },
    ];
    const of = (text: string): Sample => ({ ...sample(text), answer: { ...sample(text).answer, steps: steps(text) } });
    const { steps: all, requests } = pickedAnswer([of("a"), of("b"), of("c")], { index: 1, reason: "judge" }, 1);
    expect(requests).toBe(4);
    expect(all.flatMap((step) => (step.type === "prompt" ? [step.request] : []))).toEqual([1, 2, 3]);
    expect(all.filter(({ type }) => type === "answer")).toEqual([{ type: "answer", answer: "b" }]);
    expect(scoredSteps(all).flatMap((step) => (step.type === "text" ? [step.text] : []))).toEqual(["b"]);
  });
});
