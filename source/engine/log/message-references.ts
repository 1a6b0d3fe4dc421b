/** Which messages of a log are known by a reference, so that memory holds only those of tasks that have not ended. */

/** Characters kept of messages no running task uses: a catalogue comes again with the next task. */
const mostIdle = 2 * 1024 * 1024;

/** What a message is known by: `of` keeps apart what may be the same text and yet another message. */
export type MessageKey = { readonly of: string; readonly text: string };

type Known = { readonly key: MessageKey; readonly reference: string; readonly tasks: Set<string> };

export class MessageReferences {
  /** By `of` and text: one key of both would be a new string, as long as the message, for every look. */
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #byTask = new Map<string, Set<Known>>();
  /** Used by no running task; the longest unused first. */
  readonly #idle = new Set<Known>();
  #idleSize = 0;

  /** The reference of a message, which this task uses from now on; undefined where it has none. */
  use({ of, text }: MessageKey, task: string): string | undefined {
    const known = this.#known.get(of)?.get(text);
    if (known === undefined) return undefined;
    if (this.#idle.delete(known)) this.#idleSize -= text.length;
    this.#hold(known, task);
    return known.reference;
  }

  add(key: MessageKey, reference: string, task: string): void {
    const known = { key, reference, tasks: new Set<string>() };
    const alike = this.#known.get(key.of) ?? new Map<string, Known>();
    this.#known.set(key.of, alike.set(key.text, known));
    this.#hold(known, task);
  }

  /** Gives the references that are forgotten now. */
  end(task: string): readonly string[] {
    for (const known of this.#byTask.get(task) ?? []) {
      known.tasks.delete(task);
      if (known.tasks.size > 0) continue;
      this.#idle.add(known);
      this.#idleSize += known.key.text.length;
    }
    this.#byTask.delete(task);
    const forgotten: string[] = [];
    for (const known of this.#idle) {
      if (this.#idleSize <= mostIdle) break;
      this.#idle.delete(known);
      this.#known.get(known.key.of)?.delete(known.key.text);
      this.#idleSize -= known.key.text.length;
      forgotten.push(known.reference);
    }
    return forgotten;
  }

  #hold(known: Known, task: string): void {
    known.tasks.add(task);
    const own = this.#byTask.get(task) ?? new Set<Known>();
    this.#byTask.set(task, own.add(known));
  }
}
