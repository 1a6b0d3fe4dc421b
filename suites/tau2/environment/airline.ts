/** tau2's airline: its database, and the agent's tools with all their peculiarities. */
import { calculate } from "./arithmetic.ts";
import { dictionaryOf, float, int, listOf, model, modelBy, oneOf, optional, text } from "./model.ts";
import type { BaseTables } from "./table.ts";
import { baseTables, TableWorld } from "./table-world.ts";
import { tool, type Tools } from "./toolkit.ts";
import {
  copied,
  type Dictionary,
  entriesOf,
  equal,
  fail,
  type Fields,
  Float,
  isList,
  isMapping,
  minus,
  numberOf,
  plus,
  refuse,
  shown,
  times,
  type Value,
} from "./value.ts";

const cabins = oneOf("business", "economy", "basic_economy");
const perCabin = dictionaryOf(int);
const payment = model({ payment_id: text, amount: int });
const passenger = model({ first_name: text, last_name: text, dob: text });
const flightInfo = model({ flight_number: text, date: text });
const bookedFlight = model({ flight_number: text, origin: text, destination: text, date: text, price: int });
const certificate = model({ source: oneOf("certificate"), id: text, amount: float });
const estimated = { estimated_departure_time_est: text, estimated_arrival_time_est: text };
const status = oneOf("available", "on time", "flying", "landed", "cancelled", "delayed");
const flight = model({
  flight_number: text,
  origin: text,
  destination: text,
  scheduled_departure_time_est: text,
  scheduled_arrival_time_est: text,
  dates: dictionaryOf(
    modelBy("status", {
      available: model({ status, available_seats: perCabin, prices: perCabin }),
      landed: model({ status, actual_departure_time_est: text, actual_arrival_time_est: text }),
      cancelled: model({ status }),
      delayed: model({ status, ...estimated }),
      flying: model({ status, actual_departure_time_est: text, estimated_arrival_time_est: text }),
      "on time": model({ status, ...estimated }),
    }),
  ),
});
const user = model({
  user_id: text,
  name: model({ first_name: text, last_name: text }),
  address: model({ address1: text, address2: optional(text), city: text, country: text, state: text, zip: text }),
  email: text,
  dob: text,
  payment_methods: dictionaryOf(
    modelBy("source", {
      credit_card: model({ source: text, id: text, brand: text, last_four: text }),
      gift_card: model({ source: text, id: text, amount: float }),
      certificate,
    }),
  ),
  saved_passengers: listOf(passenger),
  membership: oneOf("gold", "silver", "regular"),
  reservations: listOf(text),
});
const reservation = model({
  reservation_id: text,
  user_id: text,
  origin: text,
  destination: text,
  flight_type: oneOf("round_trip", "one_way"),
  cabin: cabins,
  flights: listOf(bookedFlight),
  passengers: listOf(passenger),
  payment_history: listOf(payment),
  created_at: text,
  total_baggages: int,
  nonfree_baggages: int,
  insurance: oneOf("yes", "no"),
  status: optional(oneOf("cancelled")),
});

type Day = Fields & {
  readonly status: string;
  readonly prices: Dictionary;
  readonly available_seats: Map<string, number>;
};
type Flight = Fields & {
  readonly origin: string;
  readonly destination: string;
  readonly flight_number: string;
  readonly scheduled_departure_time_est: string;
  readonly scheduled_arrival_time_est: string;
  readonly dates: ReadonlyMap<string, Day>;
};
type Method = Fields & { readonly source: string; amount: Float };
type User = Fields & { readonly payment_methods: Map<string, Method>; readonly reservations: string[] };
type Booked = Fields & { readonly flight_number: string; readonly date: string; readonly price: number };
type Payment = Fields & { readonly payment_id: string; readonly amount: number };
type Reservation = Fields & {
  readonly user_id: string;
  cabin: Value;
  flights: readonly Booked[];
  passengers: readonly Fields[];
  readonly payment_history: Payment[];
  total_baggages: Value;
  nonfree_baggages: Value;
  status: string | null;
};

/** Reads the database of a file. Throws `ToolFailure` for data that do not fit. */
export function readAirline(data: Value): BaseTables {
  const file = model({
    flights: dictionaryOf(flight),
    users: dictionaryOf(user),
    reservations: dictionaryOf(reservation),
  })(data);
  return baseTables(file);
}

const cities =
  "SFO San Francisco|JFK New York|LAX Los Angeles|ORD Chicago|DFW Dallas|DEN Denver|SEA Seattle|ATL Atlanta|MIA Miami|" +
  "BOS Boston|PHX Phoenix|IAH Houston|LAS Las Vegas|MCO Orlando|EWR Newark|CLT Charlotte|MSP Minneapolis|DTW Detroit|" +
  "PHL Philadelphia|LGA LaGuardia";
