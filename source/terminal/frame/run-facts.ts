/** Summarizes all active runs of the notebook for the status line. */
import { endedTasks } from "../../engine/log/rows/task-counts.ts";
import type { RunState, Workbench } from "../../engine/workbench/workbench.ts";
import { costText, countText, plural } from "../../look/amounts.ts";
import { isActive, runsOfCells } from "./runs.ts";

/** `warning`: a decision that waits for the user, with its key. */
export type RunFacts = { readonly warning?: string; readonly facts: readonly string[] };

export function runFacts(workbench: Pick<Workbench, "cells" | "state">, running: string): RunFacts {
  const runs = runsOfCells(workbench).map(({ state }) => state);
  const active = runs.filter(isActive);
  const read = runs.filter(({ status }) => status === "reading").length;
  if (active.length === 0) return { facts: read === 0 ? [] : [`reading ${plural(read, "run")}`] };
  const paused = active.filter(({ status }) => status === "paused").length;
  if (paused === active.length)
    return { warning: `${plural(paused, "run")} paused: p in the notebook resumes`, facts: [] };
  const sum = (of: (run: RunState) => number) => active.reduce((all, run) => all + of(run), 0);
  const ended = sum(({ counts }) => endedTasks(counts));
  const inFlight = sum(({ counts }) => counts.running);
  const speed = sum((run) => run.speed ?? 0);
  return {
    facts: [
      `${running} ${plural(active.length, "run")}  ${ended}/${sum(({ total }) => total)}`,
      ...(speed < 1 ? [] : [`${countText(speed)} tok/s`]),
      `${inFlight} of ${sum(({ concurrency }) => concurrency)} in flight`,
      ...costOf(active),
      ...connectionsOf(active),
    ],
  };
}

/** Returns the cost so far; free models have none. */
function costOf(runs: readonly RunState[]): readonly string[] {
  if (runs.some(({ calls, cost }) => calls > 0 && cost === undefined)) return ["cost unknown"];
  const cost = runs.reduce((all, run) => all + (run.cost ?? 0), 0);
  return cost === 0 ? [] : [`cost ${costText(cost)}`];
}

/** Returns each endpoint of the runs and whether it answers as configured. */
function connectionsOf(runs: readonly RunState[]): readonly string[] {
  const named = Map.groupBy(runs, ({ spec }) => spec.model.split("/")[0]!);
  return [...named].flatMap(([endpoint, own]) => {
    if (endpoint === "builtin") return [];
    const trouble = own.find(({ overload, unheard }) => (overload ?? unheard) !== undefined);
    return [`${endpoint} ${trouble?.unheard ?? trouble?.overload ?? "ok"}`];
  });
}
