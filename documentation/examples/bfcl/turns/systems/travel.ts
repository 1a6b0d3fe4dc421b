/** TravelAPI: flights, cards and bookings. */
import {
  add,
  among,
  compare,
  dict,
  divide,
  float,
  getItem,
  int,
  iterate,
  multiply,
  str,
  subtract,
} from "../python/operations.ts";
import { roundFloat } from "../python/number.ts";
import { deepCopy, Dict, equal, fail, type Py, PyError, PySet, repr, text, Tuple } from "../python/value.ts";
import { readDate } from "./dates.ts";
import { error, type Method, record, type Setting, System } from "./system.ts";

const attributes = [
  "credit_card_list",
  "booking_record",
  "access_token",
  "token_type",
  "token_expires_in",
  "token_scope",
  "user_first_name",
  "user_last_name",
  "budget_limit",
];
const classes: Readonly<Record<string, bigint>> = { economy: 1n, business: 2n, first: 5n };
const ofAge = 18;

const failed = (status: string, message: string) => record({ [status]: false, error: message });

export class Travel extends System {
  readonly typeName = "TravelAPI";
  protected override readonly seed = 141_053n;

  constructor(setting: Setting) {
    super(setting);
    this.load(attributes);
    this.set("long_context", setting.isLong);
    if (!setting.isLong) return;
    this.#extend("credit_card_list", "CREDIT_CARD_EXTENSION");
    this.#extend("booking_record", "BOOKING_RECORD_EXTENSION");
  }