const airports = cities.split("|").map((line) => ({ iata: line.slice(0, 3), city: line.slice(4) }));
const now = "2024-05-15T15:00:00";
const newReservations = ["HATHAT", "HATHAU", "HATHAV"];
const newCertificates = [3221322, 3221323, 3221324];

export class Airline extends TableWorld {
  readonly agentTitle = "AirlineTools";
  readonly #flights = this.table<Flight>("flights");
  readonly #users = this.table<User>("users");
  readonly #reservations = this.table<Reservation>("reservations");

  readonly agentTools: Tools = {
    book_reservation: tool(
      "write",
      "user_id origin destination flight_type cabin flights passengers payment_methods total_baggages nonfree_baggages insurance",
      (values) => this.#book(values),
    ),
    calculate: tool("generic", "expression", ([expression]) => calculated(expression!)),
    cancel_reservation: tool("write", "reservation_id", ([id]) => this.#cancel(id!)),
    get_reservation_details: tool("read", "reservation_id", ([id]) => this.#reservation(id!)),
    get_user_details: tool("read", "user_id", ([id]) => this.#user(id!)),
    list_all_airports: tool("read", "", () => airports),
    search_direct_flight: tool("read", "origin destination date", ([origin, destination, date]) =>
      this.#search(date!, origin!, destination!),
    ),
    search_onestop_flight: tool("read", "origin destination date", ([origin, destination, date]) =>
      this.#searchOneStop(origin!, destination!, date!),
    ),
    send_certificate: tool("write", "user_id amount", ([id, amount]) => this.#sendCertificate(id!, amount!)),
    transfer_to_human_agents: tool("generic", "summary", () => "Transfer successful"),
    update_reservation_baggages: tool(
      "write",
      "reservation_id total_baggages nonfree_baggages payment_id",
      ([id, total, nonfree, paymentId]) => this.#updateBaggages(id!, total!, nonfree!, paymentId!),
    ),
    update_reservation_flights: tool(
      "write",
      "reservation_id cabin flights payment_id",
      ([id, cabin, flights, paymentId]) => this.#updateFlights(id!, cabin!, flights!, paymentId!),
    ),
    update_reservation_passengers: tool("write", "reservation_id passengers", ([id, passengers]) =>
      this.#updatePassengers(id!, passengers!),
    ),
    get_flight_status: tool("read", "flight_number date", ([number, date]) => this.#day(number!, date!).status),
  };

  #user(id: Value): User {
    return this.#users.get(id) ?? refuse(`User ${shown(id)} not found`);
  }

  #reservation(id: Value): Reservation {
    return this.#reservations.get(id) ?? refuse(`Reservation ${shown(id)} not found`);
  }

  #flight(number: Value): Flight {
    return this.#flights.get(number) ?? refuse(`Flight ${shown(number)} not found`);
  }

  #day(number: Value, date: Value): Day {
    const { dates } = this.#flight(number);
    return keyed(dates, date) ?? refuse(`Flight ${shown(number)} not found on date ${shown(date)}`);
  }

  /** Returns the day of a flight that can be booked by so many people. */
  #bookable(number: Value, date: Value, cabin: Value, people: number): Day {
    const day = this.#day(number, date);
    if (day.status !== "available") refuse(`Flight ${shown(number)} not available on date ${shown(date)}`);
    const seats = keyed(day.available_seats, cabin) ?? fail("KeyError");
    if (seats < people) refuse(`Not enough seats on flight ${shown(number)}`);
    return day;
  }

