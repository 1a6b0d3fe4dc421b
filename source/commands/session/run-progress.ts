/** Reports the progress of runs without a screen: in place on a terminal, otherwise only changed lines. */
import { tallyText } from "../../engine/log/rows/task-counts.ts";
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import { partOf } from "../../engine/workbench/runs/run-colours.ts";
import { workerTexts } from "../../engine/workbench/runs/run-status.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import type { CommandContext } from "../shell/command.ts";
import { runCells, runsOfCells } from "./open-session.ts";

type Line = {
  readonly key: string;
  readonly isActive: boolean;
  /** Compared to decide whether the line changed. */
  readonly facts: string;
  /** Rates and the oldest request, which always change. */
  readonly pace: string;
};

type Sample = { readonly at: number; readonly output: number };

/** Runs drawn in place; more are counted. */
const mostDrawn = 8;
/** Milliseconds after which active runs are reported although nothing changed. */
const longestSilence = 60_000;
/** Reports over which tokens per second are averaged: half a minute. */
const mostSamples = 15;
const active: ReadonlySet<RunState["status"]> = new Set(["loading", "running", "stopping", "reading"]);

export class RunProgress {
  readonly #workbench: SessionWorkbench;
  readonly #context: Pick<CommandContext, "stderr" | "redraw">;
  /** The facts last printed, by run. */
  readonly #printed = new Map<string, string>();
  readonly #samples = new Map<string, Sample[]>();
  #last = 0;

  readonly #named: readonly string[];

  /** `named`: the cells that are executed; other cells that share a run with them are not reported. */
  constructor(
    workbench: SessionWorkbench,
    context: Pick<CommandContext, "stderr" | "redraw">,
    named: readonly string[] = [],
  ) {
    this.#workbench = workbench;
    this.#context = context;
    this.#named = named;
  }

  /** Reports the runs at this moment, in milliseconds since 1970. */
  report(now: number): void {
    const { stderr, redraw } = this.#context;
    const lines = this.#lines(now);
    const changed = lines.filter(({ key, facts }) => this.#printed.get(key) !== facts);
    if (redraw !== undefined) {
      this.#print(changed.filter(({ isActive }) => !isActive));
      const going = lines.filter(({ isActive }) => isActive);
      const more = going.length - mostDrawn;
      const drawn = going.slice(0, mostDrawn).map(({ facts, pace }) => `${facts}${pace}`);
      redraw([...drawn, ...(more > 0 ? [`${counted(more, "more run")} in progress`] : [])]);
      return;
    }
    const isSilent = changed.length === 0 && now - this.#last >= longestSilence;
    const shown = isSilent ? lines.filter(({ isActive }) => isActive) : changed;
    if (shown.length === 0) return;
    this.#last = now;
    stderr(this.#text(shown));
  }

  /** Ends the report and returns the lines not printed yet. */
  finish(now: number): string {
    this.#context.redraw?.([]);
    return this.#text(
      this.#lines(now)
        .filter(({ key, facts }) => this.#printed.get(key) !== facts)
        .map((line) => ({ ...line, pace: "" })),
    );
  }

  #print(lines: readonly Line[]): void {
    if (lines.length > 0) this.#context.stderr(this.#text(lines));
  }

  #text(lines: readonly Line[]): string {
    for (const { key, facts } of lines) this.#printed.set(key, facts);
    return lines.map(({ facts, pace }) => `${facts}${pace}\n`).join("");
  }

  #lines(now: number): readonly Line[] {
    const executed = new Set(runsOfCells(this.#workbench, this.#named).map(({ run }) => run));
    const isOther = (name: string, run: string) => !this.#named.includes(name) && executed.has(run);
    return runCells(this.#workbench).flatMap(({ name, runs }) =>
      runs
        .filter(({ run, status }) => status !== "ready" && !isOther(name, run))
        .map((run): Line => {
          const key = `${name} ${partOf(run)}`;
          const isActive = active.has(run.status);
          const pace = isActive
            ? `${taskRate(run)}${this.#tokenRate(key, run, now)}${this.#oldestRequest(run, now)}`
            : "";
          const facts = printable(`${name || "run"} (${run.label}): ${progressText(run)}`);
          return { key, isActive, facts, pace: printable(pace) };
        }),
    );
  }

  /** Output tokens per second over the last reports; servers count the tokens of a reply at its end. */
  #tokenRate(key: string, { tokens: { output } }: RunState, now: number): string {
    const samples = [...(this.#samples.get(key) ?? []), { at: now, output }].slice(-mostSamples);
    this.#samples.set(key, samples);
    const [first] = samples;
    const rate = now > first!.at ? ((output - first!.output) / (now - first!.at)) * 1000 : 0;
    return rate > 0 ? `, ${rate < 10 ? rate.toFixed(1) : Math.round(rate)} tokens/s` : "";
  }

  #oldestRequest(state: RunState, now: number): string {
    const run = partOf(state);
    let oldest: { readonly task: string; readonly from: number } | undefined;
    for (const task of this.#workbench.executed(run)) {
      const last = this.#workbench.live({ run, task })?.entries.at(-1);
      if (last?.kind !== "turn" || last.finish !== undefined) continue;
      if (oldest === undefined || last.from < oldest.from) oldest = { task, from: last.from };
    }
    if (oldest === undefined) return "";
    const seconds = Math.max(0, Math.round((now - oldest.from) / 1000));
    return `, oldest request sent ${seconds} s ago (${oldest.task})`;
  }
}

const taskRate = ({ rate }: RunState): string =>
  rate === undefined ? "" : `, ${counted(Math.round(rate), "task")}/min`;

function progressText(run: RunState): string {
  const { status, message, unheard, preparing, total, counts, overload, workers = [] } = run;
  if (preparing !== undefined) return preparing;
  const about = [...workerTexts(workers), overload, status === "running" ? message : unheard];
  const rest = about.flatMap((text) => (text === undefined ? [] : [`; ${text}`])).join("");
  return `${status}, ${tallyText(counts, total)}${rest}`;
}
