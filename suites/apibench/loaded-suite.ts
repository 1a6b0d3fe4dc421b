/** APIBench bound to a data folder. */
import { drawnShots } from "../../source/engine/strategies/drawn-shots.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { Asked, Asks } from "../../source/engine/protocol.ts";
import type { LoadedSuite, ScoreContext, TaskView } from "../../source/engine/loaded-suite.ts";
import { ToolClusters } from "../../source/engine/toolkits/tool-clusters.ts";
import { field } from "../../source/engine/text/json-record.ts";
import { preference, voteSummary } from "../../source/engine/toolkits/preference.ts";
import { rankedWhenSearched } from "../../source/engine/toolkits/ranking.ts";
import { toolEpisode } from "../../source/engine/toolkits/tool-episode.ts";
import { usesToolkits } from "../../source/engine/toolkits/toolkits-option.ts";
import type { Json, Outcome, Score } from "../../source/engine/types.ts";
import { loadHub, taskOf, type HubTask } from "./data/catalogue.ts";
import { environmentOf, finishTool, longest, maxDepth, toolName, toolOf } from "./ask/environment.ts";
import { floorsOf } from "./ask/floors.ts";
import { HubToolkits, hubOf } from "./ask/hub-toolkits.ts";
import { extractCall, hubs, type Hub, type FindNodes } from "./score/extraction.ts";
import { oracleReply, faultyReply, type Known } from "./ask/oracle.ts";
import { directMessages } from "./ask/prompts.ts";
import {
  mostToolkits,
  offeredApis,
  offeredToolkits,
  retrieverMetrics,
  shownApis,
  type SearchedHub,
} from "./ask/retriever.ts";
import { nodesOrFallback } from "./data/grammar-thread.ts";
import { judgeReply, scoreOf } from "./score/verdict.ts";

/** The hubs of a data folder with their toolkits and the reader of calls. */
type World = {
  readonly opened: ReadonlyMap<Hub, SearchedHub>;
  readonly toolkits: HubToolkits;
  readonly findNodes: FindNodes;
};

export async function openSuite(
  suite: Suite,
  { clusterModels, folder, signal }: Parameters<Suite["open"]>[0],
): Promise<LoadedSuite<HubTask, "stages" | "environment">> {
  const { findNodes, warning } = await nodesOrFallback();
  const opened = new Map<Hub, SearchedHub>();
  for (const hub of hubs) opened.set(hub, await openHub(folder, hub));
  const toolkits = new HubToolkits(opened, new ToolClusters(clusterModels), signal);
  const world: World = { opened, toolkits, findNodes };
  const known = (task: HubTask, { spec }: Pick<Asked, "spec">): Known => {
    const data = dataOf(world, task);
    const grouped = toolkits.known(data.hub, spec);
    return { task, data, toolkits: grouped && offeredToolkits(grouped, questionOf(data, task), data, spec) };
  };
  return {
    suite,
    warnings: [
      "Correct means an API of the right domain, which need not be the right API; stricter measures are also listed",
      ...(warning === undefined ? [] : [warning]),
    ],
    async tasks(split) {
      const hub = hubOf({ split });
      return hub === undefined ? [] : [...opened.get(hub)!.questions.values()].map((question) => taskOf(hub, question));
    },
    shots: drawnShots,
    variants: { question: (task, question) => ({ ...task, question }) },
    asks: {
      stages(task, spec, shots) {
        const data = dataOf(world, task);
        const documents = shownApis(questionOf(data, task), data, spec);
        const questions = shots.flatMap(({ input }) => data.questions.get(input.id) ?? []);
        return [
          { name: "answer", messages: () => directMessages(spec, task.question, data.hub, documents, questions) },
        ];
      },
      environment: environmentIn(world),
    },
    toolkits,
    // Two answers are compared in both orders.
    judging: () => 2,
    async score(task, outcome, context) {
      const data = dataOf(world, task);
      const metrics = usesToolkits(context.spec)
        ? (await toolkits.look(data.hub, context.spec, context.signal)).metrics
        : undefined;
      return scoreTask(task, outcome, context, data, findNodes, metrics);
    },
    floors: (all) => floorsOf(all, (task) => dataOf(world, task).keys),
    oracle: (task, asked) => oracleReply(known(task, asked), asked),
    fault: (task, asked, kind, random) => faultyReply(known(task, asked), asked, kind, random),
    describe: (task, answer) => viewOf(task, answer),
  };
}

