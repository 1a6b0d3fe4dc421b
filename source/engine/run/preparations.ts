/** What the runs of a cell have to ask before their first tasks, each thing once: runs of a grid share it. */
import { counted } from "../text/counted.ts";
import type { Models } from "../models/models.ts";
import { costOf } from "./run-models.ts";
import type { PreparationRequests } from "../loaded-suite.ts";
import type { RunSpec } from "../types.ts";

export class Preparations {
  readonly #all = new Map<string, PreparationRequests>();

  /** Takes the requests of one run; those that another run has named already are made once for both. */
  add({ data, suite }: RunSpec, needed: readonly PreparationRequests[]): void {
    for (const one of needed) this.#all.set(JSON.stringify([suite, data, one.model, one.what, one.of]), one);
  }

  /** The most it can take, with a sentence for each model and purpose. `cost` is undefined where a model has no price. */
  sum(models: Models): {
    readonly calls: number;
    readonly input: number;
    readonly output: number;
    readonly cost: number | undefined;
    readonly words: readonly string[];
  } {
    const all = [...this.#all.values()];
    const total = (of: (one: PreparationRequests) => number) => all.reduce((sum, one) => sum + of(one), 0);
    let cost: number | undefined = 0;
    for (const one of all) {
      const own = costOf(models, one.model, one);
      cost = cost === undefined || own === undefined ? undefined : cost + own;
    }
    const purposes = Map.groupBy(all, ({ model, what }) => `${model} ${what}`);
    const words = [...purposes.values()].map((same) => {
      const calls = same.reduce((sum, one) => sum + one.calls, 0);
      const { model, what } = same[0]!;
      return `First, ${model}: at most ${counted(calls, "request")} for ${what}, all kept`;
    });
    return {
      calls: total((one) => one.calls),
      input: total((one) => one.input),
      output: total((one) => one.output),
      cost,
      words,
    };
  }
}
