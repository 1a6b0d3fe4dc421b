/** ToolBench bound to a data folder. */
import { drawnShots } from "../../source/engine/strategies/drawn-shots.ts";
import { mostTries } from "../../source/engine/run/ask.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { Asked, EpisodeLimits } from "../../source/engine/protocol.ts";
import type { LoadedSuite, PlanStep, TaskView } from "../../source/engine/loaded-suite.ts";
import { retrieved, usesToolkits } from "../../source/engine/toolkits/toolkits-option.ts";
import { toolEpisode } from "../../source/engine/toolkits/tool-episode.ts";
import type { DataKind, Json, RunSpec, ToolCall } from "../../source/engine/types.ts";
import { environmentOf, longestObservation, maxDepth } from "./ask/environment.ts";
import { floors } from "./ask/floors.ts";
import { finishTool } from "./ask/finish.ts";
import { functionName, standardize } from "./ask/names.ts";
import { oracleReply, type Known } from "./ask/oracle.ts";
import { apisOf, type Query, type QueryTask } from "./data/records.ts";
import { judgings, scoreQuery } from "./score/score.ts";
import { allowsFault, faultyReply, type OwnCalls } from "./ask/faults.ts";
import { wantsOf } from "./ask/wants.ts";
import { VirtualServer } from "./ask/virtual-server.ts";
import { largest, scopeOf, usualRetrieved, World } from "./data/world.ts";

export async function openSuite(
  suite: Suite,
  { clusterModels, data, folder, signal }: Parameters<Suite["open"]>[0],
): Promise<LoadedSuite<QueryTask, "environment">> {
  const world = new World(folder, data, signal, clusterModels);
  // Loaded with the first environment, so that listing tasks does not wait for it.
  let cache: Awaited<ReturnType<World["cache"]>>;
  const known = (task: QueryTask, asked: Pick<Asked, "spec">): Known => {
    const inputs = new Map(apisOf(task.answer).map((api) => [api.spec.name, api]));
    const cached = (name: string): Json | undefined => {
      const api = inputs.get(name);
      return api === undefined
        ? undefined
        : cache?.entries(api).find(({ input, error }) => input !== undefined && error === "")?.input;
    };
    return {
      wants: wantsOf(task.answer, cached),
      toolkits: world.clustered(task, asked.spec)?.toolkits,
      expect: task.answer.expect,
    };
  };
  return {
    suite,
    warnings: warningsFor(data, suite),
    tasks: async (split) =>
      (await world.sets(split)).flatMap(({ set, queries }) => queries.map((query) => taskOf(set, query))),
    shots: drawnShots,
    variants: { question: (task, question) => ({ ...task, question }) },
    asks: {
      environment: {
        async open(task, spec) {
          cache = await world.cache();
          const offer = await world.offer(task, spec);
          return environmentOf(offer, new VirtualServer(cache, spec, drawOf(task, spec)), spec);
        },
        plan: ({ answer }) => answer.relevant.map(([tool, api]) => functionName(api, standardize(tool))),
        limits: (task, spec) => episodeOf(task, spec, data),
      },
    },
    toolkits: {
      prepare: (spec, tasks, monitor) => world.prepare(tasks, spec, monitor),
      made: (spec, tasks) => world.made(tasks, spec),
      take: (spec, tasks, made) => world.take(tasks, spec, made),
      requests: (spec, tasks) => world.preparing(tasks, spec),
      clusters: (spec) => world.view(spec),
    },
    judging: (_, spec) => judgings(spec),
    score: (task, outcome, context) => scoreQuery(world, task, outcome, context),
    floors: () => floors,
    oracle: (task, asked) => oracleReply(known(task, asked), asked),
    fault: (task, asked, kind, random) => faultyReply(known(task, asked), asked, kind, random),
    allowsFault: (task, played, kind) =>
      allowsFault(known(task, played), played, kind, ownCalls(task, played.spec, cache)),
    describe: (task, answer, calls) => viewOf(task, answer, calls),
  };
}

