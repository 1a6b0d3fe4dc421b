/** The published requests. The tables are taken in by building, in whatever folders and packing they come. */
import type { DataFile } from "../../../source/engine/suite.ts";

const SPACE = "https://huggingface.co/spaces/osunlp/TravelPlannerEnvironment/resolve/main/database";

export const dataFiles: readonly DataFile[] = [
  {
    path: "queries/train.jsonl",
    count: 45,
    of: "requests with human plans",
    optional: true,
    needed: "the train split, where there is no train.csv",
  },
  {
    path: "queries/validation_reconstructed.jsonl",
    count: 180,
    of: "requests",
    optional: true,
    needed: "the validation split",
  },
  {
    path: "queries/validation.jsonl",
    count: 180,
    of: "requests",
    optional: true,
    needed: "sole-planning on validation, where there is no validation.csv",
  },
  {
    path: "queries/test.jsonl",
    count: 1000,
    of: "requests",
    optional: true,
    needed: "submissions for the test split, where there is no test.csv",
  },
];

/** Where the full flights table is; it is taken in by building, not by copying. */
export const FULL_FLIGHTS_URL = `${SPACE}/flights/clean_Flights_2022.csv`;
