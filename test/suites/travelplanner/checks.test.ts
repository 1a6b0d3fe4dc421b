/** The checks of the official evaluator, each at its edges, in a country of four cities. */
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import { COMMONSENSE, flightNumber } from "../../../suites/travelplanner/score/commonsense.ts";
import { dayCost, HARD, totalCost } from "../../../suites/travelplanner/score/hard.ts";
import { ForeignDay, isTruthy, type Query, readDays } from "../../../suites/travelplanner/score/plan.ts";
import { attractionsOf, cut, fromTo, modeOf, nameCity } from "../../../suites/travelplanner/score/text.ts";
import type { Json } from "../../../source/engine/types.ts";

const nowhere: readonly never[] = [];
const sandbox = {
  states: new Map([
    ["Home", "Base"],
    ["One", "State"],
    ["Two", "State"],
    ["Far", "Other"],
  ]),
  lodgingsIn: (city: string) =>
    city === "One"
      ? [
          { name: "Inn", nights: 2, price: 100, occupancy: 2, rules: "No pets & No smoking", type: "Private room" },
          { name: "Hall", nights: 1, price: 10, occupancy: 4, rules: "", type: "Shared room" },
        ]
      : city === "Two"
        ? [{ name: "Loft", nights: 1, price: 60, occupancy: 1, rules: "", type: "Entire home/apt" }]
        : nowhere,
  restaurantsIn: (city: string) =>
    city === "One"
      ? [
          { name: "Cafe", cost: 10, cuisines: "French, Tea" },
          { name: "Diner", cost: 7, cuisines: "American" },
        ]
      : city === "Home"
        ? [{ name: "Grill", cost: 5, cuisines: "Mexican" }]
        : nowhere,
  attractionsIn: (city: string) => (city === "One" ? [{ name: "Park" }, { name: "Zoo" }] : nowhere),
  flightNumbered: (number: string) => (number === "F1" ? { origin: "Home", destination: "One", price: 80 } : undefined),
  driveBetween: (from: string, to: string) =>
    from === "Home" && to === "One"
      ? { duration: "2 hours", distance: "1,234 km" }
      : from === "One" && to === "Home"
        ? { duration: "1 day 2 hours", distance: "5 km" }
        : from === "One" && to === "Two"
          ? { duration: "", distance: "" }
          : undefined,
} as unknown as Sandbox;

const query = {
  org: "Home",
  dest: "State",
  days: 3,
  visiting_city_number: 1,
  people_number: 3,
  budget: 1000,
  local_constraint: { "house rule": null, cuisine: null, "room type": null, transportation: null },
} as unknown as Query;

type Fields = Readonly<Record<string, Json>>;
const none = { transportation: "-", breakfast: "-", attraction: "-", lunch: "-", dinner: "-", accommodation: "-" };
const daysOf = (days: readonly Fields[]) => days.map((day, index) => new ForeignDay(index + 1, { ...none, ...day }));
const cities = (...names: readonly string[]) => names.map((name): Fields => ({ current_city: name }));
const check =
  (name: string, of: Query = query) =>
  (...days: readonly Fields[]) =>
    COMMONSENSE[name]!(of, daysOf(days), sandbox);
const kept = { kept: true };

