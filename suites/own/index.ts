/**
 * The user's own questions: a file of the session, compared with its answers. Read README.md beside this file first: it says
 * what may stand in the file and how answers are compared.
 */
import { stampOf } from "../../source/engine/work/file-stamp.ts";
import { join } from "node:path";
import { meanMeasure } from "../../source/engine/measures/measure.ts";
import { withoutJudge } from "../../source/engine/option.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { agent } from "../../source/engine/strategies/agent.ts";
import { adaplanner } from "../../source/engine/strategies/adaplanner.ts";
import { dfsdt, singleChain } from "../../source/engine/strategies/dfsdt.ts";
import { cot, direct } from "../../source/engine/strategies/direct.ts";
import { react } from "../../source/engine/strategies/react.ts";
import { reflexion } from "../../source/engine/strategies/reflexion.ts";
import { toolPlanner } from "../../source/engine/strategies/tool-planner.ts";
import { toolchainStar } from "../../source/engine/strategies/toolchain-star.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { withEnvironments } from "../../source/engine/toolkits/environment-tools.ts";
import { readQuestions } from "./data/question-file.ts";
import type { QuestionFile, QuestionKind } from "./data/question.ts";
import { checkNames } from "./score/checks.ts";
import { errorKinds, runCheck } from "./score/score.ts";

const acting = [react, reflexion, adaplanner, dfsdt, singleChain, toolPlanner, toolchainStar, agent];

type Protocols = "stages" | "environment";

/** What a suite of questions is, whatever file they stand in. */
type Kind = {
  readonly title: string;
  readonly summary: string;
  /** Whose they are, and what is asked. */
  readonly licence: string;
  readonly kind: QuestionKind;
  readonly strategies: Suite<Protocols>["strategies"];
};

/** A suite of the questions in one file, which is read when its facets or tasks are first asked for. */
function questionSuite(
  path: string,
  name: string,
  { title, summary, licence, kind, strategies }: Kind,
  family: Pick<Suite<Protocols>, "ofFile" | "usualFile"> = {},
): Suite<Protocols> {
  const questions = rememberedFile(path, kind);
  const suite: Suite<Protocols> = {
    name,
    title,
    summary,
    revision: 1,
    paper: { title: "", venue: "", url: "" },
    licence,
    splits: [{ name: "all", title: "all questions" }],
    get facets() {
      return questions().facets.map((facet) => ({ name: facet, title: facet }));
    },
    strategies,
    takesTools: true,
    options: [
      {
        name: "check",
        title: "Check",
        values: checkNames,
        default: "exact",
        note: "how a reply is compared with the answer; one-of: answers separated by |; judge: a model decides by the rubric; none: nothing is scored",
      },
      {
        name: "rubric",
        title: "Rubric",
        values: "text",
        default: "",
        quiet: true,
        when: { check: ["judge"] },
        noEffect: withoutJudge,
        note: "when an answer is right",
      },
      { name: "system", title: "System message", values: "text", default: "", quiet: true },
    ],
    maxShots: 20,
    measures: [
      meanMeasure("accuracy", {
        name: "accuracy",
        title: "Accuracy",
        mode: "own",
        note: "Your own questions and your own check.",
      }),
    ],
    unscored(spec) {
      if (runCheck(spec) === "none") return "`check: none`: answers are there to be read, and have no score";
      return runCheck(spec) === "judge" && spec.judge === undefined
        ? "`check: judge` needs `judge: ENDPOINT/MODEL`: without one no answer has a score"
        : undefined;
    },
    withValue: (value) => ({ accuracy: value }),
    errorKinds,
    faultKinds: [{ name: "wrong", title: "A wrong answer", errors: ["wrong-answer", "unreadable"] }],
    analyses: ["overview", "difficulty", "errors", "compare", "consistency", "shots", "efficiency", "cost"],
    data: { files: [], source: "" },
    environmentsOf: ({ toolServers = {} }) => Object.keys(toolServers),
    ...family,
    async open({ toolSources, environments }) {
      const tools = withEnvironments(toolSources, environments);
      return (await import("./loaded-suite.ts")).loadQuestions(suite, questions(), tools);
    },
  };
  return suite;
}

/** Read again where the file has changed. */
function rememberedFile(path: string, kind: QuestionKind): () => QuestionFile {
  let known: { readonly stamp: string | undefined; readonly file: QuestionFile } | undefined;
  return () => {
    const stamp = stampOf(path);
    if (known === undefined || known.stamp !== stamp) known = { stamp, file: readQuestions(path, kind) };
    return known.file;
  };
}

/** A suite with the sample that shows what a file may be; `from: FILE` takes one of the session. */
function familyOf(name: string, sample: string, kind: Kind, usualFile?: string): Suite<Protocols> {
  return questionSuite(join(sampleFolder("own"), sample), name, kind, {
    ...(usualFile === undefined ? {} : { usualFile }),
    ofFile: (path, file) => questionSuite(path, `${name}/${file}`, { ...kind, title: `${kind.title}: ${file}` }),
  });
}

export const own = familyOf("own", "questions.csv", {
  title: "Own questions",
  summary: "from a file of yours, compared with answers",
  licence: "Your own questions.",
  kind: "questions",
  strategies: [direct, cot, ...acting],
});

/** The same for tool servers: each task may say which tools it is about, and how its answer is found right. */
export const mcp = familyOf(
  "mcp",
  "tasks.jsonl",
  {
    title: "Own tasks for tool servers",
    summary: "from a file of yours, for tools of a server",
    licence: "Your own tasks for the tools of a server.",
    kind: "tasks",
    strategies: [...acting, direct, cot],
  },
  "tasks.jsonl",
);
