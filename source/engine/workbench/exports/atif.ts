/** Tasks as ATIF, the Agent Trajectory Interchange Format (version 1.7 of Harbor's specification): one document a task. */
import { isDeepStrictEqual } from "node:util";
import type { Entry, Trajectory, Turn } from "../../log/trajectory.ts";
import { packageVersion } from "../../settings/package-folder.ts";
import { isRecord, type JsonRecord } from "../../text/json-record.ts";
import { jsonText } from "../../text/json-text.ts";
import type { Json, Message, ToolCall } from "../../types.ts";
import { chatTool } from "./chat-message.ts";
import type { ExportedRun, ExportedTask } from "./exported-run.ts";

type Result = Extract<Entry, { readonly kind: "result" }>;

/**
 * The Planner's conversation: what a prompt adds to the one before it as system and user steps, each reply as an agent step
 * with its calls and their results.
 */
export function atifDocument(run: ExportedRun, task: ExportedTask): string {
  const { row, trajectory, reference, record, overrides } = task;
  const steps = numbered(stepsOf(trajectory, run));
  const judged = trajectory.entries.filter((entry): entry is Turn => entry.kind === "turn" && entry.role === "judge");
  const tools = turnsOf(trajectory)[0]?.tools ?? [];
  const { counted, score } = row;
  return `${jsonText(
    {
      schema_version: "ATIF-v1.7",
      session_id: run.run,
      trajectory_id: `${run.run}/${row.task}`,
      agent: {
        name: `planwright/${run.spec.strategy}`,
        version: packageVersion(),
        model_name: run.spec.model,
        ...(tools.length === 0 ? {} : { tool_definitions: tools.map(chatTool) }),
      },
      // At least one step is asked for: a task that failed before its first request has its question.
      steps: steps.length > 0 ? steps : [{ step_id: 1, source: "user", message: row.question }],
      final_metrics: {
        total_prompt_tokens: counted.tokens.input,
        total_completion_tokens: counted.tokens.output,
        ...(counted.tokens.cached === undefined ? {} : { total_cached_tokens: counted.tokens.cached }),
        ...(counted.cost === undefined ? {} : { total_cost_usd: counted.cost }),
        total_steps: Math.max(1, steps.length),
        extra: { calls: counted.calls, tool_calls: counted.toolCalls, seconds: counted.seconds },
      },
      ...(judged.length === 0
        ? {}
        : { subagent_trajectories: judged.map((turn, index) => judgeDocument(run, row.task, turn, index)) }),
      extra: {
        planwright: {
          readsAnswerKey: run.readsAnswerKey,
          warnings: run.warnings,
          spec: run.spec,
          task: row.task,
          question: row.question,
          facets: row.facets,
          state: row.state,
          ...(reference === undefined ? {} : { reference }),
          ...(record === undefined ? {} : { record }),
          ...(overrides.length === 0 ? {} : { overrides }),
          ...(trajectory.answer === undefined ? {} : { answer: trajectory.answer }),
          ...(score === undefined ? {} : { score }),
          ...(row.failure === undefined ? {} : { failure: row.failure }),
          nodes: trajectory.nodes.map(({ id, parent, needs, kind, label, state, detail }) => ({
            id,
            parent,
            needs,
            kind,
            label,
            state,
            detail,
          })),
        },
      },
    },
    2,
  )}\n`;
}

/** A request to the judge, which shares no context with others: by its reply the task can be scored again. */
function judgeDocument({ run }: ExportedRun, task: string, turn: Turn, index: number): JsonRecord {
  return {
    schema_version: "ATIF-v1.7",
    session_id: run,
    trajectory_id: `${run}/${task}/judge-${index + 1}`,
    agent: { name: judgeAgent, version: packageVersion(), model_name: turn.model },
    steps: numbered([...turn.messages.flatMap((message) => contextStep(message, turn)), agentStep(turn, [])]),
  };
}

/** What a judge is called among agents. */
export const judgeAgent = "planwright/judge";

const numbered = (steps: readonly JsonRecord[]): readonly JsonRecord[] =>
  steps.map((step, index) => ({ step_id: index + 1, ...step }));

function turnsOf({ entries }: Trajectory): readonly Turn[] {
  return entries.filter(isOfAgent);
}

/** A Responder's replies are user steps of the Planner; what a judge was asked is a trajectory of its own. */
function isOfAgent(entry: Entry): entry is Turn {
  return entry.kind === "turn" && (entry.role === "model" || entry.role === "actor");
}

function stepsOf(trajectory: Trajectory, run: ExportedRun): readonly JsonRecord[] {
  const steps: JsonRecord[] = [];
  let before: readonly Message[] = [];
  for (const [index, entry] of trajectory.entries.entries()) {
    if (entry.kind === "answer" && run.spec.model === "none")
      // Strategies that ask no model decide by rule.
      steps.push({ source: "agent", timestamp: date(entry.at), message: textOf(entry.answer), llm_call_count: 0 });
    if (!isOfAgent(entry)) continue;
    steps.push(...newMessages(before, entry).flatMap((message) => contextStep(message, entry)));
    steps.push(agentStep(entry, resultsAfter(trajectory.entries, index)));
    before = [...entry.messages, { role: "assistant", content: entry.text, calls: entry.calls }];
  }
  return steps;
}

/** What a prompt has after the part it shares with the conversation so far; all of it where a fresh one begins. */
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

/** Replies and results a new prompt repeats are steps already, or no part of this conversation. */
function contextStep(message: Message, { stage, request, from }: Turn): readonly JsonRecord[] {
  if (message.role !== "system" && message.role !== "user") return [];
  return [{ source: message.role, timestamp: date(from), message: message.content, extra: { stage, request } }];
}

function agentStep(turn: Turn, results: readonly Result[]): JsonRecord {
  const { model, role, stage, request, text, thinking, calls, tokens, finish, retries, saved, to } = turn;
  const given = results.filter(({ callId }) => calls.some(({ id }) => id === callId));
  return {
    source: "agent",
    timestamp: date(to),
    model_name: model,
    message: text,
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
    ...(given.length === 0 ? {} : { observation: { results: given.map(observed) } }),
    llm_call_count: 1,
    ...(tokens === undefined
      ? {}
      : {
          metrics: {
            prompt_tokens: tokens.input,
            completion_tokens: tokens.output,
            ...(tokens.cached === undefined ? {} : { cached_tokens: tokens.cached }),
            ...(tokens.cost === undefined ? {} : { cost_usd: tokens.cost }),
            extra: { estimated: tokens.estimated },
          },
        }),
    ...(saved === undefined ? {} : { is_copied_context: true }),
    extra: { role, stage, request, finish: finish ?? null, retries: retries.length },
  };
}

function toolCall({ id, name, text, arguments: given }: ToolCall): JsonRecord {
  const isMap = isRecord(given);
  return {
    tool_call_id: id,
    function_name: name,
    arguments: isMap ? given : {},
    ...(isMap ? {} : { extra: { text } }),
  };
}

function observed({ callId, result }: Result): JsonRecord {
  return { source_call_id: callId, content: result.observation, extra: { status: result.status, ok: result.ok } };
}

/** Results up to the next request of the agent. */
function resultsAfter(entries: readonly Entry[], index: number): readonly Result[] {
  const results: Result[] = [];
  for (let at = index + 1; at < entries.length; at++) {
    const entry = entries[at]!;
    if (isOfAgent(entry)) break;
    if (entry.kind === "result") results.push(entry);
  }
  return results;
}

const date = (at: number): string => new Date(at).toISOString();

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
