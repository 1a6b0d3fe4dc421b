/** Making 4,500 tasks, and scoring as many dialogues of 8 steps. */
import { field } from "../source/engine/text/json-record.ts";
import type { Json } from "../source/engine/types.ts";
import { offerName, offerOf } from "../suites/planningarena/data/catalogue.ts";
import { evaluate } from "../suites/planningarena/score/evaluate.ts";
import { chainsFolder, readChains } from "../suites/planningarena/data/generator/chains.ts";
import { generateTasks } from "../suites/planningarena/data/generator/generate.ts";
import type { Measurement } from "./measurement.ts";

const count = 4500;
const steps = 8;

/** Dialogues are the reference ones, cut or continued to 8 steps: what is timed is scoring, right or wrong. */
export async function bench(): Promise<readonly Measurement[]> {
  const chains = await readChains(chainsFolder());
  const start = performance.now();
  const { tasks, catalogue, profiles } = await generateTasks(chains, {
    count,
    seed: 7,
    report: () => {},
    signal: new AbortController().signal,
  });
  const generated = (performance.now() - start) / 1000;
  const people = new Map(profiles.map(({ id, profile }) => [id, profile]));
  const inputs = tasks.map((task) => ({
    task,
    gold: task.gold,
    offer: offerOf(catalogue, offerName(task.relation, task.scenario))!,
    profile: people.get(task.userId!) as Json,
    dialogue: eightSteps(task.reference),
  }));
  const from = performance.now();
  let checked = 0;
  for (const input of inputs) if (!evaluate(input).garbled) checked += 1;
  const scored = (performance.now() - from) / 1000;
  if (checked !== count) throw new Error(`Expected ${count} dialogues that can be read, got ${checked}`);
  return [
    { what: `${count} tasks generated and validated`, ours: generated, unit: "s" },
    { what: "generated", ours: count / generated, unit: "tasks/s" },
    { what: `${count} dialogues of ${steps} steps scored`, ours: scored, unit: "s" },
    { what: "scored", ours: count / scored, unit: "tasks/s" },
  ];
}

function eightSteps(reference: readonly Json[]): readonly Json[] {
  const records = reference.filter((record) => field(record, "OrderSteps") !== undefined);
  return Array.from({ length: steps }, (_, index) => records[index % records.length]!);
}
