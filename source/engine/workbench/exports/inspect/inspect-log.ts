/** Writes runs as logs of Inspect AI: one JSON document, or an `.eval` archive of a header, a summary and one file per sample. */
import { packageVersion } from "../../../settings/package-folder.ts";
import { filledList } from "../../../text/json-record.ts";
import { jsonText } from "../../../text/json-text.ts";
import { modelSettings } from "../../../run-settings.ts";
import type { ExportedRun, ExportedTask } from "../exported-run.ts";
import { inspectConfig, inspectEvents } from "./inspect-event.ts";
import {
  addedUsage,
  assistantMessage,
  inspectMessage,
  inspectOutput,
  inspectUsage,
  type InspectUsage,
  inspectScore,
  notANumber,
} from "./inspect-message.ts";
import type { Trajectory, Turn } from "../../../log/trajectory.ts";
import { strToU8, Zip, ZipDeflate } from "fflate";
import { distinctNames } from "../../../figures/file-name.ts";

/** Returns the log without its samples; `usage` is the total usage of the samples. An import needs `eval.metadata.planwright`. */
function inspectHeader(run: ExportedRun, { taken }: RunUsage) {
  const { spec, rows } = run;
  const from = rows.reduce((least, row) => Math.min(least, row.from), Infinity);
  const to = rows.reduce((most, row) => Math.max(most, row.to), 0);
  const date = (at: number) => (Number.isFinite(at) && at > 0 ? new Date(at).toISOString() : "");
  return {
    version: 2,
    status: run.ended === "done" ? "success" : run.ended === "failed" ? "error" : "cancelled",
    eval: {
      run_id: run.run,
      eval_id: run.run,
      task_id: run.run,
      created: date(from),
      task: `${spec.suite}/${spec.split}`,
      task_version: spec.suiteRevision,
      task_attribs: {},
      task_args: { ...spec.options, ...spec.filter },
      task_args_passed: { ...spec.options, ...spec.filter },
      dataset: { name: spec.suite, samples: run.rows.length, sample_ids: rows.map(({ task }) => task) },
      solver: spec.strategy,
      solver_args: { shots: spec.shots, ...spec.options },
      model: spec.model,
      model_roles: Object.fromEntries(
        modelSettings.flatMap((role) => {
          const model = role === "model" ? undefined : spec[role];
          return model === undefined ? [] : [[role, { model, config: {}, args: {} }]];
        }),
      ),
      model_generate_config: inspectConfig(spec),
      model_args: {},
      config: { epochs: 1 },
      packages: { planwright: packageVersion() },
      metadata: {
        planwright: {
          cell: run.cell,
          label: run.label,
          readsAnswerKey: run.readsAnswerKey,
          warnings: run.warnings,
          spec,
        },
      },
    },
    plan: { name: "plan", steps: [{ solver: spec.strategy, params: {} }], config: {} },
    results: results(run),
    stats: { started_at: date(from), completed_at: date(to), ...taken },
  };
}

function results({ rows, spec }: ExportedRun): object {
  const values = rows.flatMap(({ state, score }) =>
    state === "scored" && score?.value !== undefined ? [score.value] : [],
  );
  const mean = values.length === 0 ? notANumber : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    total_samples: rows.length,
    completed_samples: rows.filter(({ state }) => state === "scored").length,
    scores: [
      {
        name: spec.suite,
        scorer: spec.suite,
        params: {},
        metrics: { mean: { name: "mean", value: mean, params: {} } },
        scored_samples: values.length,
        unscored_samples: rows.length - values.length,
      },
    ],
  };
}

/** Sums the usage of requests by model and by role, under the log's names. */
type Usage = { readonly model_usage: Usages; readonly role_usage: Usages };
type Usages = { readonly [name: string]: InspectUsage };

const noUsage: Usage = { model_usage: {}, role_usage: {} };

/** Usage of a run, known once all its tasks are read, because its rows do not contain usage by model. */
export class RunUsage {
  taken = noUsage;

  add({ trajectory }: Pick<ExportedTask, "trajectory">): void {
    this.taken = withTurns(this.taken, turnsOf(trajectory));
  }
}

const turnsOf = ({ entries }: Trajectory): readonly Turn[] => entries.filter((entry) => entry.kind === "turn");

