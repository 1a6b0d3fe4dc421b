import { expect, it } from "vitest";
import type { Lodging, Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import { COMMONSENSE } from "../../../suites/travelplanner/score/commonsense.ts";
import { ForeignDay, type Query } from "../../../suites/travelplanner/score/plan.ts";

const query = { org: "Home", dest: "State", days: 3, visiting_city_number: 2 } as Query;
const none = { transportation: "-", breakfast: "-", attraction: "-", lunch: "-", dinner: "-", accommodation: "-" };
const daysOf = (days: readonly Record<string, string>[]) => days.map((day, index) => new ForeignDay(index + 1, day));

/** Three days of travel with eight of the 18 values, the fewest that the other rules of the check allow. */
const sparse = [
  { ...none, current_city: "from Home to One", transportation: "Taxi", accommodation: "Inn, One" },
  { ...none, current_city: "from One to Two", transportation: "Taxi", accommodation: "Inn, Two" },
  { ...none, current_city: "from Two to Home", transportation: "Taxi" },
];

it("a plan with exactly half of the information is accepted, as by the official program", () => {
  const check = (days: readonly Record<string, string>[]) =>
    COMMONSENSE["is_not_absent"]!(query, daysOf(days), {} as Sandbox);
  const half = sparse.with(0, { ...sparse[0]!, dinner: "Cafe, One" });
  expect(check(half)).toEqual({ kept: true });
  expect(check(sparse)).toEqual({ kept: false, message: "The absent information is more than 50%." });
});

it("only days of travel need transport, and all days but the last need a lodging", () => {
  const check = (day: number, change: Record<string, string>) =>
    COMMONSENSE["is_not_absent"]!(query, daysOf(sparse.with(day, { ...sparse[day]!, ...change })), {} as Sandbox);
  expect(check(1, { transportation: "-" })).toMatchObject({ message: "No transportation in day 2 is not allowed." });
  const towards = { ...sparse[1]!, current_city: "to Two", attraction: "Park, Two" };
  const toward = (transportation: string) =>
    COMMONSENSE["is_not_absent"]!(
      { ...query, visiting_city_number: 3 },
      daysOf(sparse.with(1, { ...towards, transportation })),
      {} as Sandbox,
    );
  expect(toward("-")).toMatchObject({ message: "No transportation in day 2 is not allowed." });
  expect(toward("Taxi")).toMatchObject({ message: "No meal in day 2 is not allowed." });
  // On the way to a city no attraction is needed.
  const going = sparse.with(1, { ...sparse[1]!, current_city: "go to Two", transportation: "Taxi", attraction: "-" });
  expect(
    COMMONSENSE["is_not_absent"]!({ ...query, visiting_city_number: 3 }, daysOf(going), {} as Sandbox),
  ).toMatchObject({ message: "No meal in day 2 is not allowed." });
  expect(check(1, { accommodation: "-" })).toMatchObject({ message: "No accommodation in day 2 is not allowed." });
});

it("the minimum of nights is not applied if two lodgings of the city have the name", () => {
  const lodging = (name: string, nights: number) => ({ name, nights }) as Lodging;
  const nights = (...rows: readonly Lodging[]) =>
    COMMONSENSE["is_valid_accommodation"]!(
      query,
      daysOf(sparse.map((day) => ({ ...day, accommodation: "Inn, One" }))),
      { lodgingsIn: (city) => (city === "One" ? rows : []) } as Sandbox,
    );
  expect(nights(lodging("Inn", 4))).toMatchObject({ kept: false, day: 0 });
  expect(nights(lodging("Inn", 3))).toEqual({ kept: true });
  expect(nights(lodging("Inn", 4), lodging("Inn", 4))).toEqual({ kept: true });
  expect(nights(lodging("Inn", 4), lodging("New Inn", 1))).toEqual({ kept: true });
});