  /** Adds entries that the systems of a comparison share, so that what one changes in them is changed in the other. */
  #extend(name: string, from: string): void {
    const { shared, extensions } = this.setting;
    const entries = shared.get(from) ?? deepCopy(extensions.get(from) ?? new Dict());
    shared.set(from, entries);
    const own = dict(this.get(name), "items");
    for (const [key, value] of dict(entries, "items").entries()) if (!own.has(key)) own.set(key, value);
  }

  #cards(): Dict {
    return dict(this.get("credit_card_list"), "keys");
  }

  #bookings(): Dict {
    return dict(this.get("booking_record"), "keys");
  }

  /** Returns what is wrong with a token; undefined if it is the one that was given. */
  #refused(token: Py): string | undefined {
    if (equal(this.get("token_expires_in"), 0n)) return "Token expired";
    return equal(token, this.get("access_token")) ? undefined : "Invalid access token";
  }

  #secured(token: Py, run: () => Py): Py {
    const refused = this.#refused(token);
    return refused === undefined ? run() : error(refused);
  }

  #login(scope: Py, first: Py, last: Py): Py {
    const token = String(this.random.whole(100_000, 999_999));
    const set: Readonly<Record<string, Py>> = {
      token_expires_in: 2n,
      access_token: token,
      token_type: "Bearer",
      token_scope: scope,
      user_first_name: first,
      user_last_name: last,
    };
    for (const [name, value] of Object.entries(set)) this.set(name, value);
    return record({ expires_in: 2n, access_token: token, token_type: "Bearer", scope });
  }

  #register(token: Py, number: Py, expires: Py, name: Py, code: Py): Py {
    if (this.get("token_expires_in") === null) return error("Token not initialized");
    return this.#secured(token, () => {
      if (this.#cards().has(number)) return error("Card already registered");
      const id = String(this.random.whole(100_000_000_000, 999_999_999_999));
      const card = {
        card_number: number,
        expiration_date: expires,
        cardholder_name: name,
        card_verification_number: code,
        balance: this.random.whole(10_000, 99_999),
      };
      this.#cards().set(id, record(card));
      return record({ card_id: id });
    });
  }

  #routes(): Dict {
    const routes = this.setting.tables.get("base_costs");
    return routes instanceof Dict ? routes : new Dict();
  }

  /** Returns the cost of a flight, and of all others at that date in that class. */
  #costs(from: Py, to: Py, date: Py, travelClass: Py): { readonly cost: number; readonly all: Py[] } {
    const base = this.#routes().get(new Tuple([from, to]));
    if (base === undefined) return fail("ValueError", "No available route for the given airports.");
    const factor =
      typeof travelClass === "string" && Object.hasOwn(classes, travelClass) ? classes[travelClass]! : undefined;
    if (factor === undefined) return fail("ValueError", "Invalid travel class. Options are: economy, business, first.");
    let digits = 0n;
    for (const sign of iterate(date)) if (/^\d$/.test(str(sign, "isdigit"))) digits += int(sign);
    const costOf = (each: Py) => float(multiply(multiply(each, factor), digits % 2n === 0n ? 2n : 1n));
    return { cost: costOf(base), all: this.setting.isLong ? this.#routes().values().map(costOf) : [costOf(base)] };
  }

  #book(token: Py, card: Py, date: Py, from: Py, to: Py, travelClass: Py): Py {
    const refuse = (message: string) => failed("booking_status", message);
    const refused = this.#refused(token);
    if (refused !== undefined) return refuse(refused);
    if (!this.#cards().has(card)) return refuse("Card not registered");
    const paying = dict(this.#cards().at(card), "keys");
    if (!paying.has("balance")) return refuse("Balance not found");
    if (!among(from, this.#airports())) return refuse(`Invalid departure airport code: ${text(from)}`);
    if (!among(to, this.#airports())) return refuse(`Invalid destination airport code: ${text(to)}`);
    const isDate = guarded(() => readDate(date, "%Y-%m-%d"));
    if (typeof isDate === "string") return refuse("Invalid date format. Use YYYY-MM-DD.");
    const known = new PySet(Object.keys(classes));
    if (!among(travelClass, known)) return refuse(`Invalid travel class. Must be one of ${repr(known)}`);
    const costs = guarded(() => this.#costs(from, to, date, travelClass));
    if (typeof costs === "string") return refuse(costs);
    if (compare(paying.at("balance"), "<", costs.cost)) return refuse("Insufficient funds");
    const limit = this.get("budget_limit");
    if (limit !== null && compare(paying.at("balance"), "<", limit)) return refuse("Balance is less than budget limit");
    paying.set("balance", subtract(paying.at("balance"), costs.cost, "-="));
    const id = String(this.random.whole(1_000_000, 9_999_999));
    const transaction = String(this.random.whole(10_000_000, 99_999_999));
    this.#bookings().set(
      id,
      record({
        card_id: card,
        travel_date: date,
        travel_from: from,
        travel_to: to,
        travel_class: travelClass,
        travel_cost: costs.cost,
        transaction_id: transaction,
      }),
    );
    return record({
      booking_id: id,
      transaction_id: transaction,
      booking_status: true,
      booking_history: this.setting.isLong ? this.#bookings() : new Dict(),
    });
  }

  #invoice(id: Py): Py {
    if (!this.#bookings().has(id)) return error("Booking not found");
    const booking = this.#bookings().at(id);
    const names = ["travel_date", "travel_from", "travel_to", "travel_class", "travel_cost", "transaction_id"];
    const fields = Object.fromEntries(names.map((name) => [name, getItem(booking, name)]));
    return record({ invoice: record({ booking_id: id, ...fields }) });
  }

  #airports(): Py {
    return deepCopy(this.setting.tables.get("airports") ?? []);
  }

  #cancel(token: Py, id: Py): Py {
    const refused = this.#refused(token);
    if (refused !== undefined) return failed("cancel_status", refused);
    if (!this.#bookings().has(id)) return failed("cancel_status", "Booking not found");
    const booking = this.#bookings().at(id);
    const card = getItem(booking, "card_id");
    const cost = getItem(booking, "travel_cost");
    const paid = dict(this.#cards().at(card), "keys");
    paid.set("balance", add(paid.at("balance"), cost));
    this.#bookings().delete(id);
    return record({ cancel_status: true });
  }

  #exchange(from: Py, to: Py, value: Py): Py {
    const rates = this.setting.tables.get("exchange_rates");
    for (const [pair, rate] of rates instanceof Dict ? rates.entries() : []) {
      const [base, other] = [getItem(pair, 0n), getItem(pair, 1n)];
      if (equal(from, base) && equal(to, other)) return record({ exchanged_value: float(multiply(value, rate)) });
      if (equal(from, other) && equal(to, base)) return record({ exchanged_value: roundFloat(divide(value, rate), 2) });
    }
    return fail("ValueError", "No available exchange rate for the given currencies.");
  }

  #verify(first: Py, last: Py, born: Py, passport: Py): Py {
    const refuse = (message: string) => record({ verification_status: false, verification_failure: message });
    const [own, ownLast] = [this.get("user_first_name"), this.get("user_last_name")];
    if (!equal(own, first) || !equal(ownLast, last))
      return refuse(
        `Cannot book flight information for another user.Expected ${text(own)} ${text(ownLast)}, got ${text(first)} ${text(last)}`,
      );
    const birth = guarded(() => readDate(born, "%Y-%m-%d"));
    if (typeof birth === "string") return refuse("Invalid date of birth format. Please use YYYY-MM-DD.");
    const today = new Date();
    const isBefore =
      today.getMonth() + 1 < birth.month || (today.getMonth() + 1 === birth.month && today.getDate() < birth.day);
    if (today.getFullYear() - birth.year - (isBefore ? 1 : 0) < ofAge)
      return refuse("Traveler must be at least 18 years old.");
    if (!str(passport, "startswith").startsWith("US")) return refuse("Passport must be issued by the United States.");
    return record({ verification_status: true });
  }

  #limit(limit: Py): Py {
    this.set("budget_limit", float(limit));
    return record({ budget_limit: this.get("budget_limit") });
  }

  #insure(token: Py, booking: Py, cost: Py, card: Py): Py {
    const refuse = (message: string) => failed("insurance_status", message);
    const refused = this.#refused(token);
    if (refused !== undefined) return refuse(refused);
    const limit = this.get("budget_limit");
    if (limit !== null && compare(limit, "<", cost)) return refuse("Exceeded budget limit");
    if (!this.#bookings().has(booking)) return refuse("Booking not found");
    if (!this.#cards().has(card)) return refuse("Credit card not registered");
    const paying = dict(this.#cards().at(card), "keys");
    paying.set("balance", subtract(paying.at("balance"), cost, "-="));
    return record({ insurance_id: String(this.random.whole(100_000_000, 999_999_999)), insurance_status: true });
  }

  #nearest(city: Py): Py {
    const map = this.setting.tables.get("airport_map");
    return record({ nearest_airport: (map instanceof Dict ? map.get(city) : undefined) ?? "Unknown" });
  }

  #balance(card: Py): Py {
    if (this.#cards().has(card)) return record({ card_balance: getItem(this.#cards().at(card), "balance") });
    return error(`Card not registered. Here are a list of card_id's: ${repr(this.#cards().keys())}`);
  }

  protected readonly methods: Readonly<Record<string, Method>> = {
    authenticate_travel: {
      takes: "client_id client_secret refresh_token grant_type user_first_name user_last_name",
      run: (...[, , , scope = null, first = null, last = null]) => this.#login(scope, first, last),
    },
    travel_get_login_status: {
      takes: "",
      run: () => {
        const left = this.get("token_expires_in");
        return record({ status: left !== null && !equal(left, 0n) });
      },
    },
    get_budget_fiscal_year: {
      takes: "lastModifiedAfter includeRemoved",
      defaults: [null, null],
      run: () => record({ budget_fiscal_year: "2018" }),
    },
    register_credit_card: {
      takes: "access_token card_number expiration_date cardholder_name card_verification_number",
      run: (token = null, number = null, expires = null, name = null, code = null) =>
        this.#register(token, number, expires, name, code),
    },
    get_flight_cost: {
      takes: "travel_from travel_to travel_date travel_class",
      run: (from = null, to = null, date = null, travelClass = null) =>
        record({ travel_cost_list: this.#costs(from, to, date, travelClass).all }),
    },
    get_credit_card_balance: {
      takes: "access_token card_id",
      run: (token = null, card = null) => this.#secured(token, () => this.#balance(card)),
    },
    book_flight: {
      takes: "access_token card_id travel_date travel_from travel_to travel_class",
      run: (token = null, card = null, date = null, from = null, to = null, travelClass = null) =>
        this.#book(token, card, date, from, to, travelClass),
    },
    retrieve_invoice: {
      takes: "access_token booking_id insurance_id",
      defaults: [null, null],
      run: (token = null, id = null) => this.#secured(token, () => this.#invoice(id)),
    },
    get_booking_history: {
      takes: "access_token",
      run: (token = null) => this.#secured(token, () => record({ booking_history: this.#bookings() })),
    },
    list_all_airports: { takes: "", run: () => this.#airports() },
    cancel_booking: { takes: "access_token booking_id", run: (token = null, id = null) => this.#cancel(token, id) },
    compute_exchange_rate: {
      takes: "base_currency target_currency value",
      run: (from = null, to = null, value = null) => this.#exchange(from, to, value),
    },
    verify_traveler_information: {
      takes: "first_name last_name date_of_birth passport_number",
      run: (first = null, last = null, born = null, passport = null) => this.#verify(first, last, born, passport),
    },
    set_budget_limit: {
      takes: "access_token budget_limit",
      run: (token = null, limit = null) => this.#secured(token, () => this.#limit(limit)),
    },
    get_nearest_airport_by_city: { takes: "location", run: (city = null) => this.#nearest(city) },
    purchase_insurance: {
      takes: "access_token insurance_type booking_id insurance_cost card_id",
      run: (...[token = null, , booking = null, cost = null, card = null]) => this.#insure(token, booking, cost, card),
    },
    contact_customer_support: {
      takes: "booking_id message",
      run: (id = null) =>
        this.#bookings().has(id)
          ? record({
              customer_support_message:
                "Thank you for contacting customer support. Your message has been received and we will get back to you shortly.",
            })
          : error("Booking not found"),
    },
    get_all_credit_cards: { takes: "", run: () => record({ credit_card_list: this.get("credit_card_list") }) },
  };
}

/** Returns what `run` does, or the text of Python's ValueError. */
function guarded<Result extends object>(run: () => Result): Result | string {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof PyError && thrown.kind === "ValueError") return thrown.message;
    throw thrown;
  }
}
