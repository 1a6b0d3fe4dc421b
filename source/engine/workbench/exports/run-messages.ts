/** Conversations of runs for other programs: one line of JSON a request, with all that was sent and all that came back. */
import { jsonText } from "../../text/json-text.ts";
import type { Turn } from "../../log/trajectory.ts";
import { turnSeconds } from "./turn-seconds.ts";
import type { ExportedRun, ExportedTask } from "./exported-run.ts";
import { originOf } from "./line-origin.ts";

/** The requests of a task in the order they were made. */
export function messageLines(run: ExportedRun, { row, trajectory }: ExportedTask): readonly string[] {
  const turns = trajectory.entries.filter((entry): entry is Turn => entry.kind === "turn");
  return turns.map((turn) => {
    const { request, role, stage, model, messages, tools, text, thinking, calls, tokens, finish, retries } = turn;
    return `${jsonText({
      ...originOf(run, row),
      request,
      role,
      stage,
      model,
      messages,
      ...(tools.length === 0 ? {} : { tools }),
      reply: { text, ...(thinking === "" ? {} : { thinking }), ...(calls.length === 0 ? {} : { calls }) },
      finish,
      tokens,
      ...(retries.length === 0 ? {} : { retries }),
      ...(turn.saved === undefined ? {} : { saved: turn.saved }),
      startedAt: new Date(turn.from).toISOString(),
      seconds: turnSeconds(turn),
    })}\n`;
  });
}
