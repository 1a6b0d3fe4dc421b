/** Turns the annotations of a recording into codes of its run. */
import { createHash } from "node:crypto";
import type { CodeLine } from "../../engine/session/codes/code-line.ts";
import { stepOfRequest } from "../../engine/workbench/recordings/recorded-annotation.ts";
import type { Recording, RecordedTask } from "../../engine/workbench/recordings/recording.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";

/**
 * Adds the annotations of a recording to the codes of its run, except those that it already has. Resolves to the number of
 * annotations.
 */
export async function importCodes(workbench: SessionWorkbench, recording: Recording, run: string): Promise<number> {
  const lines: CodeLine[] = [];
  for await (const task of recording.tasks()) lines.push(...codesOf(task, run));
  for (const [by, own] of Map.groupBy(lines, (line) => line.by)) workbench.codes.add(by, own);
  return lines.length;
}

function codesOf({ id: task, events, annotations = [] }: RecordedTask, run: string): readonly CodeLine[] {
  return annotations.map(({ by, kind, remark, request, at }): CodeLine => {
    const hash = createHash("sha256").update(JSON.stringify([run, task, by, kind, remark, request ?? null]));
    const step = request === undefined ? undefined : stepOfRequest(events, request);
    return {
      type: "code",
      id: hash.digest("hex").slice(0, 32),
      by,
      at: new Date(at).toISOString(),
      run,
      task,
      kind,
      ...(request !== undefined &&
        step !== undefined && {
          place: { section: "steps", request, step, block: `step ${step} reply` },
        }),
      ...(remark !== "" && { remark }),
    };
  });
}
