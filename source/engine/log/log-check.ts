/** Checks all of a log: every block against its checksum, every line, and the numbers of the events. Nothing is written. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { changedBlocksInThread } from "./changed-blocks.ts";
import { indexName } from "./indexed-log.ts";
import { type LogDamage, sumDamage, unharmed } from "./log-damage.ts";
import { LogIndex } from "./log-index.ts";
import { readLogSlowly } from "./log-reader.ts";

export type LogCheck = {
  readonly events: number;
  /** Of the log. */
  readonly bytes: number;
  /** Bytes at the beginning of the log that have checksums. */
  readonly checked: number;
  readonly damage: LogDamage;
};

/** Of the run in this folder; undefined where it has no log. Rejects with the signal's reason when it is aborted. */
export async function checkLog(folder: string, signal: AbortSignal): Promise<LogCheck | undefined> {
  const path = join(folder, "events.jsonl");
  if (!existsSync(path)) return undefined;
  const index = LogIndex.read(join(folder, indexName));
  const bytes = statSync(path).size;
  const cut = index.cut(bytes);
  const marked = index.blocks().filter((block) => block.changed === true).length;
  const changed = (await changedBlocksInThread({ path, blocks: index.blocks() })).length + marked;
  let events = 0;
  const { damage } = await readLogSlowly(path, () => (events += 1), { signal });
  const ofIndex = { ...unharmed, changed, cut, index: index.damaged };
  return { events, bytes, checked: index.end, damage: sumDamage(ofIndex, damage) };
}
