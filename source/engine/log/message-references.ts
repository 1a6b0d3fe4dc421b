/** Which messages of a log are known by a reference, so that memory holds only those of tasks that have not ended. */

/** Characters kept of messages no running task uses: a catalogue comes again with the next task. */
const mostIdle = 2 * 1024 * 1024;

type Known = { readonly key: string; readonly reference: string; readonly tasks: Set<string> };

export class MessageReferences {
  readonly #known = new Map<string, Known>();
  readonly #byTask = new Map<string, Set<Known>>();
  /** Used by no running task; the longest unused first. */
  readonly #idle = new Set<Known>();
  #idleSize = 0;

  /** The reference of a message, which this task uses from now on; undefined where it has none. */
  use(key: string, task: string): string | undefined {
    const known = this.#known.get(key);
    if (known === undefined) return undefined;
    if (this.#idle.delete(known)) this.#idleSize -= key.length;
    this.#hold(known, task);
    return known.reference;
  }

  add(key: string, reference: string, task: string): void {
    const known = { key, reference, tasks: new Set<string>() };
    this.#known.set(key, known);
    this.#hold(known, task);
  }

  /** Gives the references that are forgotten now. */
  end(task: string): readonly string[] {
    for (const known of this.#byTask.get(task) ?? []) {
      known.tasks.delete(task);
      if (known.tasks.size > 0) continue;
      this.#idle.add(known);
      this.#idleSize += known.key.length;
    }
    this.#byTask.delete(task);
    const forgotten: string[] = [];
    for (const known of this.#idle) {
      if (this.#idleSize <= mostIdle) break;
      this.#idle.delete(known);
      this.#known.delete(known.key);
      this.#idleSize -= known.key.length;
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