describe("the check of the route", () => {
  const route = (...names: readonly string[]) => check("is_reasonable_visiting_city")(...cities(...names));
  const long = (...names: readonly string[]) =>
    check("is_reasonable_visiting_city", { ...query, days: 5 })(...cities(...names));

  it("requires a closed route from the origin, without a repeated city", () => {
    expect(route("from Home to One", "One", "from One to Home")).toEqual(kept);
    expect(route("from One to Two", "Two", "from Two to One")).toEqual({
      kept: false,
      message: "The first day's city should be Home.",
      day: 0,
    });
    expect(route("from Home to One", "One", "from One to Two")).toEqual({
      kept: false,
      message: "The trip should be a closed circle.",
      day: 2,
    });
    const invalid = (day: number) => ({ kept: false, message: "The city sequence is invalid.", day });
    expect(route("from Home to One", "from Two to Home")).toEqual(invalid(0));
    expect(route("from Home to Home", "from Home to Home")).toEqual(kept);
    expect(route("Home", "Home")).toEqual(invalid(1));
    expect(route("Home", "One", "Home")).toEqual(invalid(1));
    expect(route("Home", "from Home to One", "Home")).toEqual(invalid(1));
    expect(long("from Home to One", "from One to Two", "from Two to One", "from One to Home")).toEqual(invalid(2));
    expect(long("from Home to One", "from One to Two", "from Two to Home")).toEqual(kept);
    // The origin counts as visited between the first and the last day.
    expect(long("from Home to One", "from One to Home", "from Home to Two", "from Two to Home")).toEqual(invalid(1));
    expect(() => route()).toThrow("Expected at least one day, got none");
    expect(() => route("from Home")).toThrow("Expected `from A to B`, got `from Home`");
    expect(() => route(`from${"x".repeat(90)}`)).toThrow(new RegExp(`got \`from${"x".repeat(76)}\`$`));
  });

  it("requires known cities, which must be in the state if the trip is longer than three days", () => {
    expect(route("from Home to Mars", "Mars", "from Mars to Home")).toEqual({
      kept: false,
      message: "Mars is not a valid city.",
      day: 0,
    });
    expect(route("from Home to Far", "Far", "from Far to Home")).toEqual(kept);
    const outside = { kept: false, message: "Far is not in State.", day: 0 };
    expect(long("from Home to Far", "Far", "from Far to Home")).toEqual(outside);
    const four = check("is_reasonable_visiting_city", { ...query, days: 4 });
    expect(four(...cities("from Home to Far", "Far", "from Far to Home"))).toEqual(outside);
    // The origin is outside the state at both ends.
    expect(long("from Home to One", "One", "from One to Home")).toEqual(kept);
  });
});

describe("the check of repeated places", () => {
  it("finds repeated restaurants, in the order of the meals", () => {
    const meals = check("is_valid_restaurants");
    expect(meals({ breakfast: "Cafe, One" }, { breakfast: "Diner, One" })).toEqual(kept);
    expect(meals({ breakfast: "Cafe, One", dinner: "Cafe, One" })).toEqual({
      kept: false,
      message: "The restaurant in day 1 dinner is repeated.",
      day: 0,
    });
    expect(meals({ breakfast: "Cafe, One" }, { lunch: "Cafe, One" })).toEqual({
      kept: false,
      message: "The restaurant in day 2 lunch Cafe, One is repeated.",
      day: 1,
    });
    expect(meals({ lunch: "" }, { lunch: "" }, { lunch: null })).toEqual(kept);
    expect(meals({ lunch: { a: 1 } }, { dinner: { a: 1 } })).toMatchObject({ kept: false, day: 1 });
  });

  it("finds repeated attractions, except a day's last attraction without a semicolon", () => {
    const attractions = check("is_valid_attractions");
    expect(attractions({ attraction: "Park, One;Zoo, One;" }, { attraction: "Park, One" })).toEqual(kept);
    expect(attractions({ attraction: "Park, One;" }, { attraction: "Park, One;" })).toEqual({
      kept: false,
      message: "The attraction 'Park, One' in day 2 is repeated.",
      day: 1,
    });
    expect(attractionsOf("a;b")).toEqual(["a"]);
    expect(attractionsOf("a;b;")).toEqual(["a", "b"]);
    expect(attractionsOf("-")).toEqual([]);
  });
});