  #book(values: readonly Value[]): Value {
    const [userId, origin, destination, flightType, cabin] = values as readonly [Value, Value, Value, Value, Value];
    const flights = recordsIf(values[5]!, flightInfo);
    const passengers = recordsIf(values[6]!, passenger);
    const methods = recordsIf(values[7]!, payment);
    const [total, nonfree, insurance] = [values[8]!, values[9]!, values[10]!];
    const owner = this.#user(userId);
    const id =
      newReservations.find((each) => this.#reservations.get(each) === undefined) ?? refuse("Too many reservations");
    const made = reservation({
      reservation_id: id,
      user_id: userId,
      origin,
      destination,
      flight_type: flightType,
      cabin,
      flights: [],
      passengers: passengers ?? values[6]!,
      payment_history: methods ?? values[7]!,
      created_at: now,
      total_baggages: total,
      nonfree_baggages: nonfree,
      insurance,
    }) as Reservation;
    const people = made.passengers.length;
    const booked: Booked[] = [];
    const taken: string[] = [];
    let price: number | Float = 0;
    for (const { flight_number: number, date } of flights ?? fail("object has no attribute 'flight_number'")) {
      const flown = this.#flight(number!);
      const day = this.#bookable(number!, date!, cabin, people);
      const own = day.prices.get(cabin as string) as number;
      booked.push(
        bookedFlight({
          flight_number: number!,
          origin: flown.origin,
          destination: flown.destination,
          date: date!,
          price: own,
        }) as Booked,
      );
      taken.push(`${number as string} ${date as string}`);
      price = plus(price, own * people);
    }
    if (equal(insurance, "yes")) price = plus(price, 30 * people);
    price = plus(price, times(50, nonfree));
    this.#checkPayments(owner, made.payment_history, price);
    this.#charge(userId as string, made.payment_history);
    for (const leg of taken) {
      const [number, date] = leg.split(" ") as [string, string];
      const { available_seats: seats } = this.#flights.edit(number).dates.get(date)!;
      seats.set(cabin as string, seats.get(cabin as string)! - people);
    }
    made.flights = booked;
    this.#reservations.add(id, made);
    this.#users.edit(userId as string).reservations.push(id);
    return made;
  }

  #checkPayments({ payment_methods: methods }: User, payments: readonly Payment[], price: Value): void {
    for (const { payment_id: id, amount } of payments) {
      const method = methods.get(id) ?? refuse(`Payment method ${id} not found`);
      if (method.source !== "credit_card" && method.amount.value < amount)
        refuse(`Not enough balance in payment method ${id}`);
    }
    const paid = payments.reduce((sum, { amount }) => sum + amount, 0);
    if (paid !== numberOf(price))
      refuse(`Payment amount does not add up, total price is ${shown(price)}, but paid ${paid}`);
  }

  #charge(userId: string, payments: readonly Payment[]): void {
    const { payment_methods: methods } = this.#users.edit(userId);
    for (const { payment_id: id, amount } of payments) {
      // A certificate that is named twice is gone when it is charged again.
      const method = methods.get(id) ?? fail("KeyError");
      if (method.source === "gift_card") method.amount = new Float(method.amount.value - amount);
      if (method.source === "certificate") methods.delete(id);
    }
  }

  #cancel(id: Value): Value {
    this.#reservation(id);
    const own = this.#reservations.edit(id as string);
    // The sign of a zero is a float's alone.
    own.payment_history.push(...own.payment_history.map((each) => ({ ...each, amount: 0 - each.amount })));
    own.status = "cancelled";
    return own;
  }

  #search(date: Value, origin: Value | undefined, destination: Value | undefined, after?: string): Fields[] {
    const found: Fields[] = [];
    for (const each of this.#flights.values()) {
      if (origin !== undefined && origin !== null && !equal(each.origin, origin)) continue;
      if (destination !== undefined && destination !== null && !equal(each.destination, destination)) continue;
      const day = keyed(each.dates, date);
      if (day?.status !== "available") continue;
      if (after !== undefined && each.scheduled_departure_time_est < after) continue;
      found.push({
        flight_number: each.flight_number,
        origin: each.origin,
        destination: each.destination,
        status: "available",
        scheduled_departure_time_est: each.scheduled_departure_time_est,
        scheduled_arrival_time_est: each.scheduled_arrival_time_est,
        date: null,
        available_seats: day.available_seats,
        prices: day.prices,
      });
    }
    return found;
  }

  /**
   * Searches for the second leg of a night flight in May, whatever the month, on a day without padding, as the official tool
   * does.
   */
  #searchOneStop(origin: Value, destination: Value, date: Value): Value {
    return this.#search(date, origin, undefined).flatMap((first) => {
      const arrival = first["scheduled_arrival_time_est"] as string;
      const next = arrival.includes("+1") ? `2024-05-${Number((date as string).slice(-2)) + 1}` : date;
      return this.#search(next, first["destination"]!, destination, arrival).map((second) => [
        { ...first, date },
        { ...second, date: next },
      ]);
    });
  }

  #sendCertificate(userId: Value, amount: Value): Value {
    const { payment_methods: methods } = this.#user(userId);
    const id = newCertificates.map((number) => `certificate_${number}`).find((each) => !methods.has(each));
    if (id === undefined) refuse("Too many certificates");
    const made = certificate({ source: "certificate", id: id!, amount }) as Method;
    this.#users.edit(userId as string).payment_methods.set(id!, made);
    return `Certificate ${id!} added to user ${shown(userId)} with amount ${shown(amount)}.`;
  }

  /** Charges a change of a reservation; undefined if it is free. */
  #pay(userId: string, id: Value, price: Value): Payment | undefined {
    const method = keyed(this.#user(userId).payment_methods, id) ?? refuse("Payment method not found");
    if (method.source === "certificate") refuse("Certificate cannot be used to update reservation");
    if (method.source === "gift_card") {
      if (method.amount.value < numberOf(price)) refuse("Gift card balance is not enough");
      const own = this.#users.edit(userId).payment_methods.get(id as string)!;
      own.amount = new Float(own.amount.value - numberOf(price));
    }
    return numberOf(price) === 0 ? undefined : (payment({ payment_id: id, amount: price }) as Payment);
  }

  #updateBaggages(id: Value, total: Value, nonfree: Value, paymentId: Value): Value {
    const { user_id: userId, nonfree_baggages: before } = this.#reservation(id);
    this.#user(userId);
    const more = minus(nonfree, before);
    const paid = this.#pay(userId, paymentId, times(50, numberOf(more) > 0 ? more : 0));
    const own = this.#reservations.edit(id as string);
    if (paid !== undefined) own.payment_history.push(paid);
    own.total_baggages = total;
    own.nonfree_baggages = nonfree;
    return own;
  }

  /** Updates flights without taking or freeing seats; a leg that stays keeps its price. */
  #updateFlights(id: Value, cabin: Value, given: Value, paymentId: Value): Value {
    const legs = recordsIf(given, flightInfo);
    const before = this.#reservation(id);
    this.#user(before.user_id);
    const people = iterated(before.passengers).length;
    const flights: Booked[] = [];
    let price = 0;
    for (const { flight_number: number, date } of legs ?? fail("object has no attribute 'flight_number'")) {
      const kept = equal(cabin, before.cabin)
        ? before.flights.find((each) => each.flight_number === number && each.date === date)
        : undefined;
      if (kept === undefined) {
        const flown = this.#flight(number!);
        const day = this.#bookable(number!, date!, cabin, people);
        const own = day.prices.get(cabin as string) as number;
        const made = {
          flight_number: number!,
          origin: flown.origin,
          destination: flown.destination,
          date: date!,
          price: own,
        };
        flights.push(bookedFlight(made) as Booked);
      } else flights.push(kept);
      price += flights.at(-1)!.price * people;
    }
    price -= before.flights.reduce((sum, each) => sum + each.price, 0) * people;
    const paid = this.#pay(before.user_id, paymentId, price);
    const own = this.#reservations.edit(id as string);
    if (paid !== undefined) own.payment_history.push(paid);
    own.flights = copied(flights);
    own.cabin = cabin;
    return own;
  }

  #updatePassengers(id: Value, given: Value): Value {
    const passengers = recordsIf(given, passenger) ?? copied(given);
    const { passengers: before } = this.#reservation(id);
    if (iterated(passengers).length !== iterated(before).length) refuse("Number of passengers does not match");
    const own = this.#reservations.edit(id as string);
    own.passengers = passengers as unknown as readonly Fields[];
    return own;
  }
}

