/** Writes the events of a task in the format of Inspect AI's log. */
import { type ExportedTask, turnSeconds } from "../exported-run.ts";
import { inspectMessage, inspectOutput, inspectTool, inspectScore } from "./inspect-message.ts";
import { filledList, isRecord } from "../../../text/json-record.ts";
import type { Turn } from "../../../log/trajectory.ts";
import type { Chunk, Json, RunSpec, TaskEvent } from "../../../types.ts";

/**
 * Returns events in the order in which they happened. A request is one model event with its whole reply and a count of failed
 * attempts; a tool call is a tool event; nodes of a plan or tree and notes are info events. `working_start` contains seconds
 * since the task started.
 */
export function inspectEvents({ row, events, trajectory }: ExportedTask, spec: RunSpec): readonly object[] {
  const turns = new Map<number, Turn>();
  for (const entry of trajectory.entries) if (entry.kind === "turn") turns.set(entry.request, entry);
  const chunks = Map.groupBy(events.filter(isChunk), ({ request }) => request);
  const calls = new Map([...turns.values()].flatMap((turn) => turn.calls.map((call) => [call.id, call] as const)));
  return events.flatMap((event): readonly object[] => {
    const stamp = { timestamp: new Date(event.at).toISOString(), working_start: (event.at - row.from) / 1000 };
    switch (event.type) {
      case "prompt": {
        const turn = turns.get(event.request);
        return turn === undefined ? [] : [{ ...stamp, ...modelEvent(turn, spec, chunks.get(event.request) ?? []) }];
      }
      case "result": {
        const given = calls.get(event.callId)?.arguments;
        return [{ ...stamp, ...toolEvent(event, given) }];
      }
      case "node": {
        const { seq: _, at: __, task: ___, type: ____, ...data } = event;
        return [{ ...stamp, event: "info", source: "planwright/node", data }];
      }
      case "note": {
        const data = { text: event.text, data: event.data ?? null };
        return [{ ...stamp, event: "info", source: `planwright/${event.kind}`, data }];
      }
      case "answer":
        return [{ ...stamp, event: "info", source: "planwright/answer", data: { answer: event.answer } }];
      case "scored":
        return [{ ...stamp, event: "score", score: inspectScore(event.score, trajectory.answer), intermediate: false }];
      default:
        return [];
    }
  });
}

type ChunkEvent = TaskEvent & Chunk & { readonly request: number };
const isChunk = (event: TaskEvent): event is ChunkEvent => "request" in event && event.type !== "prompt";

function modelEvent(turn: Turn, spec: RunSpec, chunks: readonly ChunkEvent[]): object {
  const { model, role, request, stage, messages, tools, saved } = turn;
  const tries = chunks.filter((chunk) => chunk.type === "retry");
  const retries = tries.map(({ attempt, error, status = null, wait, usage }) => ({
    attempt,
    error,
    status,
    wait,
    usage,
  }));
  const last = chunks.findLast((chunk) => chunk.type === "finish");
  return {
    event: "model",
    model,
    role,
    input: messages.map(inspectMessage),
    tools: tools.map(inspectTool),
    tool_choice: "auto",
    config: inspectConfig(spec),
    output: inspectOutput(turn),
    retries: filledList(retries)?.length,
    working_time: turnSeconds(turn),
    completed: new Date(turn.to).toISOString(),
    metadata: {
      stage,
      request,
      finish: turn.finish ?? null,
      finished: last && finished(last),
      // Keeps arguments as the model wrote them, because parsing loses the order of keys and the spelling of numbers.
      calls: turn.calls.map(({ id, text }) => ({ id, text })),
      estimated: turn.tokens?.estimated === true ? true : undefined,
      saved,
      retries: filledList(retries),
    },
  };
}

/** Details that the server sent with the reason for the end; undefined without any. */
function finished({ model, fingerprint, adjusted, without }: Extract<Chunk, { type: "finish" }>): object | undefined {
  const said = { model, fingerprint, adjusted, without };
  return Object.values(said).every((each) => each === undefined) ? undefined : said;
}

function toolEvent(
  { callId, name, result, saved, asked }: Extract<TaskEvent, { readonly type: "result" }>,
  given: Json | undefined,
): object {
  return {
    event: "tool",
    type: "function",
    id: callId,
    function: name,
    arguments: isRecord(given) ? given : {},
    result: result.observation,
    failed: !result.ok,
    events: [],
    metadata: {
      status: result.status,
      ok: result.ok,
      value: result.value,
      end: result.end && { reason: result.end.reason, answer: result.end.answer },
      saved,
      asked,
    },
  };
}

/** Returns the settings of a request under the log's names. */
export function inspectConfig({ temperature, topP, maxTokens, seed, stop = [] }: RunSpec): object {
  return { temperature, seed, top_p: topP, max_tokens: maxTokens, stop_seqs: filledList([stop].flat()) };
}