describe("the check of lodgings", () => {
  it("requires the minimum number of consecutive nights", () => {
    const nights = check("is_valid_accommodation");
    const inn = { accommodation: "Inn, One" };
    expect(nights(inn, inn, { accommodation: "-" })).toEqual(kept);
    expect(nights({ accommodation: "Hall, One" }, inn, { accommodation: "" })).toEqual({
      kept: false,
      message: "The accommodation Inn, One do not obey the minumum nights rule.",
      day: 1,
    });
    expect(nights(inn, { accommodation: "Hall, One" }, inn)).toMatchObject({ kept: false, day: 0 });
    expect(nights({ accommodation: "Unknown, One" })).toEqual(kept);
    const missing = COMMONSENSE["is_valid_accommodation"]!(
      query,
      [new ForeignDay(1, inn), new ForeignDay(2, {})],
      sandbox,
    );
    expect(missing).toEqual({ kept: false, message: "No Accommodation Info.", day: 1 });
  });
});

describe("the check of transport", () => {
  const transport = (...texts: readonly Json[]) =>
    check("is_valid_transportation")(...texts.map((transportation) => ({ transportation })));

  it("requires transport on the first day, and forbids self-driving combined with flights or taxis", () => {
    expect(transport("Taxi", "Flight", "-")).toEqual(kept);
    expect(transport("Self-driving", "-", "Self-driving")).toEqual(kept);
    expect(transport("-", "Taxi")).toEqual({
      kept: false,
      message: "The transportation in day 1 should not be empty.",
      day: 0,
    });
    const conflict = (day: number) => ({ kept: false, message: "The transportation is conflicting.", day });
    expect(transport("Self-driving", "-", "Taxi")).toEqual(conflict(2));
    expect(transport("Flight", "Self-driving", "Flight")).toEqual(conflict(1));
    expect(() => transport("Self-driving", "Taxi", 7)).toThrow("Expected `transportation` of day 3 to be text");
    expect(() => transport()).toThrow("Expected at least one day, got none");
    expect(["a TAXI with self-driving", "Self-Driving flight", "flight", "train"].map(modeOf)).toEqual([
      "Taxi",
      "Self-driving",
      "Flight",
      undefined,
    ]);
  });
});

