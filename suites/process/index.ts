/**
 * Any benchmark in any language: a user's process provides the tasks, executes them with the run's models, and scores them.
 * documentation/processes.md describes the lines.
 */
import { meanMeasure } from "../../source/engine/measures/measure.ts";
import { askedByProcess } from "../../source/engine/strategies/process.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { DataProblem } from "../../source/engine/text/json-lines.ts";
import { stampOf } from "../../source/engine/work/file-stamp.ts";
import { readProcessTasks, type ProcessTasks } from "./data/tasks.ts";

const family: Suite<"process"> = {
  name: "process",
  title: "Process of your own",
  summary: "your program provides and scores the tasks",
  revision: 1,
  paper: { title: "", venue: "", url: "" },
  licence: "The tasks of your own program.",
  splits: [{ name: "all", title: "all tasks" }],
  facets: [],
  strategies: [askedByProcess],
  options: [],
  takesTools: true,
  maxShots: 0,
  measures: [
    meanMeasure("score", {
      name: "score",
      title: "Score",
      mode: "own",
      note: "The process itself gives the score; planwright does not check it.",
    }),
  ],
  withValue: (value) => ({ score: value }),
  environmentsOf: ({ toolServers = {} }) => Object.keys(toolServers),
  scoredBy: [],
  errorKinds: [
    { name: "wrong-answer", title: "Wrong answer" },
    { name: "no-answer", title: "No answer" },
    { name: "reported", title: "Reported by the process", note: "the process names the error" },
  ],
  faultKinds: [],
  analyses: ["overview", "difficulty", "errors", "compare", "answers", "consistency", "efficiency", "cost"],
  data: { files: [], source: "the process itself" },
  tasksFrom: "process",
  open: () => Promise.reject(new DataProblem("Expected `process: NAME`, got none")),
  ofFile(path, name, source) {
    if (source === undefined) throw new DataProblem("Processes of your own are not available here");
    let known: { readonly stamp: string | undefined; readonly read: ProcessTasks } | undefined;
    const read = (): ProcessTasks => {
      const stamp = stampOf(path);
      if (known === undefined || known.stamp !== stamp) known = { stamp, read: readProcessTasks(path, name) };
      return known.read;
    };
    const suite: Suite<"process"> = {
      ...family,
      name: `process/${name}`,
      title: `${family.title}: ${name}`,
      get facets() {
        return read().facets.map((facet) => ({ name: facet, title: facet }));
      },
      identity: () => source.identity(name),
      open: async (from) => (await import("./loaded-suite.ts")).openProcess(suite, { name, source, read, from }),
    };
    return suite;
  },
};

export { family as process };
