/** TradingBot: an account, orders and a watch list. */
import {
  add,
  among,
  compare,
  dict,
  float,
  getItem,
  int,
  iterate,
  list,
  multiply,
  str,
  subtract,
} from "../python/operations.ts";
import { twoDecimals } from "../python/number.ts";
import { Dict, equal, fail, numeric, type Py, repr, text, truth, typeName } from "../python/value.ts";
import { readDate } from "./dates.ts";
import { error, type Method, record, type Setting, System } from "./system.ts";

const attributes = [
  "orders",
  "account_info",
  "authenticated",
  "market_status",
  "order_counter",
  "stocks",
  "watch_list",
  "transaction_history",
];

/** The moment at which all scenarios play: 2024-09-01 10:30, and the seconds of a day. */
const now = Date.UTC(2024, 8, 1, 10, 30);
const secondsOfDay = 86_400;

const refusal = (what: string) => `User not authenticated. Please log in to ${what}.`;

/** Returns `f"{value:.2f}"`. */
function money(value: Py): string {
  const number = numeric(value);
  if (number === undefined)
    return typeof value === "string"
      ? fail("ValueError", "Unknown format code 'f' for object of type 'str'")
      : fail("TypeError", `unsupported format string passed to ${typeName(value)}.__format__`);
  return twoDecimals(Number(number));
}

export class Trading extends System {
  readonly typeName = "TradingBot";
  protected override readonly seed = 1_053_520n;

  constructor(setting: Setting) {
    super(setting);
    this.load(attributes);
    const orders = this.get("orders");
    const numbered = (key: Py) => (typeof key === "string" && /^\d+$/.test(key) ? BigInt(key) : key);
    this.set(
      "orders",
      new Dict(orders instanceof Dict ? orders.entries().map(([key, each]) => [numbered(key), each]) : []),
    );
    this.set("long_context", setting.isLong);
  }