describe("the checks of a day's entries", () => {
  it("require cities on the day's route, and a lodging in the last city", () => {
    const within = check("is_valid_information_in_current_city");
    const day = { current_city: "from Home to One" };
    const wrong = (what: string, number = 1) => ({
      kept: false,
      message: `The ${what} in day ${number} is invalid city choice.`,
      day: number - 1,
    });
    expect(
      within({
        ...day,
        transportation: "Taxi, from Home to One",
        lunch: "Cafe, One",
        dinner: "Grill, Home",
        attraction: "Park, One;",
        accommodation: "Inn, One",
      }),
    ).toEqual(kept);
    expect(within({ ...day, transportation: "Taxi to One" })).toEqual(wrong("transportation"));
    expect(within({ ...day, dinner: "Cafe, Two" })).toEqual(wrong("dinner"));
    expect(within({ ...day, attraction: "Park, One;Zoo, Two;" })).toEqual(wrong("attraction"));
    expect(within({ ...day, accommodation: "Inn, Home" })).toEqual(wrong("accommodation"));
    // On a day in one place the official program takes each letter of its name for a city.
    expect(within(day, { current_city: "One", lunch: "n" })).toEqual(kept);
    expect(within(day, { current_city: "One", lunch: "xyz" })).toEqual(wrong("lunch", 2));
    expect(within({ current_city: "One", accommodation: "Hotel" })).toEqual(kept);
    expect(within({ current_city: "One", accommodation: "Inn" })).toEqual(wrong("accommodation"));
    expect(() => within({ current_city: "", accommodation: "Inn" })).toThrow("Expected a city on day 1, got none");
  });

  it("require entries that are in the data", () => {
    const known = check("is_valid_information_in_sandbox");
    const day = { current_city: "from Home to One" };
    const wrong = (what: string) => ({
      kept: false,
      message: `The ${what} in day 1 is invalid in the sandbox.`,
      day: 0,
    });
    const flight = (number: string, route = "from Home to One") => `Flight Number: ${number}, ${route}`;
    expect(known({ ...day, transportation: flight("F1"), lunch: "Cafe, One", attraction: "Zoo, One;" })).toEqual(kept);
    expect(known({ ...day, transportation: flight("F2") })).toEqual(wrong("flight number"));
    expect(known({ ...day, transportation: flight("F1", "from One to Home") })).toEqual(wrong("flight number"));
    expect(known({ ...day, transportation: flight("F1", "from Home to Two") })).toEqual(wrong("flight number"));
    // Without its own route a leg has that of its day.
    expect(known({ ...day, transportation: "Flight Number: F1, soon" })).toEqual(kept);
    expect(known({ ...day, transportation: "Self-driving" })).toEqual(kept);
    expect(known({ ...day, transportation: "Taxi, from Home to Two" })).toEqual(wrong("taxi"));
    expect(known({ ...day, transportation: "Self-driving, from One to Home" })).toEqual(wrong("self-driving"));
    expect(known({ current_city: "One", transportation: "taxi" })).toEqual(wrong("taxi"));
    expect(known({ ...day, transportation: "train" })).toEqual(kept);
    expect(known({ ...day, breakfast: "Grill, One" })).toEqual(wrong("breakfast"));
    expect(known({ ...day, attraction: "Park, One;Tower, One;" })).toEqual(wrong("attraction Tower, One"));
    expect(known({ ...day, accommodation: "Inn, Two" })).toEqual(wrong("accommodation"));
    expect(() => known({ current_city: "One", transportation: "Flight Number: F1" })).toThrow("in the flight of day 1");
    expect(() => flightNumber("flight number F1")).toThrow("Expected the spelling `Flight Number: `");
    expect(flightNumber("Flight Number: F1, from")).toBe("F1");
  });

  it("require every field, the requested days and cities, and at least half of the values", () => {
    const full = {
      transportation: "Taxi",
      breakfast: "a",
      attraction: "b;",
      lunch: "c",
      dinner: "d",
      accommodation: "e",
    };
    const days = [
      { ...full, current_city: "from Home to One" },
      { ...full, current_city: "One" },
      { ...full, current_city: "from One to Home" },
    ];
    const complete = (at: number, change: Fields, of: Query = query) =>
      COMMONSENSE["is_not_absent"]!(of, daysOf(days.with(at, { ...days[at]!, ...change } as never)), sandbox);
    expect(complete(0, {})).toEqual(kept);
    const missing = (what: string, day: number) => ({
      kept: false,
      message: `No ${what} in day ${day} is not allowed.`,
      day: day - 1,
    });
    expect(complete(0, { transportation: "" })).toEqual(missing("transportation", 1));
    expect(complete(1, { transportation: "-" })).toEqual(kept);
    expect(complete(1, { attraction: "-" })).toEqual(missing("attaction", 2));
    expect(complete(0, { attraction: "-" })).toEqual(kept);
    expect(complete(1, { accommodation: "" })).toEqual(missing("accommodation", 2));
    expect(complete(2, { accommodation: "-" })).toEqual(kept);
    expect(complete(1, { lunch: "-" })).toEqual(missing("meal", 2));
    expect(complete(0, { lunch: "-" })).toEqual(kept);
    expect(complete(0, {}, { ...query, visiting_city_number: 2 })).toEqual({
      kept: false,
      message: "Invalid City Number",
    });
    expect(complete(0, {}, { ...query, days: 4 })).toEqual({ kept: false, message: "Invalid Days" });
    const unplanned = "You don't need to fill in the information for this or later days.";
    expect(complete(1, { current_city: unplanned })).toEqual({ kept: false, message: "Invalid Days" });
    const short = daysOf(days).with(1, new ForeignDay(2, { current_city: "One" }));
    expect(COMMONSENSE["is_not_absent"]!(query, short, sandbox)).toEqual({
      kept: false,
      message: "No Transportation Info.",
      day: 1,
    });
  });
});

