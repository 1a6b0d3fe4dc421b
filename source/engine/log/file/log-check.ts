/** Checks a whole log without writing: the checksum of every block, every line, and the event numbers. */
import { join } from "node:path";
import { changedBlocksInThread } from "./changed-blocks.ts";
import { indexName } from "./indexed-log.ts";
import { type LogDamage, sumDamage, unharmed } from "./log-damage.ts";
import { LogIndex } from "./log-index.ts";
import { logSize } from "./log-lines.ts";
import { readLogSlowly } from "./log-reader.ts";
import type { Event, RunEvent } from "../../types.ts";

export type LogCheck = {
  readonly events: number;
  /** True if the run was completed. */
  readonly done: boolean;
  /** Length of the log. */
  readonly bytes: number;
  /** Bytes at the beginning of the log that have checksums. */
  readonly checked: number;
  readonly damage: LogDamage;
  /** Messages rejected because their sender is no worker of the run; the log records only the rejection. */
  readonly refused: readonly Refused[];
};
type Refused = Extract<RunEvent, { type: "shipment-refused" }>;

/** Checks the run in this folder; undefined if it has no log. Rejects with the signal's reason if it is aborted. */
export async function checkLog(folder: string, signal: AbortSignal): Promise<LogCheck | undefined> {
  const path = join(folder, "events.jsonl");
  const index = LogIndex.read(join(folder, indexName));
  const bytes = logSize(path);
  if (bytes === undefined) return undefined;
  const cut = index.cut(bytes);
  const marked = index.blocks().filter((block) => block.changed === true).length;
  const changed = (await changedBlocksInThread({ path, blocks: index.blocks() })).length + marked;
  let events = 0;
  let done = false;
  const refused: Refused[] = [];
  const take = (event: Event) => {
    events += 1;
    if (event.type === "run-started") done = false;
    else if (event.type === "run-ended") done = event.reason === "done";
    else if (event.type === "shipment-refused") refused.push(event);
  };
  const { damage } = await readLogSlowly(path, take, { signal });
  const ofIndex = { ...unharmed, changed, cut, index: index.damaged };
  return { events, done, bytes, checked: index.end, damage: sumDamage(ofIndex, damage), refused };
}
