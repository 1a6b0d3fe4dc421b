/** What the sample and the published files of this suite were in version 0.1.0, as `Benchmark.data.known` says. */
export const knownData = {
  sample: "cafa1a1b6411f3ea",
  files: {
    "queries/train.jsonl": "9655fe44b3688dd8",
    "queries/validation_reconstructed.jsonl": "3492864b530a3fe3",
  },
} as const;
