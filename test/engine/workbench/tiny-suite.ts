/** A benchmark of twelve tasks whose scorer, data and paper can be made to fail. Runs use built-in models through the real client. */
import { beforeEach } from "vitest";
import { ask } from "../../../source/engine/run/ask.ts";
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { PaperNumbers, Suite } from "../../../source/engine/suite.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";
import type { Task } from "../../../source/engine/types.ts";
import { temporarySessions } from "./temporary-session.ts";

const direct: Strategy<"stages"> = {
  name: "direct",
  title: "Direct",
  needs: "stages",
  revision: 1,
  roles: ["model"],
  async *run(context) {
    const messages = [{ role: "user" as const, content: context.task.question }];
    const { text } = yield* ask(context, { role: "model", stage: "plan", messages });
    yield { type: "answer", answer: text };
  },
};

const tasks: readonly Task[] = Array.from({ length: 12 }, (_, index) => ({
  id: `t${index}`,
  question: `What is ${index}?`,
  input: index,
  answer: index,
  facets: { parity: index % 2 === 0 ? "even" : "odd" },
}));

/** Scores 1 for the right answer, or the judge's score if a judge is named. */
export const tinyScore: LoadedSuite["score"] = async (task, { answer }, { ask: askJudge }) => {
  const reply = await askJudge?.("judge", [{ role: "user", content: `Is ${String(answer)} right?` }]);
  const right = answer === String(task.answer) ? 1 : 0;
  const value = reply === undefined ? right : Number(reply);
  return { value, metrics: { right: value }, checks: [], errors: [] };
};

export type Behaviour = {
  score: LoadedSuite["score"];
  /** Awaited before data can be used. */
  opening: Promise<void>;
  reported: () => Promise<PaperNumbers>;
  /** Reports what is missing from its data. */
  lacking: LoadedSuite["lacking"];
};

/** Returns the suite and the behaviour that can be changed while the suite is used. */
export function tinySuite(): { readonly suite: Suite; readonly behaviour: Behaviour } {
  const behaviour: Behaviour = {
    score: tinyScore,
    opening: Promise.resolve(),
    reported: () => Promise.resolve({ values: [], tables: [] }),
    lacking: () => undefined,
  };
  const suite: Suite = {
    name: "tiny",
    title: "Tiny",
    revision: 1,
    paper: { title: "", venue: "", url: "" },
    licence: "",
    splits: [{ name: "all", title: "All" }],
    facets: [{ name: "parity", title: "Parity" }],
    strategies: [direct],
    options: [],
    maxShots: 0,
    measures: [meanMeasure("right", { name: "right", title: "Right", mode: "tiny" })],
    errorKinds: [],
    faultKinds: [{ name: "wrong", title: "Wrong" }],
    analyses: ["difficulty"],
    data: { files: [], source: "" },
    reported: () => behaviour.reported(),
    async open() {
      await behaviour.opening;
      return {
        suite,
        warnings: [],
        tasks: () => Promise.resolve(tasks),
        shots: () => [],
        asks: { stages: () => [] },
        lacking: (...given) => behaviour.lacking?.(...given),
        score: (...given) => behaviour.score(...given),
        oracle: (task, { role }) => ({ text: role === "judge" ? "0.5" : String(task.answer) }),
        fault: () => ({ text: "no idea" }),
        describe: () => ({ reference: [], plan: [], matches: [] }),
      };
    },
  };
  return { suite, behaviour };
}

/** The suite and sessions for a file of tests or a `describe`: each test begins with both unchanged and an empty folder. */
export function tinySessions() {
  const sessions = temporarySessions();
  const { suite, behaviour } = tinySuite();
  const unchanged = { suite: { ...suite }, behaviour: { ...behaviour } };
  beforeEach(() => {
    Object.assign(suite, unchanged.suite);
    Object.assign(behaviour, unchanged.behaviour);
  });
  return { sessions, suite, behaviour };
}
