/** tau2's telecom: its database, the agent's tools, and the data that both sides exchange. */
import { bool, dateTime, defaulting, float, listOf, model, oneOf, optional, text } from "./model.ts";
import { Phone } from "./phone.ts";
import { digestOf } from "./table.ts";
import { execute, tool, type Tools } from "./toolkit.ts";
import {
  copied,
  equal,
  fail,
  type Fields,
  Float,
  isList,
  minus,
  numberOf,
  plus,
  pythonJson,
  refuse,
  shown,
  times,
  twoDecimals,
  type Value,
} from "./value.ts";
import type { Side, World } from "./world.ts";

const strict = { strict: true };
const zero = defaulting(float, () => new Float(0));
const lineItem = model({ description: text, amount: float, date: text, item_type: text }, strict);
const database = model(
  {
    plans: listOf(
      model(
        { plan_id: text, name: text, data_limit_gb: float, price_per_month: float, data_refueling_price_per_gb: float },
        strict,
      ),
    ),
    customers: listOf(
      model(
        {
          customer_id: text,
          full_name: text,
          date_of_birth: text,
          email: text,
          phone_number: text,
          address: model({ street: text, city: text, state: text, zip_code: text }, strict),
          account_status: defaulting(text, () => "Pending Verification"),
          payment_methods: listOf(
            model({ method_type: text, account_number_last_4: text, expiration_date: text }, strict),
          ),
          line_ids: listOf(text),
          bill_ids: listOf(text),
          created_at: defaulting(dateTime, () => "2025-01-01"),
          last_extension_date: optional(text),
          goodwill_credit_used_this_year: zero,
        },
        strict,
      ),
    ),
    lines: listOf(
      model(
        {
          line_id: text,
          phone_number: text,
          status: oneOf("Active", "Suspended", "Pending Activation", "Closed"),
          plan_id: text,
          device_id: optional(text),
          data_used_gb: zero,
          data_refueling_gb: zero,
          roaming_enabled: defaulting(bool, () => false),
          contract_end_date: optional(text),
          last_plan_change_date: optional(text),
          last_sim_replacement_date: optional(text),
          suspension_start_date: optional(text),
        },
        strict,
      ),
    ),
    bills: listOf(
      model(
        {
          bill_id: text,
          customer_id: text,
          period_start: text,
          period_end: text,
          issue_date: text,
          total_due: float,
          due_date: text,
          line_items: defaulting(listOf(lineItem), () => []),
          status: defaulting(text, () => "Draft"),
        },
        strict,
      ),
    ),
    devices: listOf(
      model(
        {
          device_id: text,
          device_type: text,
          model: text,
          imei: optional(text),
          is_esim_capable: bool,
          activated: defaulting(bool, () => false),
          activation_date: optional(dateTime),
          last_esim_transfer_date: optional(dateTime),
        },
        strict,
      ),
    ),
  },
  strict,
);

type Plan = Fields & {
  readonly data_limit_gb: Float;
  readonly price_per_month: Float;
  readonly data_refueling_price_per_gb: Float;
};
type Customer = Fields & {
  readonly customer_id: string;
  readonly line_ids: readonly string[];
  readonly bill_ids: string[];
};
type Line = Fields & {
  readonly line_id: string;
  readonly plan_id: string;
  status: string;
  data_used_gb: Value;
  data_refueling_gb: Value;
  roaming_enabled: boolean;
  contract_end_date: string | null;
  suspension_start_date: string | null;
};
type Bill = Fields & {
  readonly bill_id: string;
  readonly issue_date: string;
  status: string;
  total_due: Value;
  readonly line_items: Fields[];
};
type Database = Fields & {
  readonly plans: readonly Plan[];
  readonly customers: readonly Customer[];
  readonly lines: readonly Line[];
  readonly bills: Bill[];
  readonly devices: readonly Fields[];
};

/** Reads the agent's database. Throws `ToolFailure` for data that do not fit. */
export function readTelecom(data: Value): Fields {
  return database(data);
}

const today = "2025-02-25";
/** Bills for the months after and before today. */
const nextMonth = {
  period_start: "2025-03-01",
  period_end: "2025-03-31",
  issue_date: "2025-03-01",
  due_date: "2025-03-15",
};
const lastMonth = {
  period_start: "2025-01-01",
  period_end: "2025-01-31",
  issue_date: "2025-01-01",
  due_date: "2025-01-15",
};
const cycleEnd = "2025-02-28";

export class Telecom implements World {
  readonly #data: Database;
  readonly #phone: Phone;
  #bills = 0;
  readonly agentTitle = "TelecomTools";
  readonly userTitle = "TelecomUserTools";
  readonly userTools: Tools;

