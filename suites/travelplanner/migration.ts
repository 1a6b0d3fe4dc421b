import { LARGE_TABLES } from "./data/tables.ts";

/** Hashes of the published tables, unpacked; for the flights, only of the available extracts, which are small enough to copy. */
const tables = {
  "citySet.txt": "5e80edac9ccacec6",
  "citySet_with_states.txt": "a3d18b5c692857cd",
  "clean_accommodations_2022.csv": "7e70cc8cb573e824",
  "clean_restaurant_2022.csv": "a38ef00a3398b1ef",
  "attractions.csv": "8007fa851ba5b3ad",
  "distance.csv": "44726ca74a335fd2",
  "flights_march.csv": "833b5f5dded86f38",
  "flights_april_prefix.csv": "2af9f6be0dae2337",
} as const;

/** Hashes of the sample and the published files in version 0.1.0. Runs on these data have no data set in their ids. */
export const knownData = {
  sample: "cafa1a1b6411f3ea",
  files: {
    "queries/train.jsonl": "9655fe44b3688dd8",
    "queries/validation_reconstructed.jsonl": "3492864b530a3fe3",
    ...Object.fromEntries(
      Object.entries(tables).flatMap(([name, hash]) =>
        ["", ".gz"].map((packed) => [`database/${name}${packed}`, hash]),
      ),
    ),
    // Written only if the tables are not the published ones.
    [`database/${LARGE_TABLES}`]: "",
  },
} as const;
