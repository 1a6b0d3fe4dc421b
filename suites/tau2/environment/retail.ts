/** tau2's retail: its database, and the agent's tools with all their peculiarities. */
import { calculated, iterated, keyed } from "./airline.ts";
import { bool, defaulting, dictionaryOf, float, listOf, model, modelBy, oneOf, optional, text } from "./model.ts";
import type { BaseTables } from "./table.ts";
import { baseTables, TableWorld } from "./table-world.ts";
import { tool, type Tools } from "./toolkit.ts";
import {
  byCodePoint,
  type Dictionary,
  equal,
  fail,
  type Fields,
  Float,
  isList,
  pythonJson,
  refuse,
  rounded,
  shown,
  type Value,
} from "./value.ts";

const address = model({ address1: text, address2: text, city: text, country: text, state: text, zip: text });
const transaction = model({ transaction_type: oneOf("payment", "refund"), amount: float, payment_method_id: text });
const options = dictionaryOf(text);
const product = model({
  name: text,
  product_id: text,
  variants: dictionaryOf(model({ item_id: text, options, available: bool, price: float })),
});
const user = model({
  user_id: text,
  name: model({ first_name: text, last_name: text }),
  address,
  email: text,
  payment_methods: dictionaryOf(
    modelBy("source", {
      credit_card: model({ source: text, id: text, brand: text, last_four: text }),
      paypal: model({ source: text, id: text }),
      gift_card: model({ source: text, id: text, balance: float }),
    }),
  ),
  orders: listOf(text),
});
const order = model({
  order_id: text,
  user_id: text,
  address,
  items: listOf(model({ name: text, product_id: text, item_id: text, price: float, options })),
  status: text,
  fulfillments: listOf(model({ tracking_id: listOf(text), item_ids: listOf(text) })),
  payment_history: listOf(transaction),
  cancel_reason: optional(text),
  exchange_items: optional(listOf(text)),
  exchange_new_items: optional(listOf(text)),
  exchange_payment_method_id: optional(text),
  exchange_price_difference: optional(float),
  return_items: optional(listOf(text)),
  return_payment_method_id: defaulting<string | null>(optional(text), () => null),
});

type Variant = Fields & { readonly price: Float; readonly options: Dictionary; readonly available: boolean };
type Product = Fields & { readonly name: string; readonly variants: ReadonlyMap<string, Variant> };
type Method = Fields & { readonly source: string; balance: Float };
type User = Fields & {
  readonly name: { readonly first_name: string; readonly last_name: string };
  readonly email: string;
  address: Fields;
  readonly payment_methods: ReadonlyMap<string, Method>;
};
type Item = Fields & { readonly product_id: string; item_id: Value; price: Float; options: Dictionary };
type Transaction = Fields & {
  readonly transaction_type: string;
  readonly amount: Float;
  readonly payment_method_id: string;
};
type Order = Fields & {
  readonly user_id: string;
  address: Fields;
  readonly items: readonly Item[];
  status: string;
  readonly payment_history: Transaction[];
  cancel_reason: Value;
  exchange_items: Value;
  exchange_new_items: Value;
  exchange_payment_method_id: Value;
  exchange_price_difference: Value;
  return_items: Value;
  return_payment_method_id: Value;
};

/** Reads the database of a file. Throws `ToolFailure` for data that do not fit. */
export function readRetail(data: Value): BaseTables {
  return baseTables(
    model({ products: dictionaryOf(product), users: dictionaryOf(user), orders: dictionaryOf(order) })(data),
  );
}

const place = "address1 address2 city state country zip";

export class Retail extends TableWorld {
  readonly agentTitle = "RetailTools";
  readonly #products = this.table<Product>("products");
  readonly #users = this.table<User>("users");
  readonly #orders = this.table<Order>("orders");

