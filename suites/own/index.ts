/**
 * The user's own questions: a file of the session, compared with its answers. Read README.md beside this file first: it says
 * what may stand in the file and how answers are compared.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { meanMeasure } from "../../source/engine/measures/measure.ts";
import { withoutJudge } from "../../source/engine/option.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { cot, direct } from "../../source/engine/strategies/direct.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { readQuestions } from "./data/question-file.ts";
import type { QuestionFile } from "./data/question.ts";
import { checkNames } from "./score/checks.ts";
import { checkOf, errorKinds } from "./score/score.ts";

/** A suite of the questions in one file, which is read when its facets or tasks are first asked for. */
function questionSuite(path: string, name: string, title: string, ofFile?: Suite<"stages">["ofFile"]): Suite<"stages"> {
  const questions = rememberedFile(path);
  const suite: Suite<"stages"> = {
    name,
    title,
    revision: 1,
    paper: { title: "", venue: "", url: "" },
    licence: "Your own questions.",
    splits: [{ name: "all", title: "all questions" }],
    get facets() {
      return questions().facets.map((facet) => ({ name: facet, title: facet }));
    },
    strategies: [direct, cot],
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
      if (checkOf(spec) === "none") return "`check: none`: answers are there to be read, and have no score";
      return checkOf(spec) === "judge" && spec.judge === undefined
        ? "`check: judge` needs `judge: ENDPOINT/MODEL`: without one no answer has a score"
        : undefined;
    },
    withValue: (value) => ({ accuracy: value }),
    errorKinds,
    faultKinds: [{ name: "wrong", title: "A wrong answer", errors: ["wrong-answer", "unreadable"] }],
    analyses: ["overview", "difficulty", "errors", "compare", "consistency", "shots", "efficiency", "cost"],
    data: { files: [], source: "" },
    ...(ofFile && { ofFile }),
    open: async () => (await import("./loaded-suite.ts")).loadQuestions(suite, questions()),
  };
  return suite;
}

/** Read again where the file has changed. */
function rememberedFile(path: string): () => QuestionFile {
  let known: { readonly stamp: string; readonly file: QuestionFile } | undefined;
  return () => {
    const { size = 0, mtimeMs = 0, ino = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const stamp = `${size} ${mtimeMs} ${ino}`;
    if (known?.stamp !== stamp) known = { stamp, file: readQuestions(path) };
    return known.file;
  };
}

/** With the sample that shows what a file may be; `from: FILE` takes one of the session. */
export const own: Suite<"stages"> = questionSuite(
  join(sampleFolder("own"), "questions.csv"),
  "own",
  "Own questions",
  (path, file) => questionSuite(path, `own/${file}`, `Own questions: ${file}`),
);
