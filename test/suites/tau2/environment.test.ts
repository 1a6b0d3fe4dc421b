/** Values, arithmetic and conversations of tau2, without the published data. */
import { describe, expect, it } from "vitest";
import { Airline, readAirline } from "../../../suites/tau2/environment/airline.ts";
import { calculate } from "../../../suites/tau2/environment/arithmetic.ts";
import {
  Float,
  parseDictionary,
  parseValue,
  pythonJson,
  rounded,
  ToolFailure,
} from "../../../suites/tau2/environment/value.ts";
import { respond } from "../../../suites/tau2/environment/world.ts";
import { playedRecord, type Said } from "../../../suites/tau2/score/recorded-dialogue.ts";
import { faultOf } from "../../../suites/tau2/score/fault.ts";
import type { Tau2Task } from "../../../suites/tau2/score/task.ts";

const database = {
  flights: {
    HAT001: {
      flight_number: "HAT001",
      origin: "SFO",
      destination: "JFK",
      scheduled_departure_time_est: "06:00:00",
      scheduled_arrival_time_est: "12:00:00",
      dates: {
        "2024-05-20": {
          status: "available",
          available_seats: { economy: 3, business: 0 },
          prices: { economy: 120, business: 400 },
        },
        "2024-05-01": { status: "cancelled" },
      },
    },
  },
  users: {
    ada_lee_1: {
      user_id: "ada_lee_1",
      name: { first_name: "Ada", last_name: "Lee" },
      address: { address1: "1 Elm", address2: null, city: "Leeds", country: "USA", state: "AL", zip: "35094" },
      email: "ada@example.com",
      dob: "1990-01-01",
      payment_methods: { gift_card_1: { source: "gift_card", id: "gift_card_1", amount: 200 } },
      saved_passengers: [],
      membership: "gold",
      reservations: [],
    },
  },
  reservations: {},
};
const base = readAirline(parseDictionary(JSON.stringify(database)));
const booking = {
  user_id: "ada_lee_1",
  origin: "SFO",
  destination: "JFK",
  flight_type: "one_way",
  cabin: "economy",
  flights: [{ flight_number: "HAT001", date: "2024-05-20" }],
  passengers: [{ first_name: "Ada", last_name: "Lee", dob: "1990-01-01" }],
  payment_methods: [{ payment_id: "gift_card_1", amount: 120 }],
  total_baggages: 1,
  nonfree_baggages: 0,
  insurance: "no",
};

describe("values of tau2", () => {
  it("distinguish 2.0 from 2, and keep the order of keys that look like numbers", () => {
    expect(pythonJson(parseValue('{"a": 2.0, "b": 2, "c": "Zoë"}'))).toBe('{"a": 2.0, "b": 2, "c": "Zo\\u00eb"}');
    expect(pythonJson(parseDictionary('{"20": 1, "3": 2}'))).toBe('{"20": 1, "3": 2}');
  });

  it("round exact halves to the even digit, like Python", () => {
    expect([0.125, 0.375, 2.675, -0.125, 1e20].map(rounded)).toEqual([0.12, 0.38, 2.67, -0.12, 1e20]);
  });
});

describe("the tool calculate", () => {
  it.each([
    ["2 + 2", "4.0"],
    ["7//2", "3.0"],
    ["-7//2", "-4.0"],
    ["2**3**2", "512.0"],
    ["-2**2", "-4.0"],
    ["10-20/4*2", "0.0"],
    [".5+.5", "1.0"],
  ])("evaluates %s like Python", (expression, result) => expect(calculate(expression)).toBe(result));

  it.each(["", "007", "1 2", "(1+2", "1/0", "9**9**9", "((((".repeat(200), "1.2.3"])("rejects %j", (expression) =>
    expect(() => calculate(expression)).toThrow(ToolFailure),
  );
});