  readonly agentTools: Tools = {
    calculate: tool("generic", "expression", ([expression]) => calculated(expression!)),
    cancel_pending_order: tool("write", "order_id reason", ([id, reason]) => this.#cancel(id!, reason!)),
    exchange_delivered_order_items: tool(
      "write",
      "order_id item_ids new_item_ids payment_method_id",
      ([id, items, wanted, method]) => this.#exchange(id!, items!, wanted!, method!),
    ),
    find_user_id_by_name_zip: tool("read", "first_name last_name zip", ([first, last, zip]) =>
      this.#findByName(first!, last!, zip!),
    ),
    find_user_id_by_email: tool("read", "email", ([email]) => this.#findByEmail(email!)),
    get_order_details: tool("read", "order_id", ([id]) => this.#order(id!)),
    get_product_details: tool("read", "product_id", ([id]) => this.#product(id!)),
    get_user_details: tool("read", "user_id", ([id]) => this.#user(id!)),
    list_all_product_types: tool("read", "", () => this.#productTypes()),
    modify_pending_order_address: tool("write", `order_id ${place}`, ([id, ...values]) => this.#moveOrder(id!, values)),
    modify_pending_order_items: tool(
      "write",
      "order_id item_ids new_item_ids payment_method_id",
      ([id, items, wanted, method]) => this.#modifyItems(id!, items!, wanted!, method!),
    ),
    modify_pending_order_payment: tool("write", "order_id payment_method_id", ([id, method]) =>
      this.#modifyPayment(id!, method!),
    ),
    modify_user_address: tool("write", `user_id ${place}`, ([id, ...values]) => this.#moveUser(id!, values)),
    return_delivered_order_items: tool("write", "order_id item_ids payment_method_id", ([id, items, method]) =>
      this.#return(id!, items!, method!),
    ),
    transfer_to_human_agents: tool("generic", "summary", () => "Transfer successful"),
  };

  #order(id: Value): Order {
    return this.#orders.get(id) ?? refuse("Order not found");
  }

  #user(id: Value): User {
    return this.#users.get(id) ?? refuse("User not found");
  }

  #product(id: Value): Product {
    return this.#products.get(id) ?? refuse("Product not found");
  }

  #variant(productId: string, id: Value): Variant {
    return keyed(this.#product(productId).variants, id) ?? refuse("Variant not found");
  }

  #method(userId: string, id: Value): Method {
    return keyed(this.#user(userId).payment_methods, id) ?? refuse("Payment method not found");
  }

  #addToCard(userId: string, id: string, amount: number): void {
    const own = this.#users.edit(userId).payment_methods.get(id)!;
    own.balance = new Float(rounded(own.balance.value + amount));
  }

  #cancel(id: Value, reason: Value): Value {
    if (this.#order(id).status !== "pending") refuse("Non-pending order cannot be cancelled");
    if (typeof reason === "object" && reason !== null && !(reason instanceof Float)) fail("unhashable type");
    if (reason !== "no longer needed" && reason !== "ordered by mistake") refuse("Invalid reason");
    const own = this.#orders.edit(id as string);
    const refunds = own.payment_history.map((each) => {
      if (this.#method(own.user_id, each.payment_method_id).source === "gift_card")
        this.#addToCard(own.user_id, each.payment_method_id, each.amount.value);
      return { ...each, transaction_type: "refund" };
    });
    own.status = "cancelled";
    own.cancel_reason = reason;
    own.payment_history.push(...refunds);
    return own;
  }

  /** The sum of new less old prices, and the last new variant. */
  #difference({ items }: Order, ids: Value, wanted: Value, check: (id: Value, newId: Value) => void) {
    let sum = 0;
    let last: Variant | undefined;
    for (const [id, newId] of pairs(ids, wanted)) {
      check(id, newId);
      const item = items.find((each) => equal(each.item_id, id)) ?? refuse(`Item ${shown(id)} not found`);
      last = this.#variant(item.product_id, newId);
      if (!last.available) refuse(`New item ${shown(newId)} not found or available`);
      sum += last.price.value - item.price.value;
    }
    return { sum, last };
  }

  #exchange(id: Value, ids: Value, wanted: Value, methodId: Value): Value {
    const before = this.#order(id);
    if (before.status !== "delivered") refuse("Non-delivered order cannot be exchanged");
    checkCounts(ids, before, (each) => `Number of ${each} not found.`);
    if (lengthOf(ids) !== lengthOf(wanted)) refuse("The number of items to be exchanged should match.");
    const difference = rounded(this.#difference(before, ids, wanted, () => {}).sum);
    const method = this.#method(before.user_id, methodId);
    if (method.source === "gift_card" && method.balance.value < difference)
      refuse("Insufficient gift card balance to pay for the price difference");
    const own = this.#orders.edit(id as string);
    own.status = "exchange requested";
    own.exchange_items = sorted(ids);
    own.exchange_new_items = sorted(wanted);
    own.exchange_payment_method_id = methodId;
    // Without items the difference is the whole number 0.
    own.exchange_price_difference = lengthOf(ids) === 0 ? 0 : new Float(difference);
    return own;
  }

  #findByName(first: Value, last: Value, zip: Value): Value {
    for (const { user_id: id, name, address: home } of this.#users.values()) {
      if (name.first_name.toLowerCase() !== lower(first)) continue;
      if (name.last_name.toLowerCase() === lower(last) && equal((home as Fields)["zip"]!, zip)) return id!;
    }
    return refuse("User not found");
  }

  #findByEmail(email: Value): Value {
    for (const each of this.#users.values()) if (each.email.toLowerCase() === lower(email)) return each["user_id"]!;
    return refuse("User not found");
  }

  #productTypes(): string {
    const types = new Map<string, Value>();
    for (const { name, product_id: id } of this.#products.values()) types.set(name, id!);
    return pythonJson(types, true);
  }

  #moveOrder(id: Value, values: readonly Value[]): Value {
    if (!this.#order(id).status.includes("pending")) refuse("Non-pending order cannot be modified");
    const home = addressOf(values);
    const own = this.#orders.edit(id as string);
    own.address = home;
    return own;
  }

  #moveUser(id: Value, values: readonly Value[]): Value {
    this.#user(id);
    const home = addressOf(values);
    const own = this.#users.edit(id as string);
    own.address = home;
    return own;
  }

  /** Every changed item gets price and options of the last new variant. */
  #modifyItems(id: Value, ids: Value, wanted: Value, methodId: Value): Value {
    const before = this.#order(id);
    if (before.status !== "pending") refuse("Non-pending order cannot be modified");
    checkCounts(ids, before, (each) => `${each} not found`);
    if (lengthOf(ids) !== lengthOf(wanted)) refuse("The number of items to be exchanged should match");
    const { sum, last } = this.#difference(before, ids, wanted, (old, next) => {
      if (equal(old, next)) refuse("The new item id should be different from the old item id");
    });
    const method = this.#method(before.user_id, methodId);
    if (method.source === "gift_card" && method.balance.value < sum)
      refuse("Insufficient gift card balance to pay for the new item");
    const own = this.#orders.edit(id as string);
    const type = sum > 0 ? "payment" : "refund";
    own.payment_history.push(
      transaction({
        transaction_type: type,
        amount: new Float(Math.abs(sum)),
        payment_method_id: methodId,
      }) as Transaction,
    );
    if (method.source === "gift_card") this.#addToCard(own.user_id, methodId as string, -sum);
    for (const [old, next] of pairs(ids, wanted)) {
      const item = own.items.find((each) => equal(each.item_id, old)) ?? refuse(`Item ${shown(old)} not found`);
      item.item_id = next;
      item.price = last!.price;
      item.options = last!.options;
    }
    own.status = "pending (item modified)";
    return own;
  }

  #modifyPayment(id: Value, methodId: Value): Value {
    const before = this.#order(id);
    if (!before.status.includes("pending")) refuse("Non-pending order cannot be modified");
    const method = this.#method(before.user_id, methodId);
    const [first, second] = before.payment_history;
    if (first === undefined || second !== undefined || first.transaction_type !== "payment")
      refuse("There should be exactly one payment for a pending order");
    const { amount, payment_method_id: oldId } = first!;
    if (equal(oldId, methodId)) refuse("The new payment method should be different from the current one");
    if (method.source === "gift_card" && method.balance.value < amount.value)
      refuse("Insufficient gift card balance to pay for the order");
    const own = this.#orders.edit(id as string);
    own.payment_history.push(
      { transaction_type: "payment", amount, payment_method_id: methodId as string },
      { transaction_type: "refund", amount, payment_method_id: oldId },
    );
    if (method.source === "gift_card") this.#addToCard(own.user_id, methodId as string, -amount.value);
    if (this.#method(own.user_id, oldId).source === "gift_card") this.#addToCard(own.user_id, oldId, amount.value);
    return own;
  }

  #return(id: Value, ids: Value, methodId: Value): Value {
    const before = this.#order(id);
    if (before.status !== "delivered") refuse("Non-delivered order cannot be returned");
    const method = this.#method(before.user_id, methodId);
    const first = before.payment_history[0];
    if (method.source !== "gift_card" && !equal(methodId, first?.payment_method_id ?? fail("list index out of range")))
      refuse("Payment method should be the original payment method");
    checkCounts(ids, before, () => "Some item not found");
    const own = this.#orders.edit(id as string);
    own.status = "return requested";
    own.return_items = sorted(ids);
    own.return_payment_method_id = methodId;
    return own;
  }
}

