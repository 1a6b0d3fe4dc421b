/** The published files, as their publisher names them. */
import type { DataFile } from "../../source/engine/suite.ts";

const SPACE = "https://huggingface.co/spaces/osunlp/TravelPlannerEnvironment/resolve/main/database";

const table = (path: string, of: string): DataFile => ({ path: `database/${path}`, of });

export const dataFiles: readonly DataFile[] = [
  { path: "queries/train.jsonl", count: 45, of: "requests with human plans" },
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
    needed: "sole-planning on validation",
  },
  { path: "queries/test.jsonl", count: 1000, of: "requests", optional: true, needed: "submissions for the test split" },
  table("citySet_with_states.txt", "cities with states"),
  table("citySet.txt", "cities"),
  table("clean_accommodations_2022.csv.gz", "lodgings"),
  table("clean_restaurant_2022.csv.gz", "restaurants"),
  table("attractions.csv.gz", "attractions"),
  table("distance.csv.gz", "driving distances"),
  {
    ...table("flights_march.csv", "flights"),
    optional: true,
    needed: "flights in March, where the full table is missing",
  },
  {
    ...table("flights_april_prefix.csv.gz", "flights"),
    optional: true,
    needed: "flights in April, where the full table is missing",
  },
];

/** Where the full flights table is; it is taken in by building, not by copying. */
export const FULL_FLIGHTS_URL = `${SPACE}/flights/clean_Flights_2022.csv`;