/** Returns the functions of the task's own list, and whether their calls fail if the run offers exactly this list. */
function ownCalls(task: QueryTask, spec: RunSpec, cache: Awaited<ReturnType<World["cache"]>>): OwnCalls {
  const apis = new Map(apisOf(task.answer).map((api) => [api.spec.name, api]));
  const names = [...apis.keys()];
  if (scopeOf(spec) !== "query" || usesToolkits(spec)) return { names, fails: undefined };
  const server = new VirtualServer(cache, spec, drawOf(task, spec));
  const fails = (name: string, input: Json) => {
    const [api, source] = [apis.get(name)!, JSON.stringify(input)];
    // A model simulates the response.
    if (server.consult(api, source) !== undefined) return true;
    const { error, response } = server.answer(api, source, undefined);
    return error !== "" || response === "";
  };
  return { names, fails };
}

const drawOf = ({ id }: QueryTask, { seed, trial }: RunSpec): string => `${seed} ${trial} ${id}`;

function episodeOf({ question, answer }: QueryTask, spec: RunSpec, data: RunSpec["data"]): EpisodeLimits {
  const scope = scopeOf(spec);
  const own = apisOf(answer).map((api) => api.spec);
  const offered = {
    question,
    tools: scope === "query" ? own : retrieved(spec, usualRetrieved),
    toolkits: usesToolkits(spec)
      ? scope === "query"
        ? own.length
        : largest[data === "sample" ? "sample" : "published"][scope]
      : 0,
    observation: longestObservation,
    turns: maxDepth / 2,
    perCall: spec.options["server"] === "simulate" ? mostTries : 0,
  };
  return toolEpisode(offered, spec);
}

const warningsFor = (data: DataKind, { remarks = [] }: Suite): readonly string[] =>
  data === "sample"
    ? ["Sample: 48 made-up APIs, some of which fail on purpose; a rule decides success, not a judge"]
    : [
        ...remarks,
        "Responses come from a cache, and a model invented most of them; a call without a cached response fails unless `server: simulate` is set",
        "All queries count as solvable, because only solvable queries were selected",
      ];

const order = new Map([
  ["G1", "single tool"],
  ["G2", "one category"],
  ["G3", "one collection"],
]);

function taskOf(set: string, query: Query): QueryTask {
  const group = set.slice(0, 2);
  return {
    id: `${set}-${query.query_id}`,
    question: query.query,
    input: { set, id: query.query_id },
    answer: query,
    facets: {
      set,
      group: order.get(group) ?? group,
      apis: query.api_list.length,
      relevant: query.relevant.length,
    },
  };
}

/**
 * Shows the relevant APIs beside the calls and the answer. The benchmark has no reference plan: only a relevant API that was
 * never called counts as missing.
 */
function viewOf(task: QueryTask, answer: Json | undefined, calls: readonly ToolCall[] | undefined): TaskView {
  const made = (calls ?? []).filter(({ name }) => name !== finishTool.name);
  const titles = task.answer.relevant.map(([tool, api]) => functionName(api, standardize(tool)));
  const reference = titles.map((title, index): PlanStep => {
    const goal = task.answer.reference[index]?.goal;
    const isCompared = calls !== undefined && !made.some(({ name }) => name === title);
    return { title, lines: goal === undefined ? [] : [goal], needs: [], ...(!isCompared && { uncompared: true }) };
  });
  const matches = titles.flatMap((title, index) => {
    const at = made.findIndex(({ name }) => name === title);
    return at < 0 || titles.indexOf(title) < index ? [] : [[index, at] as const];
  });
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  const plan: PlanStep[] = [
    ...made.map((call): PlanStep => ({ title: call.name, lines: [call.text], needs: [], uncompared: true })),
    ...(answer === undefined ? [] : [{ title: "Answer", lines: [text], needs: [], uncompared: true } as const]),
  ];
  const list = task.answer.api_list
    .map((record) => `${record.tool_name} / ${record.api_name}: ${record.api_description}`)
    .join("\n");
  const expected =
    task.answer.expect.length === 0 ? [] : [{ title: "A right answer mentions", text: task.answer.expect.join("\n") }];
  return { reference, plan, matches, background: [{ title: "APIs of the query", text: list }, ...expected] };
}