describe("a field that a day lacks", () => {
  const whole = { current_city: "from Home to One", ...none };
  const without = (field: string) =>
    new ForeignDay(1, Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field)));
  const raised = (compute: () => unknown) => {
    try {
      compute();
      return "";
    } catch (error) {
      return (error as { raised?: string }).raised;
    }
  };
  const wishes = {
    ...query,
    local_constraint: {
      "house rule": "pets",
      cuisine: ["Tea"],
      "room type": "private room",
      transportation: "no flight",
    },
  };
  const fields = Object.keys(none);

  it.each([
    ["is_valid_attractions", []],
    ["is_valid_restaurants", []],
    ["is_valid_transportation", ["transportation"]],
    ["is_valid_information_in_current_city", []],
    ["is_valid_information_in_sandbox", ["transportation"]],
  ])("raises a KeyError in the commonsense check %s only if it is one of %j", (name, needed) => {
    const keys = fields.filter(
      (field) => raised(() => COMMONSENSE[name]!(query, [without(field)], sandbox)) === "KeyError",
    );
    expect(keys).toEqual(needed);
    const later = fields.filter(
      (field) =>
        raised(() =>
          COMMONSENSE[name]!(
            query,
            [new ForeignDay(1, { ...whole, transportation: "Taxi, from Home to One" }), without(field)],
            sandbox,
          ),
        ) !== "",
    );
    expect(later).toEqual(name === "is_valid_information_in_sandbox" ? needed : []);
  });

  it.each([
    ["valid_cuisine", ["breakfast", "lunch", "dinner"]],
    ["valid_room_rule", ["accommodation"]],
    ["valid_room_type", ["accommodation"]],
    ["valid_transportation", ["transportation"]],
    ["valid_cost", ["transportation", "breakfast", "lunch", "dinner", "accommodation"]],
  ])("raises a KeyError in the hard check %s if it is one of %j", (name, needed) => {
    const keys = fields.filter(
      (field) => raised(() => HARD[name]!(wishes as never, [without(field)], sandbox)) === "KeyError",
    );
    expect(keys).toEqual(needed);
  });

  it("is reported at the first day that lacks it, if it is the lodging", () => {
    const days = [new ForeignDay(1, whole), without("accommodation"), without("accommodation")];
    expect(COMMONSENSE["is_valid_accommodation"]!(query, days, sandbox)).toMatchObject({ kept: false, day: 1 });
  });

  it("has the error of the official program, as has any other shape", () => {
    const day = new ForeignDay(1, { lunch: 5 });
    expect(raised(() => day.get("dinner"))).toBe("KeyError");
    expect(raised(() => day.text("lunch"))).toBe("TypeError");
    expect([{}, "x", null, 7].map((plan) => raised(() => readDays(plan as Json, 3)))).toEqual([
      "KeyError",
      "TypeError",
      "TypeError",
      "TypeError",
    ]);
  });
});

