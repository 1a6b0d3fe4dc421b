/** Accuracies of the paper on attributing failures (Zhang et al. 2025, arXiv 2505.00212, table 1): GPT-4o, in percent. */

export type PublishedAttribution = {
  readonly method: string;
  readonly set: string;
  /** `with` if the model was shown the right answer. */
  readonly answer: "with" | "without";
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

export const publishedAttributions: readonly PublishedAttribution[] = table.flatMap(
  ([method, answer, agent, step, craftedAgent, craftedStep]) => [
    { method, answer, set: "Algorithm-Generated", agent, step },
    { method, answer, set: "Hand-Crafted", agent: craftedAgent, step: craftedStep },
  ],
);