function withTurns(before: Usage, turns: readonly Turn[]): Usage {
  const model_usage: Record<string, InspectUsage> = { ...before.model_usage };
  const role_usage: Record<string, InspectUsage> = { ...before.role_usage };
  for (const { model, role, tokens } of turns) {
    if (tokens === undefined) continue;
    const taken = inspectUsage(tokens);
    model_usage[model] = addedUsage(model_usage[model], taken);
    role_usage[role] = addedUsage(role_usage[role], taken);
  }
  return { model_usage, role_usage };
}

/** Returns one task as a sample. Its epoch is the run's trial. */
function inspectSample(run: ExportedRun, task: ExportedTask) {
  const { row, trajectory, reference, record } = task;
  const turns = turnsOf(trajectory);
  const last = turns.findLast(({ role }) => role !== "judge");
  const [{ score, failure }, [first]] = [row, task.events];
  return {
    id: row.task,
    epoch: run.spec.trial,
    uuid: `${run.run}-${row.task}`,
    input: row.question,
    target: reference ?? "",
    messages:
      last === undefined
        ? []
        : [...last.messages.map(inspectMessage), assistantMessage(last.text, last.thinking, last.calls)],
    output: last === undefined ? { model: run.spec.model, choices: [], completion: "" } : inspectOutput(last),
    scores: score && { [run.spec.suite]: inspectScore(score, trajectory.answer) },
    error: failure && { message: `${failure.kind}: ${failure.message}`, traceback: "", traceback_ansi: "" },
    metadata: {
      facets: row.facets,
      state: row.state,
      record,
      overrides: filledList(task.overrides),
      // Settings that were not sent, because the run's cell does not set them.
      unset: first?.type === "started" ? first.unset : undefined,
    },
    store: {},
    events: inspectEvents(task, run.spec),
    ...withTurns(noUsage, turns),
    attachments: {},
    started_at: new Date(row.from).toISOString(),
    completed_at: new Date(row.to).toISOString(),
    total_time: row.counted.seconds,
  };
}

/** Returns a sample's entry in `summaries.json` of an archive. */
function inspectSummary(sample: ReturnType<typeof inspectSample>): object {
  const { events: _, messages, output: __, store: ___, attachments: ____, error, scores, ...summary } = sample;
  const brief = Object.entries(scores ?? {}).map(([name, { value, answer }]) => [name, { value, answer, history: [] }]);
  return {
    ...summary,
    scores: scores && Object.fromEntries(brief),
    error: error?.message,
    message_count: messages.length,
    completed: true,
  };
}

/** Returns JSON with NaN, which Python's JSON allows and ours does not. */
const inspectText = (value: unknown): string => jsonText(value).replaceAll(`"${notANumber}"`, "NaN");

/**
 * Yields the whole log as one JSON document in parts, because it may be longer than the longest string. Its head contains the
 * usage.
 */
export async function* inspectJson(run: ExportedRun, usage: RunUsage): AsyncIterable<Uint8Array> {
  yield strToU8(`${inspectText(inspectHeader(run, usage)).slice(0, -1)},"samples":[`);
  let first = true;
  for await (const task of run.tasks()) {
    yield strToU8(`${first ? "" : ","}\n${inspectText(inspectSample(run, task))}`);
    first = false;
  }
  yield strToU8("]}\n");
}

/** Yields the archive's bytes; only one sample is in memory. Usage is summed meanwhile. */
export async function* inspectArchive(run: ExportedRun, usage: RunUsage): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  const add = (name: string, value: object) => {
    const file = new ZipDeflate(name, { level: 6 });
    // Uses the run's date, so that exporting the same run again writes the same file.
    file.mtime = run.rows[0]?.to ?? 315_532_800_000;
    zip.add(file);
    file.push(strToU8(inspectText(value)), true);
  };
  const { version, eval: about, plan } = inspectHeader(run, usage);
  const summaries: object[] = [];
  const named = distinctNames();
  add("_journal/start.json", { version, eval: about, plan });
  for await (const task of run.tasks()) {
    const sample = inspectSample(run, task);
    usage.add(task);
    summaries.push(inspectSummary(sample));
    add(`samples/${named(task.row.task)}_epoch_${run.spec.trial}.json`, sample);
    yield* pieces.splice(0);
  }
  add("summaries.json", summaries);
  add("header.json", inspectHeader(run, usage));
  zip.end();
  yield* pieces.splice(0);
}