/** Returns the entry of a key, which has to be hashable. */
export function keyed<Item>(entries: ReadonlyMap<string, Item>, key: Value): Item | undefined {
  if (typeof key === "object" && key !== null && !(key instanceof Float)) fail("unhashable type");
  return typeof key === "string" ? entries.get(key) : undefined;
}

/** Returns what a loop of Python over a value visits. */
export function iterated(value: Value): readonly Value[] {
  if (isList(value)) return value;
  if (typeof value === "string") return [...value];
  if (isMapping(value)) return entriesOf(value).map(([key]) => key);
  return fail(`'${shown(value)}' object is not iterable`);
}

/**
 * Returns the items as records if all of them are mappings; otherwise continues with the given value, as the official tool does.
 */
function recordsIf(value: Value, record: (value: Value) => Fields): readonly Fields[] | undefined {
  const items = iterated(value);
  return items.every(isMapping) ? items.map(record) : undefined;
}

/** The tool `calculate` of a value that need not be a text. */
export function calculated(expression: Value): string {
  if (typeof expression === "string") return calculate(expression);
  for (const part of iterated(expression)) {
    if (typeof part !== "string") fail("'in <string>' requires string as left operand");
    if (!"0123456789+-*/(). ".includes(part as string)) refuse("Invalid characters in expression");
  }
  return fail("eval() arg 1 must be a string, bytes or code object");
}