describe("the airline in tau2", () => {
  it("books a flight, removes a seat and charges the gift card, and only in this episode", () => {
    const [world, other] = [new Airline(base), new Airline(base)];
    const before = other.hash("official");
    const { failed, text } = respond(world, "assistant", "book_reservation", booking);
    expect({ failed, id: (JSON.parse(text) as { reservation_id: string }).reservation_id }).toEqual({
      failed: false,
      id: "HATHAT",
    });
    expect(respond(world, "assistant", "get_user_details", { user_id: "ada_lee_1" }).text).toContain('"amount": 80.0');
    expect(
      respond(world, "assistant", "search_direct_flight", { origin: "SFO", destination: "JFK", date: "2024-05-20" })
        .text,
    ).toContain('"economy": 2');
    expect([other.hash("official"), world.equals(other)]).toEqual([before, false]);
  });

  it.each([
    [{ ...booking, cabin: "business" }, "Error: Not enough seats on flight HAT001"],
    [{ ...booking, user_id: "bo_2" }, "Error: User bo_2 not found"],
    [
      { ...booking, nonfree_baggages: new Float(1) },
      "Error: Payment amount does not add up, total price is 170.0, but paid 120",
    ],
    [
      { ...booking, flights: [{ flight_number: "HAT001", date: "2024-05-01" }] },
      "Error: Flight HAT001 not available on date 2024-05-01",
    ],
  ])("rejects a booking with the official words", (given, words) => {
    const result = respond(new Airline(base), "assistant", "book_reservation", given);
    expect(result).toEqual({ text: words, failed: true, own: true });
  });

  it("has no tools or records with the names of properties of Object's prototype", () => {
    const world = new Airline(base);
    expect(respond(world, "assistant", "constructor", {}).text).toBe("Error: Tool 'constructor' not found.");
    expect(respond(world, "assistant", "get_user_details", { user_id: "__proto__" }).text).toBe(
      "Error: User __proto__ not found",
    );
    expect(respond(world, "user", "calculate", { expression: "1" }).text).toBe("Error: User tools not available");
  });
});

describe("a conversation in tau2", () => {
  const limits = { steps: 10, errors: 2 };
  const scripted = (model: readonly Said[], user: readonly Said[]) =>
    playedRecord("t", new Airline(base), { model, user }, { limits });

  it("ends if the user sends a stop word, but not if the agent sends it", async () => {
    const { end, steps } = await scripted([{ text: "###STOP###" }], [{ text: "Hello." }, { text: "Bye ###STOP###" }]);
    expect({ end, steps }).toEqual({ end: "user_stop", steps: 3 });
  });

  it("ends after too many failed calls, even if a stop word follows", async () => {
    const failing = { calls: [{ name: "no_such_tool", args: {} }] };
    const { end, errors } = await scripted([failing, failing], [{ text: "Hello." }]);
    expect({ end, errors }).toEqual({ end: "too_many_errors", errors: 2 });
  });

  it("is recorded with the hash of each result, except that of a check whose wording depends on the version", async () => {
    const calls = [
      { name: "no_such_tool", args: {} },
      { name: "get_user_details", args: { user_id: "nobody" } },
      { name: "calculate", args: { expression: "2 * 21" } },
    ];
    const { messages, requests, steps, errors } = await playedRecord(
      "t",
      new Airline(base),
      { model: [{ calls }, { text: "Done." }], user: [{ text: "Hello." }] },
      { limits: { steps: 10, errors: 9 } },
    );
    // The first 16 digits of SHA-256 in Python: of "Error: Tool 'no_such_tool' not found." and of "42.0".
    expect(messages).toEqual([
      { role: "assistant", text: "Hi! How can I help you today?" },
      { role: "user", text: "Hello." },
      { role: "assistant", text: null, calls: calls.map(({ name }) => name) },
      { role: "tool", to: "assistant", id: "call_0", error: true, sha: "9a2d4b359d95bb7e" },
      { role: "tool", to: "assistant", id: "call_1", error: true },
      { role: "tool", to: "assistant", id: "call_2", error: false, sha: "53519e43db90bd08" },
      { role: "assistant", text: "Done." },
      { role: "user", text: "###STOP###" },
    ]);
    // The same of [{"content":"Hi! How can I help you today?","role":"user"}], all that the user has heard.
    expect(requests[0]).toEqual({ side: "user", roles: "su", sha: "7ab94fd3f242bb0a", tools: 0 });
    expect(requests.map(({ side, roles }) => `${side} ${roles}`)).toEqual([
      "user su",
      "agent sau",
      "agent sauattt",
      "user suau",
    ]);
    expect({ steps, errors }).toEqual({ steps: 5, errors: 2 });
  });

  it("has no valid end after a reply with neither text nor calls", async () => {
    expect((await scripted([{ text: " " }], [{ text: "Hello." }])).end).toBeUndefined();
  });
});

it("a tau2 conversation reports the user's fault with the rule that found it", () => {
  const task = { criteria: { actions: [], assertions: [], communicate: [], basis: ["DB"] } } as unknown as Tau2Task;
  const turns = [
    { by: "user", text: "Hello." },
    { by: "assistant", text: "Hi." },
    { by: "user", text: "###TRANSFER###" },
  ] as const;
  const lost = { reward: 0, parts: { DB: 0 }, db: false };
  expect(faultOf(task, { turns, end: "user_stop", results: [] }, lost)).toEqual({
    by: "user",
    rule: "###TRANSFER### without a transfer",
  });
  expect(faultOf(task, { turns: turns.slice(0, 2), end: "max_steps", results: [] }, lost)).toEqual({
    by: "limit",
    rule: "max_steps",
  });
});
