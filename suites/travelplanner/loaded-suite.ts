/** TravelPlanner bound to a data folder. */
import { DataProblem } from "../../source/engine/text/json-lines.ts";
import { Problem } from "../../source/engine/problem.ts";
import type { Asks, Environment, EpisodeLimits, Stage } from "../../source/engine/protocol.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { LoadedSuite, ScoreContext } from "../../source/engine/loaded-suite.ts";
import type { DataKind, Json, Outcome, Score } from "../../source/engine/types.ts";
import { agent } from "../../source/engine/strategies/agent.ts";
import { byFunctions } from "./ask/action.ts";
import { floorsOf } from "./ask/floors.ts";
import { greedySteps } from "./ask/greedy.ts";
import { costSession, MAX_COST_TOKENS } from "./ask/cost-session.ts";
import { openSandbox } from "./data/database.ts";
import { evaluate } from "./score/evaluate.ts";
import { extractPlan, readPlan, writtenPlan } from "./score/extract.ts";
import { handsIn, replyWith } from "./ask/oracle.ts";
import { openingPrompt, planPrompt } from "./ask/prompts.ts";
import { pythonReprOfJson } from "../../source/engine/python/text.ts";
import { readQueries } from "./data/queries.ts";
import { isGiven, QUERY_FILES } from "./data/query-files.ts";
import { legsOf, referenceInformation } from "./ask/reference.ts";
import type { Sandbox } from "./data/sandbox.ts";
import type { Query } from "./score/plan.ts";
import { hiddenScore, scoreOf, unreadScore, withRun } from "./score/score.ts";
import { faultyPlan } from "./ask/faults.ts";
import { statisticsOf } from "./data/statistics.ts";
import { type TripTask, taskOf } from "./data/task.ts";
import { FLIGHTS_IN_ALL } from "./data/tables.ts";
import { MAX_PROMPT_TOKENS, MAX_STEPS, toolSession } from "./ask/tool-session.ts";
import { viewOf } from "./score/view.ts";

/** Plans are published only for the training requests; the test split is not scored here. */
const withoutPlans =
  "no reference plans are published for validation, so built-in models submit no plan and score 0; this 0 is not an upper bound";

/** Opens a data folder. Throws `DataProblem` if a file is missing or damaged. */
export async function openSuite(
  suite: Suite,
  from: { readonly folder: string; readonly data: DataKind; readonly signal?: AbortSignal },
): Promise<LoadedSuite<TripTask, "stages" | "environment" | "baseline">> {
  const signal = from.signal ?? new AbortController().signal;
  const sandbox = await openSandbox(from.folder, from.data, { report: () => {}, signal });
  /** Plans that a judge read in this process, for display day by day. */
  const judged = new Map<string, Json>();
  return {
    suite,
    warnings: warningsOf(sandbox),
    runWarnings: ({ data, split, model }) =>
      data === "published" && split === "validation" && model.startsWith("builtin/") ? [withoutPlans] : [],
    async tasks(split) {
      if (!Object.hasOwn(QUERY_FILES, split)) {
        throw new RangeError(`Expected \`split\` to be ${Object.keys(QUERY_FILES).join(", ")}, got \`${split}\``);
      }
      const requests = await readQueries(from.folder, split);
      for (const { query } of requests) checkPlaces(query, split, sandbox);
      return requests.map((request) => taskOf(request, split));
    },
    shots: () => [],
    statistics: statisticsOf,
    asks: asksIn(sandbox),
    variants: {
      question: ({ input, ...task }, question) => {
        const query = { ...input.query, query: question };
        return { ...task, question, input: { ...input, query } };
      },
    },
    lacking: (task, spec) => (isGiven(spec) && !hasInformation(task) ? withoutInformation(task) : undefined),
    async score(task, outcome, context) {
      return withRun(await scored(task, outcome, context, sandbox, judged), outcome, context.spec);
    },
    floors: floorsOf,
    ...builtinReplies(sandbox),
    describe(task, answer) {
      const written = writtenPlan(answer);
      const plan = readPlan(answer).plan ?? (written === undefined ? undefined : judged.get(written)) ?? null;
      return viewOf(task, plan, written, sandbox);
    },
    close: () => sandbox.close(),
  };
}

/** Replies of built-in models: the reference plan, or the same plan with one constraint violated. */
const builtinReplies = (sandbox: Sandbox): Pick<LoadedSuite<TripTask>, "oracle" | "fault"> => ({
  oracle({ input, answer: { plan } }, asked) {
    const hasReply = plan !== null || asked.stage === "extract";
    return { text: hasReply ? replyWith(input.query, plan ?? [], asked) : "" };
  },
  fault({ input: { query }, answer: { plan } }, asked, kind, random) {
    if (plan === null || !handsIn(query, plan, asked)) return undefined;
    const faulty = faultyPlan(kind, { query, plan, sandbox }, random);
    return faulty === undefined ? undefined : { text: replyWith(query, faulty, asked) };
  },
});