  #stocks(): Dict {
    return dict(this.get("stocks"), "get");
  }

  #orders(): Dict {
    return dict(this.get("orders"), "keys");
  }

  #extension(name: string): Py {
    return this.setting.extensions.get(name) ?? [];
  }

  #isOut(): boolean {
    return !truth(this.get("authenticated"));
  }

  #timestamp(): string {
    const at = now + Number(this.random.whole(0, secondsOfDay)) * 1000;
    return new Date(at).toISOString().slice(0, 19).replace("T", " ");
  }

  #stock(symbol: Py): Py {
    if (!this.#stocks().has(symbol)) return error(`Stock with symbol '${text(symbol)}' not found.`);
    const stock = this.#stocks().at(symbol);
    if (!this.setting.isLong) return stock;
    const longer = dict(stock, "copy").copy();
    longer.set("MA(5)", this.#extension("MA_5_EXTENSION"));
    longer.set("MA(20)", this.#extension("MA_20_EXTENSION"));
    return longer;
  }

  #order(id: Py): Py {
    const orders = this.#orders();
    if (!orders.has(id))
      return error(`Order with ID ${text(id)} not found.Here is the list of orders_id: ${repr(orders.keys())}`);
    const order = orders.at(id);
    if (!this.setting.isLong) return order;
    const longer = dict(order, "copy").copy();
    const symbol = text(longer.at("symbol"));
    const details = this.#extension("ORDER_DETAIL_EXTENSION");
    const metadata = details instanceof Dict ? details.entries() : [];
    longer.set(
      "metadata",
      new Dict(metadata.map(([key, each]) => [key, text(each).replaceAll("{symbol}", () => symbol)] as const)),
    );
    return longer;
  }

  #cancel(id: Py): Py {
    const orders = this.#orders();
    if (!orders.has(id)) return error(`Order with ID ${text(id)} not found.`);
    if (equal(getItem(orders.at(id), "status"), "Completed"))
      return error(`Can't cancel order ${text(id)}. Order is already completed.`);
    dict(orders.at(id), "update").set("status", "Cancelled");
    return record({ order_id: id, status: "Cancelled" });
  }

  #place(kind: Py, symbol: Py, price: Py, amount: Py): Py {
    if (this.#isOut()) return error(refusal("place an order"));
    if (!this.#stocks().has(symbol)) return error(`Invalid stock symbol: ${text(symbol)}`);
    if (compare(price, "<=", 0n) || compare(amount, "<=", 0n))
      return error("Price and amount must be positive values.");
    if (str(kind, "lower").toLowerCase() === "buy") {
      const cost = multiply(float(price), int(amount));
      const balance = dict(this.get("account_info"), "get").get("balance") ?? 0n;
      if (compare(cost, ">", balance))
        return error(`Insufficient funds: required $${money(cost)} but only $${money(balance)} available.`);
    }
    const id = this.get("order_counter");
    const order = { order_type: kind, symbol, price: float(price), amount };
    this.#orders().set(id, record({ id, ...order, status: "Open" }));
    this.set("order_counter", add(id, 1n));
    return record({ order_id: id, order_type: kind, status: "Pending", price: order.price, amount });
  }

  /** Changes the balance and notes it. */
  #book(kind: string, amount: Py, status: string): Py {
    const account = dict(this.get("account_info"), "update");
    const change = kind === "deposit" ? add : subtract;
    account.set("balance", change(account.at("balance"), amount, kind === "deposit" ? "+=" : "-="));
    list(this.get("transaction_history"), "append").push(record({ type: kind, amount, timestamp: this.#timestamp() }));
    return record({ status, new_balance: account.at("balance") });
  }

  #withdraw(amount: Py): Py {
    if (this.#isOut()) return error(refusal("make a transaction"));
    if (!equal(this.get("market_status"), "Open")) return error("Market is closed. Transactions are not allowed.");
    if (compare(amount, "<=", 0n)) return error("Transaction amount must be positive.");
    if (compare(amount, ">", getItem(this.get("account_info"), "balance")))
      return error("Insufficient funds for withdrawal.");
    return this.#book("withdrawal", amount, "Withdrawal successful");
  }

  #fund(amount: Py): Py {
    if (this.#isOut()) return error(refusal("fund the account"));
    if (compare(amount, "<=", 0n)) return error("Funding amount must be positive.");
    return this.#book("deposit", amount, "Account funded successfully");
  }

  #log(isIn: boolean): Py {
    const was = truth(this.get("authenticated"));
    if (was === isIn) return record({ status: isIn ? "Already logged in" : "No user is currently logged in" });
    this.set("authenticated", isIn);
    return record({ status: isIn ? "Logged in successfully" : "Logged out successfully" });
  }

  #unwatch(symbol: Py): Py {
    if (this.#isOut()) return error(refusal("modify the watchlist"));
    const watched = list(this.get("watch_list"), "remove");
    if (!among(symbol, watched)) return error(`Stock ${text(symbol)} not found in watchlist.`);
    watched.splice(
      watched.findIndex((each) => equal(each, symbol)),
      1,
    );
    return record({ status: `Stock ${text(symbol)} removed from watchlist successfully.` });
  }

  #watched(): Py {
    if (this.#isOut()) return ["Error: User not authenticated. Please log in to view the watchlist."];
    const watched = this.get("watch_list");
    if (!this.setting.isLong) return record({ watchlist: watched });
    return [...iterate(watched), ...iterate(this.#extension("WATCH_LIST_EXTENSION"))];
  }

  #transactions(from: Py, to: Py): Py {
    if (this.#isOut()) return [error(refusal("view transaction history"))];
    const start = truth(from) ? readDate(from, "%Y-%m-%d").at : -Infinity;
    const end = truth(to) ? readDate(to, "%Y-%m-%d").at : Infinity;
    const within = iterate(this.get("transaction_history")).filter((each) => {
      const { at } = readDate(getItem(each, "timestamp"), "%Y-%m-%d %H:%M:%S");
      return start <= at && at <= end;
    });
    const more = this.setting.isLong ? iterate(this.#extension("TRANSACTION_HISTORY_EXTENSION")) : [];
    return record({ transaction_history: [...within, ...more] });
  }

  #sector(sector: Py): Py {
    const map = this.setting.tables.get("sector_map");
    const known = map instanceof Dict ? map.get(sector) : undefined;
    const name = `${text(sector).toUpperCase()}_EXTENSION`;
    const more = this.setting.isLong && known !== undefined ? iterate(this.#extension(name)) : [];
    return record({ stock_list: [...iterate(known ?? []), ...more] });
  }

  #filter(symbols: Py, least: Py, most: Py): Py {
    const price = (symbol: Py) => dict(this.#stocks().get(symbol) ?? new Dict(), "get").get("price") ?? 0n;
    const within = iterate(symbols).filter(
      (symbol) => compare(price(symbol), ">=", least) && compare(price(symbol), "<=", most),
    );
    return record({ filtered_stocks: within });
  }

  #watch(symbol: Py): Py {
    const watched = list(this.get("watch_list"), "append");
    if (!among(symbol, watched) && this.#stocks().has(symbol)) watched.push(symbol);
    return record({ watchlist: watched });
  }

  #notify(symbols: Py, threshold: Py): Py {
    const changed = iterate(symbols).filter((symbol) => {
      if (!this.#stocks().has(symbol)) return false;
      const change = getItem(this.#stocks().at(symbol), "percent_change");
      return compare(compare(change, "<", 0n) ? subtract(0n, change) : change, ">=", threshold);
    });
    return record({
      notification:
        changed.length > 0
          ? `Stocks ${changed.map(text).join(", ")} have significant price changes.`
          : "No significant price changes in the selected stocks.",
    });
  }

  #symbol(name: Py): Py {
    const map = this.setting.tables.get("symbol_map");
    return record({ symbol: (map instanceof Dict ? map.get(name) : undefined) ?? "Stock not found" });
  }

  protected readonly methods: Readonly<Record<string, Method>> = {
    get_current_time: { takes: "", run: () => record({ current_time: "10:30 AM" }) },
    get_symbol_by_name: { takes: "name", run: (name = null) => this.#symbol(name) },
    get_stock_info: { takes: "symbol", run: (symbol = null) => this.#stock(symbol) },
    get_order_details: { takes: "order_id", run: (id = null) => this.#order(id) },
    cancel_order: { takes: "order_id", run: (id = null) => this.#cancel(id) },
    place_order: {
      takes: "order_type symbol price amount",
      run: (kind = null, symbol = null, price = null, amount = null) => this.#place(kind, symbol, price, amount),
    },
    withdraw_funds: { takes: "amount", run: (amount = null) => this.#withdraw(amount) },
    get_account_info: {
      takes: "",
      run: () => (this.#isOut() ? error(refusal("view account information")) : this.get("account_info")),
    },
    trading_login: { takes: "username password", run: () => this.#log(true) },
    trading_get_login_status: { takes: "", run: () => record({ status: !this.#isOut() }) },
    trading_logout: { takes: "", run: () => this.#log(false) },
    fund_account: { takes: "amount", run: (amount = null) => this.#fund(amount) },
    remove_stock_from_watchlist: { takes: "symbol", run: (symbol = null) => this.#unwatch(symbol) },
    get_watchlist: { takes: "", run: () => this.#watched() },
    get_order_history: {
      takes: "",
      run: () => (this.#isOut() ? [error(refusal("view order history"))] : record({ history: this.#orders().keys() })),
    },
    get_transaction_history: {
      takes: "start_date end_date",
      defaults: [null, null],
      run: (from = null, to = null) => this.#transactions(from, to),
    },
    get_available_stocks: { takes: "sector", run: (sector = null) => this.#sector(sector) },
    filter_stocks_by_price: {
      takes: "stocks min_price max_price",
      run: (symbols = null, least = null, most = null) => this.#filter(symbols, least, most),
    },
    add_to_watchlist: { takes: "stock", run: (symbol = null) => this.#watch(symbol) },
    notify_price_change: {
      takes: "stocks threshold",
      run: (symbols = null, threshold = null) => this.#notify(symbols, threshold),
    },
  };
}
