/** The tables of the sandbox: their files, their columns, and which rows are dropped. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";

export type Column = {
  /** Name in the CSV header. */
  readonly header: string;
  /** Name in the database. */
  readonly name: string;
  /** `word` is a text stored once in a separate table, because flights repeat a few thousand texts millions of times. */
  readonly kind: "text" | "number" | "word";
};

export type Table = {
  readonly name: "lodgings" | "restaurants" | "attractions" | "distances" | "flights";
  /** File names without `.csv` and its packed forms; all existing files are read, in this order. */
  readonly files: readonly string[];
  readonly columns: readonly Column[];
  /** Drops rows with any empty cell, even in unused columns, like the official loader. */
  readonly dropsIncomplete: boolean;
  /** Rows kept of the complete published files (measured; for flights from the paper's Table A.2). */
  readonly published: number;
  /** Columns of each index. */
  readonly indexes: readonly (readonly string[])[];
};

const text = <Name extends string>(header: string, name: Name) => ({ header, name, kind: "text" }) as const;
const number = <Name extends string>(header: string, name: Name) => ({ header, name, kind: "number" }) as const;
const word = <Name extends string>(header: string, name: Name) => ({ header, name, kind: "word" }) as const;

const FULL_FLIGHTS = "clean_Flights_2022";
/** The file in which `data add` stores the hashes of tables that are too large to copy, unless the flights are complete. */
export const LARGE_TABLES = "large-tables.sha256";
/** Rows of the complete published flights table (paper, Table A.2). */
export const FLIGHTS_IN_ALL = 3_827_361;

export const TABLES = [
  {
    name: "lodgings",
    published: 4285,
    files: ["clean_accommodations_2022"],
    columns: [
      text("NAME", "name"),
      text("room type", "type"),
      number("price", "price"),
      number("minimum nights", "nights"),
      number("review rate number", "score"),
      text("house_rules", "rules"),
      number("maximum occupancy", "occupancy"),
      text("city", "city"),
    ],
    dropsIncomplete: true,
    indexes: [["city"]],
  },
  {
    name: "restaurants",
    published: 9551,
    files: ["clean_restaurant_2022"],
    columns: [
      text("Name", "name"),
      text("City", "city"),
      text("Cuisines", "cuisines"),
      number("Average Cost", "cost"),
      number("Aggregate Rating", "rating"),
    ],
    dropsIncomplete: true,
    indexes: [["city"]],
  },
  {
    name: "attractions",
    published: 5302,
    files: ["attractions"],
    columns: [
      text("Name", "name"),
      number("Latitude", "latitude"),
      number("Longitude", "longitude"),
      text("Address", "address"),
      text("Phone", "phone"),
      text("Website", "website"),
      text("City", "city"),
    ],
    dropsIncomplete: true,
    indexes: [["city"]],
  },
  {
    name: "distances",
    published: 17602,
    files: ["distance"],
    columns: [
      text("origin", "origin"),
      text("destination", "destination"),
      text("duration", "duration"),
      text("distance", "distance"),
    ],
    dropsIncomplete: false,
    indexes: [["origin", "destination"]],
  },
  {
    name: "flights",
    published: FLIGHTS_IN_ALL,
    files: [FULL_FLIGHTS, "flights_march", "flights_april_prefix"],
    columns: [
      text("Flight Number", "number"),
      number("Price", "price"),
      word("DepTime", "departs"),
      word("ArrTime", "arrives"),
      word("ActualElapsedTime", "elapsed"),
      word("FlightDate", "date"),
      word("OriginCityName", "origin"),
      word("DestCityName", "destination"),
      number("Distance", "distance"),
    ],
    dropsIncomplete: true,
    indexes: [["origin", "destination", "date"], ["number"]],
  },
] as const satisfies readonly Table[];

/** Finds the table's files in `folder` or its subfolders, such as `flights/`. Throws `DataProblem` if there are none. */
export function filesOf(table: Table, folder: string): readonly string[] {
  const folders = foldersIn(folder);
  const endings = [".csv", ".csv.gz", ".csv.zip", ".zip"];
  const found = table.files.flatMap((file) => {
    const paths = folders.flatMap((each) => endings.map((ending) => join(each, file + ending)));
    return paths.filter((path) => existsSync(path)).slice(0, 1);
  });
  if (found.length === 0) {
    throw new DataProblem(`Expected ${join(folder, `${table.files[0]}.csv`)} (or .csv.gz, .zip), found none`);
  }
  // The extracts are parts of the full table; beside it they would count twice.
  return found[0]!.includes(FULL_FLIGHTS) ? found.slice(0, 1) : found;
}

export const CITIES = "citySet_with_states.txt";
export const ACCEPTED_CITIES = "citySet.txt";

/** Finds a list of cities in `folder`; returns undefined if it is missing. */
export const cityFile = (folder: string, name: string): string | undefined =>
  foldersIn(folder)
    .map((each) => join(each, name))
    .find((path) => existsSync(path));

/** Returns the folder and its subfolders, because the publisher stores each table in a separate subfolder. */
function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...entries.map(({ name }) => join(folder, name)).toSorted()];
}
