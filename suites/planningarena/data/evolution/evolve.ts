/**
 * Command evolution: a suggester proposes a change to a seed task, an editor carries it out, an evaluator grades the
 * result; rules have the last word. What is accepted becomes the seed of the next round. Every call is logged.
 */
import type { Json, Message, Model, RunSpec } from "../../../../source/engine/types.ts";
import { collapsed } from "../canonical.ts";
import type { Candidate } from "../generator/validate.ts";
import { solvingProblems } from "../generator/validate.ts";
import { suggestLevel } from "../generator/sizes.ts";
import type { Level } from "../records.ts";
import type { ArenaTask } from "../task.ts";
import { toolCount } from "../task.ts";
import { referenceFor } from "./reference.ts";
import { accepts, readEdited, readSuggestion, readVerdict, stageMessages } from "./stages.ts";
import type { StageName, Suggestion, Verdict } from "./stages.ts";

export type EvolutionCall = {
  readonly seed: string;
  readonly round: number;
  readonly stage: StageName;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly reply: string;
  readonly tokens: { readonly input: number; readonly output: number };
};
export type EvolvedTask = Candidate & {
  readonly queryZh?: string;
  readonly origin: "evolved";
  readonly suggestedLevel: Level;
};
type Attempt = {
  readonly seed: string;
  readonly round: number;
  readonly suggestion?: Suggestion;
  readonly verdict?: Verdict;
};
export type Accepted = Attempt & { readonly task: EvolvedTask };
export type Rejected = Attempt & { readonly reasons: readonly string[]; readonly task?: EvolvedTask };
export type Evolution = { readonly accepted: readonly Accepted[]; readonly rejected: readonly Rejected[] };

export type EvolutionRequest = {
  readonly seeds: readonly ArenaTask[];
  /** Changes tried on each seed, one after the other. */
  readonly rounds: number;
  /** Who writes and who judges; any model that streams. */
  model(stage: StageName): Model;
  readonly spec: RunSpec;
  /** Number of the first accepted task. */
  readonly firstId: number;
  log(call: EvolutionCall): void;
  /** Called for each task as soon as it is decided: what came before a model failed is not lost. */
  decided(task: Accepted | Rejected): void;
  readonly signal: AbortSignal;
};

type State = {
  readonly request: EvolutionRequest;
  readonly asked: Set<string>;
  readonly accepted: Accepted[];
  readonly rejected: Rejected[];
};

/** Throws what a model throws; answers that cannot be read are rejections with a reason. */
export async function evolve(request: EvolutionRequest): Promise<Evolution> {
  const asked = new Set(request.seeds.map(({ input }) => normal(input.head.query)));
  const state: State = { request, asked, accepted: [], rejected: [] };
  for (const seed of request.seeds) {
    let current: ArenaTask = seed;
    for (let round = 1; round <= request.rounds; round++) current = await tryRound(state, seed, current, round);
  }
  return { accepted: state.accepted, rejected: state.rejected };
}

function normal(query: string): string {
  return collapsed(query)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]+/gu, "");
}

/** The task the next round starts from. */
async function tryRound(state: State, seed: ArenaTask, current: ArenaTask, round: number): Promise<ArenaTask> {
  const attempt = { seed: seed.id, round };
  const reject = (reasons: readonly string[], more: Partial<Rejected> = {}) => {
    const rejected = { ...attempt, ...more, reasons };
    state.rejected.push(rejected);
    state.request.decided(rejected);
    return current;
  };
  const suggestion = readSuggestion(await ask(state, current, attempt, "suggest", {}));
  if (suggestion === undefined) return reject(["The suggester's answer cannot be read"]);
  const edited = readEdited(await ask(state, current, attempt, "edit", { Suggestion: suggestion }));
  if (edited === undefined) return reject(["The editor's answer cannot be read"], { suggestion });
  const task = evolvedTask(current, edited, state.request.firstId + state.accepted.length);
  const rules = ruleProblems(task, current, state.asked);
  if (rules.length > 0) return reject(rules, { suggestion, task });
  const verdict = readVerdict(await ask(state, asTask(current, task), attempt, "evaluate", {}));
  if (verdict === undefined) return reject(["The evaluator's answer cannot be read"], { suggestion, task });
  if (!accepts(verdict)) {
    const grades = Object.entries(verdict).map(([name, grade]) => `${name} ${grade}`);
    return reject([`Graded too low: ${grades.join(", ")}`], { suggestion, task, verdict });
  }
  state.asked.add(normal(task.query));
  const accepted = { ...attempt, suggestion, verdict, task };
  state.accepted.push(accepted);
  state.request.decided(accepted);
  return asTask(current, task);
}

function evolvedTask(current: ArenaTask, edited: NonNullable<ReturnType<typeof readEdited>>, id: number): EvolvedTask {
  const { head, offer } = current.input;
  const { query, queryZh, level, structure = head.structure, gold } = edited;
  const reference = referenceFor(gold, query, offer);
  return {
    ...head,
    id,
    query,
    ...(queryZh === undefined ? {} : { queryZh }),
    level,
    structure,
    origin: "evolved",
    suggestedLevel: suggestLevel(toolCount(head, gold, reference), gold.subtasks.length),
    gold,
    reference,
  };
}

function asTask({ input, ...rest }: ArenaTask, task: EvolvedTask): ArenaTask {
  const { gold, reference, queryZh, suggestedLevel: _level, origin: _origin, ...head } = task;
  return { ...rest, question: task.query, input: { ...input, head, queryZh }, answer: { gold, reference } };
}

/** Rules every accepted task keeps: a new request that the tools and what is known can fulfil. */
function ruleProblems(task: EvolvedTask, current: ArenaTask, asked: ReadonlySet<string>): string[] {
  const { profile, offer } = current.input;
  const known = asked.has(normal(task.query)) ? ["The request is the seed's, or that of another task"] : [];
  const person = { profile: profile?.sections ?? {}, currentDate: profile?.currentDate };
  return [...known, ...solvingProblems(task, offer, person)];
}

async function ask(
  { request }: State,
  task: ArenaTask,
  { seed, round }: { readonly seed: string; readonly round: number },
  stage: StageName,
  material: Readonly<Record<string, Json>>,
): Promise<string> {
  const { spec, signal } = request;
  const model = request.model(stage);
  const { head, offer, profile } = task.input;
  const who = profile === undefined ? {} : { User: profile.sections["userInfo"] ?? {} };
  const messages = stageMessages(stage, { head, gold: task.answer.gold }, offer, { ...who, ...material });
  let reply = "";
  let tokens = { input: 0, output: 0 };
  const asker = { task: task.id, role: stage === "evaluate" ? "judge" : "model", stage, spec } as const;
  for await (const chunk of model.stream({ messages, temperature: spec.temperature, seed: spec.seed, signal, asker })) {
    if (chunk.type === "text") reply += chunk.text;
    if (chunk.type === "retry" || (chunk.type === "thinking" && chunk.textBefore === true)) reply = "";
    if (chunk.type === "usage") tokens = { input: chunk.input, output: chunk.output };
  }
  request.log({ seed, round, stage, model: model.name, messages, reply, tokens });
  return reply;
}
