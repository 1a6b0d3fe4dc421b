/** Reads the events of single tasks at the positions given by the index. */
import { isAscii } from "node:buffer";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { contentOf, LogDecoder } from "./log-codec.ts";
import { LogIndex, type LogPlace } from "./log-index.ts";
import { logSize, readBytes } from "./log-lines.ts";
import { emptyLog, readLog } from "./log-reader.ts";
import type { Message, TaskEvent } from "../../types.ts";
import { atOnce, type Pieces } from "../../work/pieces.ts";

/** Number of cached blocks, because consecutive tasks share blocks. */
const mostBlocks = 8;
/** Characters of cached messages, because tasks share them. */
const mostMessages = 2 * 1024 * 1024;

export const indexName = "events.index";

/** Characters that are decoded within a millisecond. */
const fewCharacters = 100_000;

/** Thrown if a block of the log differs from its checksum. */
export class ChangedBlock extends Error {
  override readonly name = "ChangedBlock";
}

/**
 * The bytes of a block; when it is used again also its text, whose pieces are made more quickly. False: positions in the text
 * would differ from those in the bytes, as not all characters are ASCII.
 */
type ReadBlock = { readonly bytes: Buffer; text: string | false | undefined };

type Places = (name: string) => Iterable<LogPlace>;

export class IndexedLog {
  readonly #path: string;
  readonly #index: LogIndex;
  readonly #blocks = new Map<number, ReadBlock>();
  readonly #messages = new Map<string, Message>();
  #size = 0;

  /** `index` must cover the requested events. */
  constructor(path: string, index: LogIndex) {
    this.#path = path;
    this.#index = index;
  }

  /** Throws `ChangedBlock` if one of the task's blocks has changed. */
  *task(id: string): Pieces<TaskEvent[]> {
    const contents = (ref: string) => this.#index.places("contents", ref);
    // Events written between two pieces of work are not included.
    return yield* this.#events(id, [...this.#index.places("tasks", id)], contents);
  }

  /** Reads the whole index once, for callers that request many tasks, some of which may have no events. */
  oneOfMany(id: string): TaskEvent[] {
    const { tasks, contents } = this.#places();
    return atOnce(this.#events(id, tasks.get(id) ?? [], (ref) => contents.get(ref) ?? []));
  }

  #places(): ReturnType<LogIndex["allPlaces"]> {
    return (this.#allPlaces ??= this.#index.allPlaces());
  }
  #allPlaces: ReturnType<LogIndex["allPlaces"]> | undefined;

  /** Yields the events of the tasks that have any, in log order. Throws `ChangedBlock` if a block has changed. */
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
          if ((event as TaskEvent | undefined)?.task === task) events.push(event as TaskEvent);
        } catch (error) {
          // Reading the whole log counts and reports such lines.
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
    if (line === undefined) return undefined;
    const message = contentOf(line);
    if (message !== undefined) this.#keep(ref, message, line.length);
    return message;
  }

  #keep(ref: string, message: Message, length: number): void {
    this.#size += length;
    if (this.#size > mostMessages) {
      this.#messages.clear();
      this.#size = length;
    }
    this.#messages.set(ref, message);
  }

  #firstLine(places: Iterable<LogPlace>): string | undefined {
    for (const place of places) for (const line of this.#lines(place)) return line;
    return undefined;
  }

  #lines({ block, pieces }: LogPlace): string[] {
    const { text = false, bytes } = this.#block(block);
    const lines: string[] = [];
    for (let piece = 0; piece + 1 < pieces.length; piece += 2) {
      const [from, to] = [pieces[piece]!, pieces[piece + 1]!];
      const part = text === false ? bytes.toString("utf8", from, to) : text.substring(from, Math.max(from, to));
      for (const line of part.split("\n")) if (line !== "") lines.push(line);
    }
    return lines;
  }

  #block({ from, to, crc }: LogPlace["block"]): ReadBlock {
    const known = this.#blocks.get(from);
    if (known?.bytes.length === to - from) {
      if (known.text === undefined) known.text = isAscii(known.bytes) ? known.bytes.toString("latin1") : false;
      return known;
    }
    const bytes = readBytes(this.#path, from, to);
    if (crc32(bytes) !== crc)
      throw new ChangedBlock(`Expected bytes ${from} to ${to} of ${this.#path} to be unchanged`);
    const read: ReadBlock = { bytes, text: undefined };
    this.#blocks.set(from, read);
    if (this.#blocks.size > mostBlocks) this.#blocks.delete(this.#blocks.keys().next().value!);
    return read;
  }
}

/** Builds the index of a log from its current contents. */
export function freshIndexOf(path: string): LogIndex {
  const index = new LogIndex(join(dirname(path), indexName));
  readLog(path, () => {}, { index });
  return index;
}

/** Returns the events of one task from a log that this program has not opened. */
export function readTask(path: string, task: string): TaskEvent[] {
  const size = logSize(path);
  if (size === undefined) return [];
  const index = LogIndex.read(join(dirname(path), indexName));
  const lost = index.cut(size);
  if (lost === 0) readLog(path, () => {}, { after: { ...emptyLog, bytes: index.end }, index });
  try {
    return atOnce(new IndexedLog(path, lost === 0 ? index : freshIndexOf(path)).task(task));
  } catch (error) {
    if (!(error instanceof ChangedBlock)) throw error;
    return atOnce(new IndexedLog(path, freshIndexOf(path)).task(task));
  }
}
