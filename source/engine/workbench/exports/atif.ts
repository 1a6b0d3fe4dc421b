/**
 * Writes tasks as ATIF, the Agent Trajectory Interchange Format (version 1.7 of Harbor's specification), one document per task.
 */
import { isDeepStrictEqual } from "node:util";
import type { Entry, Node, Trajectory, Turn } from "../../log/trajectory.ts";
import { packageVersion } from "../../settings/package-folder.ts";
import { filledList, isRecord } from "../../text/json-record.ts";
import { jsonText } from "../../text/json-text.ts";
import type { Json, Message, Row, TokenUsage, ToolCall } from "../../types.ts";
import { chatTool } from "./run-messages.ts";
import type { ExportedRun, ExportedTask } from "./exported-run.ts";

type Result = Extract<Entry, { readonly kind: "result" }>;

/**
 * Returns the Planner's conversation: additions of a prompt to the previous prompt as system and user steps, and each reply as an
 * agent step with its calls and their results.
 */
export function atifDocument(run: ExportedRun, task: ExportedTask): string {
  const { row, trajectory } = task;
  const turns = turnsOf(trajectory);
  // The format requires at least one step; if no prompt contains the question, it comes first.
  const asked = turns.length > 0 ? [] : [{ source: "user", message: row.question }];
  const steps = numbered([...asked, ...stepsOf(trajectory, run)]);
  const judged = trajectory.entries.filter((entry): entry is Turn => entry.kind === "turn" && entry.role === "judge");
  const tools = turns[0]?.tools ?? [];
  const document = {
    schema_version: "ATIF-v1.7",
    session_id: run.run,
    trajectory_id: `${run.run}/${row.task}`,
    agent: {
      name: `planwright/${run.spec.strategy}`,
      version: packageVersion(),
      model_name: run.spec.model,
      tool_definitions: filledList(tools.map(chatTool)),
    },
    steps,
    final_metrics: { ...metricsOf(task, turns), total_steps: steps.length, extra: usageOf(row) },
    subagent_trajectories: filledList(judged.map((turn, index) => judgeDocument(run, row.task, turn, index))),
    extra: { planwright: ownParts(run, task) },
  };
  return `${jsonText(document, 2)}\n`;
}

/** Tokens cover the steps; the format puts usage of a judge and a Responder into the cost and `extra`. */
function metricsOf({ row: { counted } }: ExportedTask, turns: readonly Turn[]): object {
  const own = turns.flatMap(({ tokens }) => tokens ?? []);
  return {
    total_prompt_tokens: sumOf(own.map(({ input }) => input)),
    total_completion_tokens: sumOf(own.map(({ output }) => output)),
    total_cached_tokens: own.some(({ cached }) => cached !== undefined)
      ? sumOf(own.map(({ cached = 0 }) => cached))
      : undefined,
    total_cost_usd: counted.cost,
  };
}

function usageOf({ counted: { calls, toolCalls, seconds, tokens } }: Row): object {
  return { calls, tool_calls: toolCalls, seconds, prompt_tokens: tokens.input, completion_tokens: tokens.output };
}

/** Fields under our own names that an import needs. */
function ownParts({ readsAnswerKey, warnings, spec }: ExportedRun, task: ExportedTask): object {
  const { row, trajectory, reference, record, overrides } = task;
  const { question, facets, state, score, failure } = row;
  return {
    readsAnswerKey,
    warnings,
    spec,
    task: row.task,
    question,
    facets,
    state,
    reference,
    record,
    overrides: filledList(overrides),
    answer: trajectory.answer,
    score,
    failure,
    nodes: trajectory.nodes.map(nodeOf),
  };
}

function nodeOf({ id, parent, needs, kind, label, state, detail }: Node): object {
  return { id, parent, needs, kind, label, state, detail };
}

/** Returns a request to the judge, which shares no context with other requests; its reply allows scoring the task again. */
function judgeDocument({ run }: ExportedRun, task: string, turn: Turn, index: number): object {
  return {
    schema_version: "ATIF-v1.7",
    session_id: run,
    trajectory_id: `${run}/${task}/judge-${index + 1}`,
    agent: { name: "planwright/judge", version: packageVersion(), model_name: turn.model },
    steps: numbered([...turn.messages.flatMap((message) => contextStep(message, turn)), agentStep(turn, [])]),
  };
}

const numbered = (steps: readonly object[]): readonly object[] =>
  steps.map((step, index) => ({ step_id: index + 1, ...step }));

