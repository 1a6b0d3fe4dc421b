/** The closed world of a trip: everything a plan may name, found by indexed, parameterized queries. */
import type { DatabaseSync } from "node:sqlite";
import { FLIGHTS_IN_ALL, TABLES, type Table } from "./tables.ts";
import { cut } from "../score/text.ts";
import type { DataKind } from "../../../source/engine/types.ts";

/** A row of a table as read back: its columns by name. */
type RowOf<Name extends Table["name"]> = {
  readonly [Each in ColumnOf<Name> as Each["name"]]: Each["kind"] extends "number" ? number : string;
};
type ColumnOf<Name> = Extract<(typeof TABLES)[number], { readonly name: Name }>["columns"][number];

export type Lodging = RowOf<"lodgings">;
export type Restaurant = {
  /** Zero-based row number in the file. */
  readonly row: number;
  readonly name: string;
  readonly cost: number;
  readonly cuisines: string;
  readonly rating: number;
  readonly city: string;
};
export type Attraction = RowOf<"attractions">;
export type Flight = RowOf<"flights">;
/** A pair of cities in the distance table; both texts are empty if the table has no data for it. */
export type Drive = Pick<RowOf<"distances">, "duration" | "distance">;

export type Sandbox = {
  /** Cities in file order with their states; for a duplicate name the later state counts. */
  readonly states: ReadonlyMap<string, string>;
  /** Cities the tools accept as arguments, in file order. */
  readonly accepted: readonly string[];
  citiesIn(state: string): readonly string[];
  lodgingsIn(city: string): readonly Lodging[];
  restaurantsIn(city: string): readonly Restaurant[];
  attractionsIn(city: string): readonly Attraction[];
  flightNumbered(number: string): Flight | undefined;
  flightsOn(origin: string, destination: string, date: string): readonly Flight[];
  /** Returns the first row for this pair, without bracketed suffixes. */
  driveBetween(origin: string, destination: string): Drive | undefined;
  readonly flights: number;
  readonly flightsComplete: boolean;
  close(): void;
};

const FLIGHT = `SELECT number, price, d.word departs, a.word arrives, e.word elapsed, f.word date,
  o.word origin, t.word destination, distance
  FROM flights JOIN words d ON d.id = departs JOIN words a ON a.id = arrives JOIN words e ON e.id = elapsed
  JOIN words f ON f.id = date JOIN words o ON o.id = origin JOIN words t ON t.id = destination`;
const WORD = "(SELECT id FROM words WHERE word = ?)";

/** Queries a database from `build.ts`. The sample's few flights are complete; the published table has a known size. */
export function sandboxOf(database: DatabaseSync, data: DataKind): Sandbox {
  const rows = database.prepare("SELECT city, state FROM cities ORDER BY rowid").all() as {
    city: string;
    state: string;
  }[];
  const accepted = database.prepare("SELECT city FROM accepted ORDER BY rowid").all() as { city: string }[];
  const count = database.prepare("SELECT value FROM facts WHERE name = 'flights'").get() as { value: string };
  const numbered = database.prepare(`${FLIGHT} WHERE number = ? ORDER BY flights.rowid LIMIT 1`);
  const onDay = database.prepare(
    `${FLIGHT} WHERE origin = ${WORD} AND destination = ${WORD} AND date = ${WORD} ORDER BY flights.rowid`,
  );
  const drive = database.prepare(
    "SELECT duration, distance FROM distances WHERE origin = ? AND destination = ? ORDER BY rowid LIMIT 1",
  );
  const flights = Number(count.value);
  return {
    states: new Map(rows.map(({ city, state }) => [city, state])),
    accepted: accepted.map(({ city }) => city),
    citiesIn: (state) => rows.filter((row) => row.state === state).map(({ city }) => city),
    lodgingsIn: byCity<Lodging>(database, "lodgings"),
    restaurantsIn: byCity<Restaurant>(database, "restaurants"),
    attractionsIn: byCity<Attraction>(database, "attractions"),
    flightNumbered: remembered((number) => numbered.get(number) as Flight | undefined),
    flightsOn: (origin, destination, date) => onDay.all(origin, destination, date) as Flight[],
    driveBetween: (origin, destination) => drive.get(cut(origin), cut(destination)) as Drive | undefined,
    flights,
    flightsComplete: data !== "published" || flights === FLIGHTS_IN_ALL,
    close: () => database.close(),
  };
}

function byCity<Row>(database: DatabaseSync, table: string): (city: string) => readonly Row[] {
  const select = database.prepare(`SELECT rowid - 1 AS row, * FROM ${table} WHERE city = ? ORDER BY rowid`);
  return remembered((city) => select.all(city) as Row[]);
}

/** Caches found rows. Unknown names are not cached, so that a model's inventions cannot fill the memory. */
function remembered<Found>(look: (key: string) => Found): (key: string) => Found {
  const known = new Map<string, Found>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = look(key);
    if (known.size < 10_000 && found !== undefined && !(Array.isArray(found) && found.length === 0))
      known.set(key, found);
    return found;
  };
}

/** Returns the first row whose name contains `name`; all rows belong to one city. */
export const named = <Row extends { readonly name: string }>(rows: readonly Row[], name: string): Row | undefined =>
  rows.find((row) => row.name.includes(name));

/** The means of driving, and the number of people per car. */
export const CARS = [
  ["self-driving", 5],
  ["taxi", 4],
] as const;

/** Returns whole dollars for one car between two cities; undefined if the cost is unknown or the drive takes days. */
export function drivingCost(
  sandbox: Sandbox,
  origin: string,
  destination: string,
  mode: "self-driving" | "taxi",
): number | undefined {
  const drive = sandbox.driveBetween(origin, destination);
  return drive === undefined ? undefined : costOf(drive, mode);
}

/** Returns the cost of a drive that was looked up already. */
export function costOf({ duration, distance }: Drive, mode: "self-driving" | "taxi"): number | undefined {
  if (duration === "" || distance === "" || duration.includes("day")) return undefined;
  const kilometres = Number(distance.replaceAll("km", "").replaceAll(",", ""));
  return Math.trunc(mode === "taxi" ? kilometres : kilometres * 0.05);
}
