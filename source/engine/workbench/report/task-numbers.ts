/** Tasks of a report by number, in the order in which its runs and their tasks stand. */
import type { TaskRef } from "../../types.ts";

export class TaskNumbers {
  readonly #runs = new Map<string, Map<string, number>>();
  #count = 0;

  add({ run, task }: TaskRef): void {
    const own = this.#runs.get(run) ?? new Map<string, number>();
    this.#runs.set(run, own.set(task, this.#count++));
  }

  /** Those of these tasks that have a number, as the page's script reads them: `3-5,9`. Undefined where none has. */
  ranges(refs: readonly TaskRef[] = []): string | undefined {
    return rangesText(refs.flatMap(({ run, task }) => this.#runs.get(run)?.get(task) ?? []));
  }
  /** The same of all tasks of a run. */
  rangesOf(run: string): string | undefined {
    return rangesText([...(this.#runs.get(run)?.values() ?? [])]);
  }
}

function rangesText(numbers: readonly number[]): string | undefined {
  const ranges: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  if (ranges.length === 0) return undefined;
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}