const turnsOf = ({ entries }: Trajectory): readonly Turn[] => entries.filter(isOfAgent);

/** A Responder's replies are user steps of the Planner; requests to a judge form a separate trajectory. */
const isOfAgent = (entry: Entry): entry is Turn =>
  entry.kind === "turn" && (entry.role === "model" || entry.role === "actor");

function stepsOf(trajectory: Trajectory, run: ExportedRun): readonly object[] {
  const steps: object[] = [];
  const { answered, others } = resultsByTurn(trajectory.entries);
  let before: readonly Message[] = [];
  for (const entry of trajectory.entries) {
    if (entry.kind === "answer" && run.spec.model === "none")
      // Strategies that ask no model decide by rule.
      steps.push({ source: "agent", timestamp: date(entry.at), message: textOf(entry.answer), llm_call_count: 0 });
    if (entry.kind === "result" && others.has(entry)) steps.push(ownAction(entry));
    if (!isOfAgent(entry)) continue;
    steps.push(...newMessages(before, entry).flatMap((message) => contextStep(message, entry)));
    steps.push(agentStep(entry, answered.get(entry) ?? []));
    before = [...entry.messages, { role: "assistant", content: entry.text, calls: entry.calls }];
  }
  return steps;
}

/**
 * Returns results grouped by the last earlier request that made their call, because they belong to that step, and results of
 * calls that no request made, because a user's program makes calls itself.
 */
function resultsByTurn(entries: readonly Entry[]) {
  const callers = new Map<string, Turn>();
  const answered = new Map<Turn, Result[]>();
  const others = new Set<Result>();
  for (const entry of entries) {
    if (isOfAgent(entry)) for (const { id } of entry.calls) callers.set(id, entry);
    if (entry.kind !== "result") continue;
    const caller = callers.get(entry.callId);
    if (caller === undefined) others.add(entry);
    else answered.set(caller, [...(answered.get(caller) ?? []), entry]);
  }
  return { answered, others };
}

/** Returns a step without a request: the log has its name and result, and a node of the plan has its arguments. */
function ownAction(entry: Result): object {
  const { content, extra } = observed(entry);
  return {
    source: "agent",
    timestamp: date(entry.at),
    message: "",
    observation: { results: [{ content, extra: { ...extra, function_name: entry.name, call: entry.callId } }] },
    llm_call_count: 0,
  };
}

/** Returns the part of a prompt after the conversation so far, or the whole prompt for a new conversation. */
function newMessages(before: readonly Message[], { messages }: Turn): readonly Message[] {
  let same = 0;
  while (same < before.length && same < messages.length && alike(before[same]!, messages[same]!)) same++;
  return messages.slice(same);
}

function alike(one: Message, other: Message): boolean {
  return (
    one.role === other.role && one.content === other.content && (one.role !== "tool" || isDeepStrictEqual(one, other))
  );
}

/** Drops replies and results that a new prompt repeats: they are already steps, or belong to another conversation. */
function contextStep(message: Message, { stage, request, from }: Turn): readonly object[] {
  if (message.role !== "system" && message.role !== "user") return [];
  return [{ source: message.role, timestamp: date(from), message: message.content, extra: { stage, request } }];
}

function agentStep(turn: Turn, results: readonly Result[]): object {
  const { model, role, stage, request, text, thinking, calls, tokens, finish, retries, saved, to } = turn;
  return {
    source: "agent",
    timestamp: date(to),
    model_name: model,
    message: text,
    reasoning_content: thinking || undefined,
    tool_calls: filledList(calls.map(toolCall)),
    observation: results.length === 0 ? undefined : { results: results.map(observed) },
    llm_call_count: 1,
    metrics: tokens && stepMetrics(tokens),
    is_copied_context: saved === undefined ? undefined : true,
    extra: { role, stage, request, finish: finish ?? null, retries: retries.length },
  };
}

function stepMetrics({ input, output, cached, cost, estimated }: TokenUsage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    cached_tokens: cached,
    cost_usd: cost,
    extra: { estimated },
  };
}

function toolCall({ id, name, text, arguments: given }: ToolCall): object {
  const isMap = isRecord(given);
  return {
    tool_call_id: id,
    function_name: name,
    arguments: isMap ? given : {},
    extra: isMap ? undefined : { text },
  };
}

function observed({ callId, result }: Result) {
  return { source_call_id: callId, content: result.observation, extra: { status: result.status, ok: result.ok } };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

const date = (at: number): string => new Date(at).toISOString();

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
