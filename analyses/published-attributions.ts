/** Accuracies of the paper on attributing failures (Zhang et al. 2025, arXiv 2505.00212, tables 1 and 3): GPT-4o, in percent. */

export type PublishedAttribution = {
  readonly table: 1 | 3;
  readonly method: string;
  readonly set: string;
  /** `with` if the model was shown the right answer. */
  readonly answer: "with" | "without" | "";
  readonly agent: number;
  readonly step: number;
};

const table: readonly (readonly [string, PublishedAttribution["answer"], number, number, number, number])[] = [
  ["random", "with", 29.1, 19.06, 12, 4.16],
  ["all-at-once", "with", 54.33, 12.5, 55.17, 5.26],
  ["all-at-once", "without", 51.12, 13.53, 53.44, 3.51],
  ["step-by-step", "with", 35.2, 25.51, 34.48, 7.02],
  ["step-by-step", "without", 26.02, 15.31, 32.75, 8.77],
  ["binary-search", "with", 44.13, 23.98, 51.72, 6.9],
  ["binary-search", "without", 30.11, 16.59, 36.21, 6.9],
];

/** Table 3 does not mention the answer; its other methods are the methods of table 1, with other numbers. */
const hybrid = { method: "hybrid", answer: "", set: "Hand-Crafted", agent: 57.02, step: 12.28, table: 3 } as const;

export const publishedAttributions: readonly PublishedAttribution[] = [
  ...table.flatMap(([method, answer, agent, step, craftedAgent, craftedStep]) => [
    { method, answer, set: "Algorithm-Generated", agent, step, table: 1 as const },
    { method, answer, set: "Hand-Crafted", agent: craftedAgent, step: craftedStep, table: 1 as const },
  ]),
  hybrid,
];