describe("the cost of a trip", () => {
  const cost = (fields: Fields, people = 3) => dayCost(people, daysOf([fields])[0]!, sandbox);
  const day = { current_city: "from Home to One" };

  it("counts cars by seats, flights and meals by people, and rooms by beds", () => {
    expect(cost({ ...day, transportation: "Flight Number: F1" })).toEqual({
      transport: 240,
      meals: 0,
      lodging: 0,
      total: 240,
    });
    expect([4, 5].map((people) => cost({ ...day, transportation: "Taxi" }, people).transport)).toEqual([1234, 2468]);
    expect([5, 6].map((people) => cost({ ...day, transportation: "Self-driving" }, people).transport)).toEqual([
      61, 122,
    ]);
    expect(cost({ ...day, breakfast: "Cafe, One", dinner: "Diner, One", lunch: "Grill, One" }).meals).toBe(51);
    expect([2, 3].map((people) => cost({ ...day, accommodation: "Inn, One" }, people).lodging)).toEqual([100, 200]);
    expect(cost({ ...day, accommodation: "Unknown, One", transportation: "train" }).total).toBe(0);
    expect(cost({ current_city: "One", transportation: "Taxi" }).transport).toBe(0);
    const all = { ...day, transportation: "Taxi", lunch: "Cafe, One", dinner: "Diner, One", accommodation: "Inn, One" };
    expect(cost(all)).toEqual({ transport: 1234, meals: 51, lodging: 200, total: 1485 });
    expect(cost({ ...day, transportation: "Flight Number: F9" }).transport).toBe(0);
    expect(() => cost({ ...day, transportation: "Taxi, from One to Two" })).toThrow("a known cost of taxi on day 1");
  });

  it("satisfies the budget if cost and budget are equal", () => {
    const days = daysOf([
      { ...day, accommodation: "Inn, One" },
      { current_city: "One", accommodation: "Hall, One" },
    ]);
    expect(totalCost(query, days, sandbox)).toBe(210);
    const withBudget = (budget: number) => HARD["valid_cost"]!({ ...query, budget }, days, sandbox);
    expect([210, 209].map(withBudget)).toEqual([{ kept: true }, { kept: false }]);
  });
});

describe("the check of a request's constraint", () => {
  const hard = (name: string, wish: object, ...days: readonly Fields[]) =>
    HARD[name]!(
      { ...query, local_constraint: { ...query.local_constraint, ...wish } },
      daysOf(days.map((each) => ({ current_city: "One", ...each }))),
      sandbox,
    );

  it("is undefined if the request does not contain the constraint", () => {
    for (const name of ["valid_cuisine", "valid_room_rule", "valid_transportation", "valid_room_type"])
      expect(hard(name, {})).toBeUndefined();
    expect(hard("valid_cuisine", { cuisine: [] })).toBeUndefined();
  });

  it("requires that no lodging violates a house rule", () => {
    const rule = (wanted: string, ...names: readonly string[]) =>
      hard("valid_room_rule", { "house rule": wanted }, ...names.map((accommodation) => ({ accommodation })));
    expect(rule("pets", "Hall, One", "Inn, One")).toEqual({
      kept: false,
      message: "The house rule should be pets.",
      day: 1,
    });
    expect([rule("parties", "Inn, One"), rule("pets", "Hall, One"), rule("pets", "-")]).toEqual([kept, kept, kept]);
    expect(rule("dragons", "Inn, One")).toEqual(kept);
  });

  it("requires the type of room in each lodging", () => {
    const type = (wanted: string) =>
      ["Inn, One", "Hall, One", "Loft, Two", "Unknown, One"].map(
        (accommodation) => hard("valid_room_type", { "room type": wanted }, { accommodation })!.kept,
      );
    expect(type("not shared room")).toEqual([true, false, true, true]);
    expect(type("shared room")).toEqual([false, true, false, true]);
    expect(type("private room")).toEqual([true, false, false, true]);
    expect(type("entire room")).toEqual([false, false, true, true]);
    expect(type("castle")).toEqual([true, true, true, true]);
    expect(
      hard(
        "valid_room_type",
        { "room type": "shared room" },
        { accommodation: "Hall, One" },
        { accommodation: "Inn, One" },
      ),
    ).toEqual({ kept: false, message: "The room type should be shared room.", day: 1 });
  });

  it("requires that the forbidden means of transport is not used", () => {
    const without = (transportation: string, ...texts: readonly string[]) =>
      hard("valid_transportation", { transportation }, ...texts.map((text) => ({ transportation: text })));
    expect(without("no flight", "Taxi", "Flight F1")).toEqual({
      kept: false,
      message: "The transportation should not be no flight.",
      day: 1,
    });
    expect(without("no self-driving", "Self-driving")).toMatchObject({ kept: false, day: 0 });
    expect(without("no self-driving", "Flight")).toEqual(kept);
    // Letters count, as in the official program.
    expect([without("no flight", "flight"), without("no walking", "Flight")]).toEqual([kept, kept]);
  });

  it("requires each cuisine once outside the origin city, and ignores a day after a meal in the origin city", () => {
    const eaten = (cuisine: readonly string[], ...days: readonly Fields[]) =>
      hard("valid_cuisine", { cuisine }, ...days);
    expect(eaten(["French", "American"], { lunch: "Cafe, One" }, { dinner: "Diner, One" })).toEqual(kept);
    expect(eaten(["French", "American"], { lunch: "Cafe, One" })).toEqual({
      kept: false,
      message: "The cuisine American is not satisfied.",
    });
    expect(eaten(["French", "American"], { lunch: "-" })!.message).toBe("The cuisine French is not satisfied.");
    expect(eaten(["Mexican"], { lunch: "Grill, Home" })!.kept).toBe(false);
    expect(eaten(["French"], { breakfast: "Grill, Home", dinner: "Cafe, One" })!.kept).toBe(false);
    expect(eaten(["French"], { breakfast: "Cafe, One", dinner: "Grill, Home" })).toEqual(kept);
  });
});

