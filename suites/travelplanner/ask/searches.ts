/** What the six search tools answer, to the letter as the published ones. */
import type { PrintedColumn } from "./printed-table.ts";
import { pythonReprOfJson } from "../../../source/engine/python/text.ts";
import { printedTable } from "./printed-table.ts";
import type { Attraction, Flight, Lodging, Restaurant, Sandbox } from "../data/sandbox.ts";
import { costOf } from "../data/sandbox.ts";
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
  const found = sandbox.flightsOn(origin, destination, date);
  return found.length === 0
    ? `There is no flight from ${origin} to ${destination} on ${date}.`
    : tableOf(FLIGHTS, found);
}

export function searchLodgings(sandbox: Sandbox, city: string): string {
  const found = sandbox.lodgingsIn(city);
  // The published tool speaks of attractions here, too.
  return found.length === 0 ? "There is no attraction in this city." : tableOf(LODGINGS, found);
}

export function searchRestaurants(sandbox: Sandbox, city: string): string {
  const found = sandbox.restaurantsIn(city);
  return found.length === 0 ? "There is no restaurant in this city." : tableOf(RESTAURANTS, found);
}

export function searchAttractions(sandbox: Sandbox, city: string): string {
  const found = sandbox.attractionsIn(city);
  return found.length === 0 ? "There is no attraction in this city." : tableOf(ATTRACTIONS, found);
}

/** The cities of a state as Python prints a list; a state without cities is answered, not refused. */
export function searchCities(sandbox: Sandbox, state: string): string {
  const found = sandbox.citiesIn(state);
  return found.length === 0 ? "Invalid State" : pythonReprOfJson(found);
}

/** Duration, distance and cost of driving; modes but driving and `taxi` have no cost. */
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
  rows: readonly Row[],
): string {
  return printedTable(
    columns,
    rows.map((row) => columns.map(({ of }) => row[of]!)),
  );
}
