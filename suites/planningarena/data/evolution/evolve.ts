/**
 * Command evolution: a suggester proposes a change to a seed task, an editor applies it, an evaluator grades the
 * result, and rules decide. An accepted task becomes the seed of the next round. Every call is logged.
 */
import type { Json, Message, Model, RunSpec } from "../../../../source/engine/types.ts";
import { collapsed } from "../canonical.ts";
import { type Candidate, solvingProblems } from "../generator/validate.ts";
import { suggestLevel } from "../generator/sizes.ts";
import type { Level, Gold, Subtask } from "../records.ts";
import { type ArenaTask, toolCount } from "../task.ts";
import {
  accepts,
  readEdited,
  readSuggestion,
  readVerdict,
  stageMessages,
  type Suggestion,
  type Verdict,
} from "./stages.ts";
import type { StageName } from "./prompts.ts";
import { randomFrom } from "../../../../source/engine/statistics/random.ts";
import type { Offer } from "../catalogue.ts";
import { imitate } from "../../ask/imitation.ts";
import { writtenCall } from "../literal.ts";

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

export type EvolutionRequest = {
  readonly seeds: readonly ArenaTask[];
  /** Changes tried on each seed, one after the other. */
  readonly rounds: number;
  /** Returns the model for a stage. Any model that streams is allowed. */
  model(stage: StageName): Model;
  readonly spec: RunSpec;
  /** Number of the first accepted task. */
  readonly firstId: number;
  log(call: EvolutionCall): void;
  /** Called for each task once it is decided, so that earlier tasks are not lost if a model fails. */
  decided(task: Accepted | Rejected): void;
  readonly signal: AbortSignal;
};

type State = { readonly request: EvolutionRequest; readonly asked: Set<string>; nextId: number };

/** Evolves the seeds. Throws what a model throws; unreadable answers are rejections with a reason. */
export async function evolve(request: EvolutionRequest): Promise<void> {
  const asked = new Set(request.seeds.map(({ input }) => normal(input.head.query)));
  const state: State = { request, asked, nextId: request.firstId };
  for (const seed of request.seeds) {
    let current: ArenaTask = seed;
    for (let round = 1; round <= request.rounds; round++) current = await tryRound(state, seed, current, round);
  }
}

const normal = (query: string): string =>
  collapsed(query)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]+/gu, "");

/** Runs one round and returns the seed task of the next round. */
async function tryRound(state: State, seed: ArenaTask, current: ArenaTask, round: number): Promise<ArenaTask> {
  const attempt = { seed: seed.id, round };
  const reject = (reasons: readonly string[], more: Partial<Rejected> = {}) => {
    state.request.decided({ ...attempt, ...more, reasons });
    return current;
  };
  const suggestion = readSuggestion(await ask(state, current, attempt, "suggest", {}));
  if (suggestion === undefined) return reject(["The suggester's answer cannot be read"]);
  const edited = readEdited(await ask(state, current, attempt, "edit", { Suggestion: suggestion }));
  if (edited === undefined) return reject(["The editor's answer cannot be read"], { suggestion });
  const task = evolvedTask(current, edited, state.nextId);
  const rules = ruleProblems(task, current, state.asked);
  if (rules.length > 0) return reject(rules, { suggestion, task });
  const verdict = readVerdict(await ask(state, asTask(current, task), attempt, "evaluate", {}));
  if (verdict === undefined) return reject(["The evaluator's answer cannot be read"], { suggestion, task });
  if (!accepts(verdict)) {
    const grades = Object.entries(verdict).map(([name, grade]) => `${name} ${grade}`);
    return reject([`The evaluator's grades are too low: ${grades.join(", ")}`], { suggestion, task, verdict });
  }
  state.asked.add(normal(task.query));
  state.nextId += 1;
  state.request.decided({ ...attempt, suggestion, verdict, task });
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

/** Rules for every accepted task: a new request that tools and known facts can fulfil. */
function ruleProblems(task: EvolvedTask, current: ArenaTask, asked: ReadonlySet<string>): string[] {
  const { profile, offer } = current.input;
  const known = asked.has(normal(task.query)) ? ["The seed or another task has the same request"] : [];
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
  const messages = stageMessages(spec, stage, { head, gold: task.answer.gold }, offer, { ...who, ...material });
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

/**
 * Builds a reference dialogue, without heading, for an answer key without a reference: calls as the key binds them, and results
 * that contain the values passed on.
 */
const referenceFor = (gold: Gold, query: string, offer: Offer): readonly Json[] =>
  gold.subtasks.map((subtask, index) => {
    const { description, action, results } = stepFor(subtask, gold, query, offer);
    const detail = { StepNumber: index + 1, Description: description, Action: action, Results: results };
    const thought = `${gold.subtasks.length} steps do what is asked.`;
    return { GlobalThought: thought, OrderSteps: { TotalSteps: gold.subtasks.length, StepDetail: detail } };
  });

function stepFor(subtask: Subtask, gold: Gold, query: string, offer: Offer) {
  if (subtask.tool === undefined) {
    const text = subtask.text ?? subtask.id;
    return {
      description: text.slice(0, 100),
      action: { Tap: text },
      results: { Status: "Success", Response: { Screen: "Done." } },
    };
  }
  const args = Object.fromEntries((subtask.args ?? []).map(({ name, value }) => [name, value]));
  const made = imitate(offer.apis.get(subtask.tool)?.response, args, randomFrom(`${query} ${subtask.id}`));
  const passed = Object.fromEntries(passedOn(subtask, gold).map((value, index) => [`passed${index + 1}`, value]));
  const results = writtenCall(subtask.tool, { ...(made as { readonly [name: string]: Json }), ...passed });
  return { description: `${subtask.id}: ${subtask.tool}`, action: writtenCall(subtask.tool, args), results };
}

/** Returns values that later subtasks take from this subtask and from no earlier one. */
function passedOn(subtask: Subtask, gold: Gold): Json[] {
  const next = gold.edges.filter(({ from }) => from === subtask.id).map(({ to }) => to);
  return gold.subtasks
    .filter(({ id }) => next.includes(id))
    .flatMap(({ id, args = [] }) => {
      const sources = gold.edges.filter(({ to }) => to === id).map(({ from }) => from);
      const taken = args.filter(({ check }) => check === "TD");
      return taken.filter((_, index) => sources[index % sources.length] === subtask.id).map(({ value }) => value);
    });
}
