/**
 * The user's own questions: a file of the session with the right answers. README.md in this folder describes the file
 * and how answers are compared; read it first.
 */
import { join } from "node:path";
import { meanMeasure } from "../../source/engine/measures/measure.ts";
import { withoutJudge } from "../../source/engine/option.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { simpleSuite } from "../../source/engine/simple-suite/simple-suite.ts";
import { acting } from "../../source/engine/strategies/acting.ts";
import { agent } from "../../source/engine/strategies/agent.ts";
import { cot, direct } from "../../source/engine/strategies/direct.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { withEnvironments } from "../../source/engine/toolkits/offered-tools.ts";
import { stagesOf } from "./ask/stages.ts";
import { prompts } from "./ask/templates.ts";
import type { Question, QuestionKind } from "./data/question.ts";
import { RememberedFile } from "./data/remembered-file.ts";
import { checkNames } from "./score/checks.ts";
import { questionForm, questionFormName } from "./score/form.ts";
import { errorKinds, findings, metricOf, ruleChecks, runCheck, scoreReply } from "./score/score.ts";

type Protocols = "stages" | "environment";
type Parts = Pick<Suite<Protocols>, "summary" | "licence" | "strategies">;

const options: Suite["options"] = [
  {
    name: "check",
    title: "Check",
    values: checkNames,
    default: "exact",
    scoring: true,
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
    scoring: true,
    note: "the condition for a right answer",
  },
  {
    name: "end",
    title: "End of an episode",
    values: ["text", "finish"],
    default: "text",
    former: "finish",
    when: { strategy: ["react", "reflexion", "dfsdt", "single-chain", "toolchain-star"] },
    note: "text: the first reply without a tool call is the answer (only with native tool calls); finish: the answer is given in a call of the tool Finish",
  },
];

/** Parts shared by all suites of question files. */
const common = {
  splits: [{ name: "all", title: "all questions" }],
  takesTools: true,
  options,
  prompts,
  varies: ["options", "questions"],
  measures: [
    meanMeasure("accuracy", {
      name: "accuracy",
      title: "Accuracy",
      mode: "own",
      note: "The share of right answers by your check.",
    }),
    ...ruleChecks.map((check) =>
      meanMeasure(metricOf(check), {
        name: metricOf(check),
        title: `Right by ${check}`,
        mode: "checks",
        note: `The share of right answers by \`check: ${check}\`, among the answers that this check can compare. The score may use another check.`,
      }),
    ),
  ],
  unscored(spec) {
    if (runCheck(spec) === "none") return "With `check: none` answers have no score";
    return runCheck(spec) === "judge" && spec.judge === undefined
      ? "`check: judge` needs `judge: ENDPOINT/MODEL`: without a judge no answer has a score"
      : undefined;
  },
  withValue: (value) => ({ accuracy: value }),
  findings,
  form: questionForm,
  formName: questionFormName,
  scoredBy: [],
  errorKinds,
  faultKinds: [{ name: "wrong", title: "A wrong answer", errors: ["wrong-answer", "unreadable"] }],
  environmentsOf: ({ toolServers = {} }) => Object.keys(toolServers),
} satisfies Partial<Suite<Protocols>>;

/** Creates a suite for the questions of one file, which is read when its facets or tasks are first requested. */
const questionSuite = (
  file: { readonly path: string; readonly kind: QuestionKind },
  named: { readonly name: string; readonly title: string },
  parts: Parts & Pick<Suite<Protocols>, "ofFile" | "usualFile">,
): Suite<Protocols> =>
  simpleSuite<Question, Protocols>({
    ...named,
    tasks: new RememberedFile(file.path, file.kind),
    stages: stagesOf,
    score: scoreReply,
    suite: { ...common, ...parts },
    async extend(simple, { toolSources, environments }) {
      const { withTools } = await import("./loaded-suite.ts");
      return withTools(simple, withEnvironments(toolSources, environments));
    },
  });

/** Creates a suite with a sample file; `from: FILE` uses a file of the session instead. */
const familyOf = (
  named: { readonly name: string; readonly title: string },
  sample: string,
  { usualFile, kind, ...parts }: Parts & { readonly kind: QuestionKind; readonly usualFile?: string },
): Suite<Protocols> =>
  questionSuite({ path: join(sampleFolder("own"), sample), kind }, named, {
    ...parts,
    ...(usualFile !== undefined && { usualFile }),
    ofFile: (path, file) =>
      questionSuite({ path, kind }, { name: `${named.name}/${file}`, title: `${named.title}: ${file}` }, parts),
  });

export const own = familyOf({ name: "own", title: "Own questions" }, "questions.csv", {
  summary: "questions in a file, checked by your answers",
  licence: "Your own questions.",
  kind: "questions",
  strategies: [direct, cot, ...acting, agent],
});

/** Tasks for tool servers; each may name its tools and its own check. */
export const mcp = familyOf({ name: "mcp", title: "Own tasks for tool servers" }, "tasks.jsonl", {
  summary: "tasks in a file, solved with a server's tools",
  licence: "Your own tasks for the tools of a server.",
  kind: "tasks",
  strategies: [...acting, agent, direct, cot],
  usualFile: "tasks.jsonl",
});