describe("texts of a plan", () => {
  it.each([
    ["a (b) c", "a "],
    ["a (b", "a (b"],
    ["a) (b", "a) (b"],
    ["a\n(b)", "a\n(b)"],
    ["(b)\nc", ""],
    ["", ""],
  ])("have brackets removed from %j", (text, left) => expect(cut(text)).toBe(left));

  it.each([
    ["Cafe, One", "Cafe", "One"],
    ["A, B, One (x)", "A, B", "One"],
    ["line\nCafe, One", "Cafe", "One"],
    ["Cafe", "-", "-"],
    ["Cafe,", "-", "-"],
    [", One", "", "One"],
  ])("are split into name and city: %j", (text, name, city) => expect(nameCity(text)).toEqual({ name, city }));

  it.each([
    ["from A to B, then", "A", "B"],
    ["from A B to C", "A B", "C"],
    ["from  A  to  B", "A", "B"],
    ["from A to B to C", "A", "B to C"],
    ["x from from A to B", "from A", "B"],
    ["fromA to B from C to D", "C", "D"],
    ["from A\nfrom B to C", "B", "C"],
  ])("contain a route in %j", (text, from, to) => expect(fromTo(text)).toEqual({ from, to }));

  it.each(["from A", "from to B", "A to B", "from A toB", "from A to"])("contain no route in %j", (text) =>
    expect(fromTo(text)).toBeUndefined(),
  );

  it("are read as fields, with the same errors as in the official program", () => {
    expect(readDays([{}, {}, {}], 2).map(({ number }) => number)).toEqual([1, 2]);
    expect(() => readDays("x", 1)).toThrow("Expected a list of days, got a string");
    expect(() => readDays({}, 1)).toThrow("Expected a list of days, got an object");
    expect(() => readDays(null, 1)).toThrow("got null");
    const day = new ForeignDay(2, { a: "", b: "-", c: "x", d: 7 });
    const filled = (field: string, optional = false) => day.filled(field as never, optional);
    expect([filled("a"), filled("b"), filled("c"), filled("e", true)]).toEqual([undefined, undefined, "x", undefined]);
    expect(() => filled("e")).toThrow("Expected `e` in day 2, found none");
    expect(() => filled("d")).toThrow("Expected `d` of day 2 to be text, got a number");
    expect([new ForeignDay(1, "x"), new ForeignDay(1, [])].map((each) => each.has("a"))).toEqual([false, false]);
    expect(() => new ForeignDay(1, 7).has("a")).toThrow("Expected day 1 to be an object, got a number");
    expect(() => new ForeignDay(1, []).get("a")).toThrow("Expected day 1 to be an object, got a list");
    expect([null, 0, "", [], {}, false].map(isTruthy)).toEqual([false, false, false, false, false, false]);
    expect([1, "a", [0], { a: 1 }, true].map(isTruthy)).toEqual([true, true, true, true, true]);
  });
});