const dataOf = ({ opened }: World, { input }: HubTask): SearchedHub => opened.get(input.hub)!;
const questionOf = ({ questions }: SearchedHub, { input }: HubTask) => questions.get(input.id)!;

/** Opens a question with the functions of its hub. */
const environmentIn = (world: World): NonNullable<Asks<HubTask>["environment"]> => ({
  limits(task, spec) {
    const data = dataOf(world, task);
    const question = questionOf(data, task);
    const tools = offeredApis(question, data, spec).map((api) => toolOf(api));
    const toolkits = mostToolkits(question, data, spec);
    // A result is a catalogue entry, as long as a document.
    const observation = 4 * longest;
    const offered = { question: task.question, tools, toolkits, observation, turns: maxDepth / 2, perCall: 0 };
    return toolEpisode(offered, spec);
  },
  plan: ({ input, answer }) =>
    answer.index === null ? [] : [toolName(world.opened.get(input.hub)!.apis[answer.index]!)],
  async open(task, spec) {
    const data = dataOf(world, task);
    const question = questionOf(data, task);
    const apis = offeredApis(question, data, spec);
    const offer = { question: task.question, apis };
    if (!usesToolkits(spec)) return environmentOf(offer, data, world.findNodes, spec);
    const { toolkits } = await world.toolkits.make(data.hub, spec);
    const offered = offeredToolkits(toolkits, question, data, spec);
    return environmentOf({ ...offer, toolkits: offered }, data, world.findNodes, spec);
  },
});

async function openHub(folder: string, hub: Hub): Promise<SearchedHub> {
  const data = await loadHub(folder, hub);
  // Most runs offer no retrieved APIs.
  const ranking = rankedWhenSearched(() =>
    data.apis.map(
      ({ domain, functionality, description, api_name }) => `${domain} ${functionality} ${api_name} ${description}`,
    ),
  );
  const closest = (question: string, count: number) =>
    count <= 0 ? [] : ranking.closest(question, count).map((index) => data.apis[index]!);
  return { ...data, closest };
}

async function scoreTask(
  task: HubTask,
  outcome: Outcome,
  { ask, spec }: ScoreContext,
  data: SearchedHub,
  findNodes: FindNodes,
  metrics: Readonly<Record<string, number>> | undefined,
): Promise<Score> {
  const reply = replyOf(outcome.answer);
  const question = data.questions.get(task.input.id)!;
  const score = scoreOf(await judgeReply(reply, question, data, findNodes));
  const reference = question.reference_answer;
  const votes =
    ask === undefined || typeof reference !== "string" || reference === ""
      ? undefined
      : voteSummary(await preference(task.question, reply.slice(0, 3000), reference.slice(0, 3000), ask, spec));
  return {
    ...score,
    metrics: {
      ...score.metrics,
      ...votes?.metrics,
      ...counters(outcome),
      ...retrieverMetrics(question, data, spec),
      ...metrics,
    },
    labels: { ...score.labels, ...votes?.labels },
  };
}

/** Returns the text of a reply: the answer of a staged strategy, or the text that ended an episode. */
function replyOf(answer: Json | undefined): string {
  const text = field(answer, "output") ?? answer;
  return typeof text === "string" ? text : "";
}

function counters({ steps }: Outcome): Record<string, number> {
  const calls = steps.filter((step) => step.type === "result" && step.name !== finishTool.name);
  const noted = (kind: string) => steps.filter((step) => step.type === "note" && step.kind === kind).length;
  return {
    tool_calls: calls.length,
    tool_failures: calls.filter((step) => step.type === "result" && !step.result.ok).length,
    switches: noted("switch"),
    replans: noted("replan"),
    backtracks: noted("backtrack"),
  };
}

/** Shows the call extracted from a reply beside the requested call, each under its stated domain. */
function viewOf({ input: { hub }, answer: wanted }: HubTask, answer: Json | undefined): TaskView {
  const step = (title: string, line: string) => ({ title, lines: [line], needs: [] });
  const reply = replyOf(answer);
  const reference = [step(wanted.domain, wanted.api_call)];
  if (reply === "") return { reference, plan: [], matches: [] };
  // Answers of episodes have their fields in one line.
  const domain = /<<<domain>>>:[^\S\n]*([^\n<]+)/.exec(reply)?.[1]?.replace(/,\s?$/, "");
  return { reference, plan: [step(domain ?? "Reply", extractCall(reply, hub) ?? reply)], matches: [[0, 0]] };
}
