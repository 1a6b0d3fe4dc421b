/** The events of single tasks, read from where the index says they are. */
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { contentOf, LogDecoder } from "./log-codec.ts";
import { type LogBlock, LogIndex, type LogPlace, type Stretch } from "./log-index.ts";
import { logSize, readBytes } from "./log-lines.ts";
import { emptyLog, readLog } from "./log-reader.ts";
import type { Message, TaskEvent } from "../../types.ts";
import { atOnce, type Pieces } from "../../work/pieces.ts";

/** Blocks that are kept, as tasks that follow each other lie in the same ones. */
const mostBlocks = 8;
/** Characters of messages that are kept, as tasks share them. */
const mostMessages = 2 * 1024 * 1024;

export const indexName = "events.index";

/** Characters of lines that are decoded within a millisecond. */
const fewCharacters = 100_000;

/** A block of the log is not what was written. */
export class ChangedBlock extends Error {
  override readonly name = "ChangedBlock";
}

type Places = (name: string) => Iterable<LogPlace>;

export class IndexedLog {
  readonly #path: string;
  readonly #index: LogIndex;
  readonly #blocks = new Map<number, Buffer>();
  readonly #messages = new Map<string, Message>();
  #size = 0;

  /** `index` must reach as far as the events that are wanted. */
  constructor(path: string, index: LogIndex) {
    this.#path = path;
    this.#index = index;
  }

  /** Throws `ChangedBlock` where one it lies in is not what was written. */
  *task(id: string): Pieces<TaskEvent[]> {
    const contents = (ref: string) => this.#index.places("contents", ref);
    // What is written between pieces of work is not asked for.
    return yield* this.#events(id, [...this.#index.places("tasks", id)], contents);
  }

  /** The same for who asks for many tasks, some of which may have no events: the whole index is read once. */
  oneOfMany(id: string): TaskEvent[] {
    const { tasks, contents } = this.#places();
    return atOnce(this.#events(id, tasks.get(id) ?? [], (ref) => contents.get(ref) ?? []));
  }

  #places(): ReturnType<LogIndex["allPlaces"]> {
    return (this.#allPlaces ??= this.#index.allPlaces());
  }
  #allPlaces: ReturnType<LogIndex["allPlaces"]> | undefined;

  /** The events of those of these tasks that have any, one by one in the order of the log. Throws as above. */
  *tasks(ids: Iterable<string>): Generator<readonly [string, readonly TaskEvent[]]> {
    const { tasks } = this.#places();
    const found = [...ids].flatMap((id) => {
      const places = tasks.get(id);
      return places === undefined ? [] : [{ id, places }];
    });
    const at = ({ places }: { readonly places: readonly LogPlace[] }) =>
      places[0]!.block.from + (places[0]!.pieces[0] ?? 0);
    found.sort((one, other) => at(one) - at(other));
    for (const { id } of found) yield [id, this.oneOfMany(id)];
  }

  *#events(task: string, places: readonly LogPlace[], contents: Places): Pieces<TaskEvent[]> {
    const decoder = new LogDecoder((ref) => this.#message(ref, contents));
    const events: TaskEvent[] = [];
    let characters = 0;
    for (const place of places) {
      for (const line of this.#lines(place)) {
        characters += line.length;
        if (characters > fewCharacters) {
          yield;
          characters = line.length;
        }
        try {
          const { event } = decoder.decode(line);
          if (event !== undefined && "task" in event && event.task === task) events.push(event);
        } catch (error) {
          // Counted and reported when the whole log is read.
          if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
        }
      }
    }
    return events;
  }

  #message(ref: string, contents: Places): Message | undefined {
    const known = this.#messages.get(ref);
    if (known !== undefined) return known;
    const line = this.#firstLine(contents(ref));
    const message = line === undefined ? undefined : contentOf(line);
    if (line === undefined || message === undefined) return undefined;
    this.#size += line.length;
    if (this.#size > mostMessages) {
      this.#messages.clear();
      this.#size = line.length;
    }
    this.#messages.set(ref, message);
    return message;
  }

  #firstLine(places: Iterable<LogPlace>): string | undefined {
    for (const place of places) for (const line of this.#lines(place)) return line;
    return undefined;
  }

  #lines({ block, pieces }: LogPlace): string[] {
    const bytes = this.#block(block);
    const lines: string[] = [];
    for (let piece = 0; piece + 1 < pieces.length; piece += 2)
      lines.push(...bytes.toString("utf8", pieces[piece], pieces[piece + 1]).split("\n"));
    return lines.filter((line) => line !== "");
  }

  #block(block: LogBlock): Buffer {
    const { from, to, crc } = block;
    const known = this.#blocks.get(from);
    if (known?.length === to - from) return known;
    const bytes = readBytes(this.#path, from, to);
    if (crc32(bytes) !== crc) throw new ChangedBlock(`Expected bytes ${from} to ${to} of ${this.#path} as written`);
    this.#blocks.delete(from);
    this.#blocks.set(from, bytes);
    if (this.#blocks.size > mostBlocks) this.#blocks.delete(this.#blocks.keys().next().value!);
    return bytes;
  }
}

/** The index of a log as it is now, whatever was written; `changed` as in `LogIndex`. */
export function freshIndexOf(path: string, changed: readonly Stretch[] = []): LogIndex {
  const index = new LogIndex(join(dirname(path), indexName), changed);
  readLog(path, () => {}, { index });
  return index;
}

/** The events of one task, of a log that this program has not open. */
export function readTask(path: string, task: string): TaskEvent[] {
  const index = LogIndex.read(join(dirname(path), indexName));
  const lost = index.cut(logSize(path) ?? 0);
  if (lost === 0) readLog(path, () => {}, { after: { ...emptyLog, bytes: index.end }, index });
  try {
    return atOnce(new IndexedLog(path, lost === 0 ? index : freshIndexOf(path)).task(task));
  } catch (error) {
    if (!(error instanceof ChangedBlock)) throw error;
    return atOnce(new IndexedLog(path, freshIndexOf(path)).task(task));
  }
}
