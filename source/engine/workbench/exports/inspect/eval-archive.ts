/** Inspect AI's `.eval`: a zip archive of a header, a summary of all samples, and one file a sample. */
import { strToU8, Zip, ZipDeflate } from "fflate";
import { distinctNames } from "../../../figures/file-name.ts";
import type { Json } from "../../../types.ts";
import type { ExportedRun } from "../exported-run.ts";
import { inspectHeader, inspectSample, inspectSummary, inspectText, type RunUsage } from "./inspect-log.ts";

/** The whole log as one JSON document, in pieces: it may be longer than a string can be. What the run took stands at its head. */
export async function* inspectJson(run: ExportedRun, usage: RunUsage): AsyncIterable<Uint8Array> {
  yield strToU8(`${inspectText(inspectHeader(run, usage)).slice(0, -1)},"samples":[`);
  let first = true;
  for await (const task of run.tasks()) {
    yield strToU8(`${first ? "" : ","}\n${inspectText(inspectSample(run, task))}`);
    first = false;
  }
  yield strToU8("]}\n");
}

/** The archive's bytes; one sample at a time is in memory. What the run took is added up meanwhile. */
export async function* inspectArchive(run: ExportedRun, usage: RunUsage): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  const add = (name: string, value: Json) => {
    const file = new ZipDeflate(name, { level: 6 });
    // Of the run, not of today: the same run exported again is the same file.
    file.mtime = run.rows[0]?.to ?? 315_532_800_000;
    zip.add(file);
    file.push(strToU8(inspectText(value)), true);
  };
  const { version, eval: about, plan } = inspectHeader(run, usage);
  const summaries: Json[] = [];
  const named = distinctNames();
  add("_journal/start.json", { version: version!, eval: about!, plan: plan! });
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