const lower = (value: Value) =>
  typeof value === "string" ? value.toLowerCase() : fail(`'${shown(value)}' object has no attribute 'lower'`);

function addressOf([address1, address2, city, state, country, zip]: readonly Value[]): Fields {
  return address({
    address1: address1!,
    address2: address2!,
    city: city!,
    country: country!,
    state: state!,
    zip: zip!,
  });
}

/** Refuses ids that are named more often than the order has them. */
function checkCounts(ids: Value, { items }: Order, message: (id: string) => string): void {
  const named = iterated(ids);
  if (!isList(ids) && typeof ids !== "string" && named.length > 0) fail("'dict' object has no attribute 'count'");
  for (const id of named) {
    const isOf = (other: Value) => equal(other, id);
    if (named.filter(isOf).length > items.filter((item) => isOf(item.item_id)).length) refuse(message(shown(id)));
  }
}

const lengthOf = (value: Value) => iterated(value).length;

function pairs(first: Value, second: Value): readonly (readonly [Value, Value])[] {
  const others = iterated(second);
  return iterated(first).map((value, index) => [value, others[index]!] as const);
}

/** Ids were found in the order, so that all of them are texts. */
function sorted(ids: Value): Value {
  return (iterated(ids) as readonly string[]).toSorted(byCodePoint);
}
