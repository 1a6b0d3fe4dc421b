/** Answers the six search tools exactly like the published tools, with tables as pandas prints them. */
import { pythonReprOfJson } from "../../../source/engine/python/text.ts";
import { type Attraction, type Flight, type Lodging, type Restaurant, type Sandbox, costOf } from "../data/sandbox.ts";
import { cut } from "../score/text.ts";

type Shown<Row> = PrintedColumn & { readonly of: keyof Row };

const text = <Row>(title: string, of: keyof Row): Shown<Row> => ({ title, of, kind: "text" });
const int = <Row>(title: string, of: keyof Row): Shown<Row> => ({ title, of, kind: "int" });
const float = <Row>(title: string, of: keyof Row): Shown<Row> => ({ title, of, kind: "float" });

const FLIGHTS: readonly Shown<Flight>[] = [
  text("Flight Number", "number"),
  int("Price", "price"),
  text("DepTime", "departs"),
  text("ArrTime", "arrives"),
  text("ActualElapsedTime", "elapsed"),
  text("FlightDate", "date"),
  text("OriginCityName", "origin"),
  text("DestCityName", "destination"),
  float("Distance", "distance"),
];
const LODGINGS: readonly Shown<Lodging>[] = [
  text("NAME", "name"),
  float("price", "price"),
  text("room type", "type"),
  text("house_rules", "rules"),
  float("minimum nights", "nights"),
  int("maximum occupancy", "occupancy"),
  float("review rate number", "score"),
  text("city", "city"),
];
const RESTAURANTS: readonly Shown<Restaurant>[] = [
  text("Name", "name"),
  int("Average Cost", "cost"),
  text("Cuisines", "cuisines"),
  float("Aggregate Rating", "rating"),
  text("City", "city"),
];
const ATTRACTIONS: readonly Shown<Attraction>[] = [
  text("Name", "name"),
  float("Latitude", "latitude"),
  float("Longitude", "longitude"),
  text("Address", "address"),
  text("Phone", "phone"),
  text("Website", "website"),
  text("City", "city"),
];

export function searchFlights(sandbox: Sandbox, origin: string, destination: string, date: string): string {
  const none = `There is no flight from ${origin} to ${destination} on ${date}.`;
  return tableOf(FLIGHTS, sandbox.flightsOn(origin, destination, date), none);
}

export function searchLodgings(sandbox: Sandbox, city: string): string {
  return tableOf(LODGINGS, sandbox.lodgingsIn(city), "There is no attraction in this city.");
}

export function searchRestaurants(sandbox: Sandbox, city: string): string {
  return tableOf(RESTAURANTS, sandbox.restaurantsIn(city), "There is no restaurant in this city.");
}

export function searchAttractions(sandbox: Sandbox, city: string): string {
  return tableOf(ATTRACTIONS, sandbox.attractionsIn(city), "There is no attraction in this city.");
}

/** Returns the cities of a state as Python prints a list; a state without cities gets an answer, not a refusal. */
export function searchCities(sandbox: Sandbox, state: string): string {
  const found = sandbox.citiesIn(state);
  return found.length === 0 ? "Invalid State" : pythonReprOfJson(found);
}

/** Returns duration, distance and cost of driving; modes other than driving and `taxi` have no cost. */
export function searchDistance(sandbox: Sandbox, origin: string, destination: string, mode: string): string {
  const leg = `${mode}, from ${cut(origin)} to ${cut(destination)}`;
  const drive = sandbox.driveBetween(origin, destination);
  if (drive === undefined) return `${leg}, no valid information.`;
  const { duration, distance } = drive;
  const driven = mode.includes("driving") ? "self-driving" : "taxi";
  const known = costOf(drive, driven);
  if (known === undefined) return "No valid information.";
  const cost = mode === "taxi" || driven === "self-driving" ? known : "None";
  return `${leg}, duration: ${duration}, distance: ${distance}, cost: ${cost}`;
}

function tableOf<Row extends Readonly<Record<string, string | number>>>(
  columns: readonly Shown<Row>[],
  found: readonly Row[],
  none: string,
): string {
  const rows = found.map((row) => columns.map(({ of }) => row[of]!));
  return found.length === 0 ? none : printedTable(columns, rows);
}

export type PrintedColumn = { readonly title: string; readonly kind: "text" | "int" | "float" };

/**
 * Prints a table like pandas without its index: right-aligned, one space between columns, a space before numeric
 * headers, and as many decimals per float column as its longest value needs (1 to 6). `index` puts row numbers first.
 */
export function printedTable(
  columns: readonly PrintedColumn[],
  rows: readonly (readonly (string | number)[])[],
  index?: readonly number[],
): string {
  const printed = columns.map(({ title, kind }, column) => {
    const cells = rows.map((row) => row[column]!);
    const header = kind === "text" || index !== undefined ? title : ` ${title}`;
    return rightAligned([header, ...(kind === "float" ? decimals(cells.map(Number)) : cells.map(oneLine))]);
  });
  if (index !== undefined) {
    const numbers = ["", ...index.map(String)];
    const width = Math.max(...numbers.map(({ length }) => length));
    printed.unshift(numbers.map((number) => number.padEnd(width)));
  }
  const gap = index === undefined ? " " : "  ";
  return Array.from({ length: rows.length + 1 }, (_, line) => printed.map((column) => column[line]!).join(gap)).join(
    "\n",
  );
}

function decimals(values: readonly number[]): readonly string[] {
  const texts = values.map((value) => value.toFixed(6));
  let zeros = 5;
  for (const text of texts) while (zeros > 0 && !text.endsWith("0".repeat(zeros))) zeros -= 1;
  return texts.map((text) => text.slice(0, text.length - zeros));
}

const oneLine = (cell: string | number): string =>
  String(cell).replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");

function rightAligned(cells: readonly string[]): readonly string[] {
  const widths = cells.map((cell) => [...cell].length);
  const width = Math.max(...widths);
  return cells.map((cell, index) => " ".repeat(width - widths[index]!) + cell);
}