  /** Takes both databases as loaded; the episode changes its own copies. */
  constructor(data: Fields, phone: Fields) {
    this.#data = copied(data) as Database;
    this.#phone = new Phone(copied(phone));
    this.userTools = this.#phone.tools;
  }

  readonly agentTools: Tools = {
    get_customer_by_phone: tool("read", "phone_number", ([number]) => this.#customerByPhone(number!)),
    get_customer_by_id: tool("read", "customer_id", ([id]) => this.#customer(id!)),
    get_customer_by_name: tool("read", "full_name dob", ([name, born]) => this.#customersByName(name!, born!)),
    get_details_by_id: tool("read", "id", ([id]) => this.#details(id!)),
    suspend_line: tool("write", "customer_id line_id reason", ([customer, line]) => this.#suspend(customer!, line!)),
    resume_line: tool("write", "customer_id line_id", ([customer, line]) => this.#resume(customer!, line!)),
    get_bills_for_customer: tool("read", "customer_id limit", ([customer, limit]) => this.#latest(customer!, limit!), {
      limit: 12,
    }),
    send_payment_request: tool("write", "customer_id bill_id", ([customer, bill]) =>
      this.#requestPayment(customer!, bill!),
    ),
    get_data_usage: tool("read", "customer_id line_id", ([customer, line]) => this.#usage(customer!, line!)),
    enable_roaming: tool("write", "customer_id line_id", ([customer, line]) =>
      this.#setRoaming(customer!, line!, true),
    ),
    disable_roaming: tool("write", "customer_id line_id", ([customer, line]) =>
      this.#setRoaming(customer!, line!, false),
    ),
    transfer_to_human_agents: tool("generic", "summary", () => "Transfer successful"),
    refuel_data: tool("write", "customer_id line_id gb_amount", ([customer, line, amount]) =>
      this.#refuel(customer!, line!, amount!),
    ),
  };

  /** Functions of initial states and assertions that models do not have. */
  readonly #functions: Tools = {
    set_data_usage: tool("write", "customer_id line_id data_used_gb", ([customer, line, used]) => {
      this.#line(customer!, line!).data_used_gb = used!;
      return `Data usage set to ${shown(used!)} GB for line ${shown(line!)}`;
    }),
    suspend_line_for_overdue_bill: tool("write", "customer_id line_id new_bill_id contract_ended", (values) =>
      this.#suspendForBill(values),
    ),
    assert_data_refueling_amount: tool("read", "customer_id line_id expected_amount", ([customer, line, expected]) => {
      const { data_refueling_gb: refuelled } = this.#line(customer!, line!);
      return Math.abs(numberOf(minus(refuelled, expected!))) < 1e-6;
    }),
    assert_no_overdue_bill: tool("read", "overdue_bill_id", ([id]) => {
      const bill = this.#data.bills.find((each) => equal(each.bill_id, id!));
      return bill === undefined || bill.status === "Paid";
    }),
    assert_line_status: tool("read", "customer_id line_id expected_status", ([customer, line, expected]) =>
      equal(this.#line(customer!, line!).status, expected!),
    ),
  };

  run(side: Side, name: string, given: Fields): Value {
    const value =
      side === "user"
        ? execute({ ...this.#phone.tools, ...this.#phone.functions }, this.userTitle, name, given)
        : execute({ ...this.agentTools, ...this.#functions }, this.agentTitle, name, given);
    this.sync();
    return value;
  }

  sync(): void {
    const { surroundings } = this.#phone;
    const number = surroundings.phone_number;
    if (number === null) return;
    const line = this.#data.lines.find((each) => equal(each["phone_number"]!, number));
    if (line === undefined) return refuse(`Line with phone number ${shown(number)} not found`);
    surroundings.line_active = line.status === "Active";
    surroundings.roaming_allowed = line.roaming_enabled;
    const { data_limit_gb: limit } = this.#plan(line.plan_id);
    surroundings.mobile_data_usage_exceeded =
      numberOf(line.data_used_gb) >= numberOf(plus(limit, line.data_refueling_gb));
    if (surroundings.payment_request?.paid === true) {
      this.#bill(surroundings.payment_request.bill_id).status = "Paid";
      surroundings.payment_request = null;
    }
    if (surroundings.payment_request !== null) return;
    const [bill] = this.#awaitingPayment(this.#customerByPhone(number));
    if (bill !== undefined)
      surroundings.payment_request = { bill_id: bill.bill_id, amount_due: float(bill.total_due), paid: false };
  }

  hash(form: "official" | "canonical"): string {
    return digestOf(form, form === "official" ? this.#data : { agent: this.#data, user: this.#phone.state });
  }

  userHash(): string {
    return digestOf("official", this.#phone.state);
  }

  equals(other: World): boolean {
    return (
      other instanceof Telecom &&
      pythonJson(this.#data, true) === pythonJson(other.#data, true) &&
      pythonJson(this.#phone.state, true) === pythonJson(other.#phone.state, true)
    );
  }

  /** Returns all records, because an episode has a copy of the whole, small database. */
  touched(): ReadonlyMap<string, Value> {
    const records = Object.entries(this.#data).flatMap(([table, rows]) =>
      (rows as readonly Fields[]).map((row) => [`${table} ${String(Object.values(row)[0])}`, row] as const),
    );
    const phone = Object.entries(this.#phone.state).map(([part, value]) => [`phone ${part}`, value] as const);
    return new Map<string, Value>([...records, ...phone]);
  }

  recordOf(name: string): Value | undefined {
    return this.touched().get(name);
  }

  screen(): string {
    return this.#phone.statusBar();
  }

  #customerByPhone(number: Value): Customer {
    for (const customer of this.#data.customers) {
      if (equal(customer["phone_number"]!, number)) return customer;
      if (customer.line_ids.some((id) => equal(this.#lineById(id)["phone_number"]!, number))) return customer;
    }
    return refuse(`Customer with phone number ${shown(number)} not found`);
  }

  #customer(id: Value): Customer {
    return (
      this.#data.customers.find((each) => equal(each.customer_id, id)) ??
      refuse(`Customer with ID ${shown(id)} not found`)
    );
  }

  #customersByName(name: Value, born: Value): Value {
    const wanted = typeof name === "string" ? name.toLowerCase() : fail("object has no attribute 'lower'");
    return this.#data.customers.filter(
      (each) => (each["full_name"] as string).toLowerCase() === wanted && equal(each["date_of_birth"]!, born),
    );
  }

  #lineById(id: Value): Line {
    return this.#data.lines.find((each) => equal(each.line_id, id)) ?? refuse(`Line with ID ${shown(id)} not found`);
  }

  #plan(id: Value): Plan {
    return (
      this.#data.plans.find((each) => equal(each["plan_id"]!, id)) ?? refuse(`Plan with ID ${shown(id)} not found`)
    );
  }

  #bill(id: Value): Bill {
    return this.#data.bills.find((each) => equal(each.bill_id, id)) ?? refuse(`Bill with ID ${shown(id)} not found`);
  }

  #device(id: Value): Fields {
    const found = this.#data.devices.find((each) => equal(each["device_id"]!, id));
    return found ?? refuse(`Device with ID ${shown(id)} not found`);
  }

  #line(customerId: Value, id: Value): Line {
    const { line_ids: ids } = this.#customer(customerId);
    if (!ids.some((each) => equal(each, id))) refuse(`Line ${shown(id)} not found for customer ${shown(customerId)}`);
    return this.#lineById(id);
  }

  #details(id: Value): Value {
    if (typeof id !== "string") return fail("object has no attribute 'startswith'");
    switch (id[0]) {
      case "L":
        return this.#lineById(id);
      case "D":
        return this.#device(id);
      case "B":
        return this.#bill(id);
      case "C":
        return this.#customer(id);
      case "P":
        return this.#plan(id);
      default:
        return refuse(`Unknown ID format or type: ${id}`);
    }
  }

  #suspend(customerId: Value, id: Value): Value {
    const line = this.#line(customerId, id);
    if (line.status !== "Active") refuse("Line must be active to suspend");
    line.status = "Suspended";
    line.suspension_start_date = today;
    return { message: "Line suspended successfully. $5/month holding fee will apply.", line };
  }

  #resume(customerId: Value, id: Value): Value {
    const line = this.#line(customerId, id);
    if (line.status !== "Suspended" && line.status !== "Pending Activation") refuse("Line must be suspended to resume");
    line.status = "Active";
    line.suspension_start_date = null;
    return { message: "Line resumed successfully", line };
  }

  /** The latest bills first; `limit` cuts as a slice of Python does. */
  #latest(customerId: Value, limit: Value): Value {
    const bills = this.#customer(customerId)
      .bill_ids.map((id) => this.#bill(id))
      .toSorted((first, second) =>
        first.issue_date < second.issue_date ? 1 : first.issue_date > second.issue_date ? -1 : 0,
      );
    if (limit === null) return bills;
    return typeof limit === "number" || typeof limit === "boolean"
      ? bills.slice(0, Number(limit))
      : fail("slice indices must be integers or None");
  }

  #awaitingPayment({ bill_ids: ids }: Customer): readonly Bill[] {
    return ids.map((id) => this.#bill(id)).filter(({ status }) => status === "Awaiting Payment");
  }

  #requestPayment(customerId: Value, id: Value): Value {
    const customer = this.#customer(customerId);
    if (this.#awaitingPayment(customer).length > 0) refuse("A bill is already awaiting payment for this customer");
    if (!customer.bill_ids.some((each) => equal(each, id)))
      refuse(`Bill ${shown(id)} not found for customer ${shown(customerId)}`);
    const bill = this.#bill(id);
    bill.status = "Awaiting Payment";
    return `Payment request sent to the customer for bill ${bill.bill_id}`;
  }

  /** Numbers outside a record are printed as texts. */
  #usage(customerId: Value, id: Value): Value {
    const line = this.#line(customerId, id);
    const { data_limit_gb: limit } = this.#plan(line.plan_id);
    return {
      line_id: id,
      data_used_gb: printed(line.data_used_gb),
      data_limit_gb: printed(limit),
      data_refueling_gb: printed(line.data_refueling_gb),
      cycle_end_date: cycleEnd,
    };
  }

  #setRoaming(customerId: Value, id: Value, on: boolean): Value {
    const line = this.#line(customerId, id);
    const state = on ? "enabled" : "disabled";
    if (line.roaming_enabled === on) return `Roaming was already ${state}`;
    line.roaming_enabled = on;
    return `Roaming ${state} successfully`;
  }

  #refuel(customerId: Value, id: Value, amount: Value): Value {
    const line = this.#line(customerId, id);
    if (numberOf(amount) <= 0) refuse("Refuel amount must be positive");
    const { data_refueling_price_per_gb: price } = this.#plan(line.plan_id);
    const charge = times(amount, price);
    line.data_refueling_gb = plus(line.data_refueling_gb, amount);
    this.#charge(this.#customer(customerId), charge, `Data refueling: ${shown(amount)} GB at $${shown(price)}/GB`);
    return {
      message: `Successfully added ${shown(amount)} GB of data for line ${shown(id)} for $${twoDecimals(numberOf(charge))}`,
      new_data_refueling_gb: printed(line.data_refueling_gb),
      charge: printed(charge),
    };
  }

  /**
   * Adds a charge to the first draft, otherwise to a new bill. Ids of new bills are numbered, whereas the official program draws
   * them at random.
   */
  #charge(customer: Customer, amount: Value, description: string): void {
    let bill = customer.bill_ids.map((id) => this.#bill(id)).find(({ status }) => status === "Draft");
    if (bill === undefined) {
      this.#bills += 1;
      bill = newBill(`B${String(this.#bills).padStart(8, "0")}`, customer.customer_id, nextMonth, "Draft");
      this.#data.bills.push(bill);
      customer.bill_ids.push(bill.bill_id);
    }
    addLine(bill, amount, description);
  }

  #suspendForBill([customerId, id, billId, ended]: readonly Value[]): Value {
    const line = this.#lineById(id!);
    if (line.status !== "Active") refuse("Line must be active to suspend for unpaid bill");
    const { price_per_month: price } = this.#plan(line.plan_id);
    const customer = this.#customer(customerId!);
    if (customer.bill_ids.some((each) => this.#bill(each).status === "Overdue"))
      refuse("Customer already has an overdue bill");
    const bill = newBill(text(billId!), customer.customer_id, lastMonth, "Overdue");
    addLine(bill, price, `Charge for line ${line.line_id}`);
    this.#data.bills.push(bill);
    customer.bill_ids.push(bill.bill_id);
    line.status = "Suspended";
    line.suspension_start_date = today;
    if (ended === true) line.contract_end_date = lastMonth.period_end;
    return `Line ${line.line_id} suspended for unpaid bill ${bill.bill_id}. Contract ended: ${shown(ended!)}`;
  }
}

const printed = (value: Value) => (value === null || isList(value) ? value : shown(value));

function newBill(id: string, customerId: string, period: typeof nextMonth, status: string): Bill {
  return {
    bill_id: id,
    customer_id: customerId,
    period_start: period.period_start,
    period_end: period.period_end,
    issue_date: period.issue_date,
    total_due: new Float(0),
    due_date: period.due_date,
    line_items: [],
    status,
  };
}

function addLine(bill: Bill, amount: Value, description: string): void {
  const type = numberOf(amount) < 0 ? "Credit" : "Charge";
  bill.line_items.push(lineItem({ description, amount, date: today, item_type: type }));
  bill.total_due = plus(bill.total_due, amount);
}