/** Methods of planning a trip: one request, tools, or a search without a model. */
const asksIn = (sandbox: Sandbox): Required<Pick<Asks<TripTask>, "stages" | "environment" | "baseline">> => ({
  stages(task, spec): readonly Stage[] {
    const { query } = task.input;
    const given = informationText(task, sandbox);
    return [
      {
        name: "plan",
        messages: (_previous, reasoning) => planPrompt(given, query.query, reasoning === "steps", spec),
      },
    ];
  },
  environment: environmentIn(sandbox),
  baseline: ({ input }, _spec, random) => greedySteps(sandbox, input.query, random),
});

/** Opens the environments of the two modes: tools that search the world, or all information given and days priced. */
const environmentIn = (sandbox: Sandbox): NonNullable<Asks<TripTask>["environment"]> => ({
  limits(_task, spec): EpisodeLimits {
    // Each step takes a thought and an action; with tools, every step may also call the planner, which is another
    // request.
    if (spec.options["mode"] === "two-stage") return { requests: 3 * MAX_STEPS, prompt: MAX_PROMPT_TOKENS, reply: 256 };
    return { requests: 2 * MAX_STEPS, prompt: MAX_COST_TOKENS, reply: 1024, lessons: MAX_STEPS };
  },
  async open(task, spec): Promise<Environment> {
    const { query } = task.input.query;
    const callsFunctions = spec.strategy === agent.name;
    if (spec.options["mode"] === "two-stage") {
      const session = toolSession(sandbox, query, spec);
      return callsFunctions ? byFunctions(session, openingPrompt(query, undefined, spec)) : session;
    }
    const given = informationText(task, sandbox);
    const session = costSession(sandbox, given, query, spec.strategy === "reflexion", spec);
    return callsFunctions ? byFunctions(session, openingPrompt(query, given, spec)) : session;
  },
});

/** Rejects requests about places that the tables lack. Trips of more than 3 days go to a state, others to a city. */
function checkPlaces({ idx, org, dest, days }: Query, split: string, { states, citiesIn }: Sandbox): void {
  // One published request names the state with its city: `San Juan, Puerto Rico`.
  const isThere = days > 3 ? citiesIn(dest).length > 0 : states.has(dest.split(", ")[0]!);
  if (states.has(org) && isThere) return;
  const place = states.has(org) ? dest : org;
  throw new DataProblem(`Expected the tables to have \`${place}\`, a place of request ${idx} of ${split}, found none`);
}

async function scored(
  { input: { query, split } }: TripTask,
  { answer }: Outcome,
  context: ScoreContext,
  sandbox: Sandbox,
  judged: Map<string, Json>,
): Promise<Score> {
  const { plan, reader } = await extractPlan(answer, query.days, context.ask, context.spec);
  if (split === "test") return hiddenScore(plan, reader);
  if (reader === "unread") return unreadScore();
  if (reader === "judge" && judged.size < 10_000) judged.set(writtenPlan(answer)!, plan);
  return scoreOf(query, split, evaluate(query, plan, sandbox), reader);
}

/**
 * Returns the information for a sole-planning agent. Throws if the publisher's is missing and no plan names the cities.
 */
function informationFor(task: TripTask, sandbox: Sandbox) {
  const { query, information } = task.input;
  if (information !== undefined) return information;
  const { plan } = task.answer;
  if (plan !== null) return referenceInformation(sandbox, query, legsOf(plan));
  throw new Problem("tool", withoutInformation(task));
}

const informationText = (task: TripTask, sandbox: Sandbox) => pythonReprOfJson(informationFor(task, sandbox));

const hasInformation = ({ input, answer }: TripTask): boolean =>
  input.information !== undefined || answer.plan !== null;

const withoutInformation = ({ input: { split } }: TripTask): string =>
  `The ${split} requests here lack the reference information that sole-planning is given: add the authors' ${split}.csv (\`planwright data add travelplanner\`), or choose \`split: train\``;

function warningsOf({ flights, flightsComplete }: Sandbox): readonly string[] {
  if (flightsComplete) return [];
  const there = flights.toLocaleString("en");
  const all = FLIGHTS_IN_ALL.toLocaleString("en");
  return [
    `flight data incomplete: ${there} of ${all} flights are here; plans with flights may fail Within Sandbox, and searches find fewer flights than in the paper`,
  ];
}
