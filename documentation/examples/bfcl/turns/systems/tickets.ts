/** TicketAPI: tickets of a support desk. */
import { add, among, compare, dict, getItem, iterate, list, str } from "../python/operations.ts";
import { Dict, equal, fail, type Py, text, truth, typeName } from "../python/value.ts";
import { error, type Method, record, type Setting, System } from "./system.ts";

const fields = ["title", "description", "status", "priority"];

export class Tickets extends System {
  readonly typeName = "TicketAPI";

  constructor(setting: Setting) {
    super(setting);
    this.load(["ticket_queue", "ticket_counter", "current_user"]);
  }

  /** Returns a ticket, or the error that there is none. */
  #ticket(id: Py): { readonly ticket: Py; readonly missing?: Dict } {
    const ticket = iterate(this.get("ticket_queue")).find((each) => equal(getItem(each, "id"), id)) ?? null;
    return truth(ticket) ? { ticket } : { ticket, missing: error(`Ticket with ID ${text(id)} not found.`) };
  }

  #create(title: Py, description: Py, priority: Py): Py {
    if (!truth(this.get("current_user"))) return error("User not authenticated. Please log in to create a ticket.");
    if (compare(priority, "<", 1n) || compare(priority, ">", 5n))
      return error("Invalid priority. Priority must be between 1 and 5.");
    const id = this.get("ticket_counter");
    const ticket = record({ id, title, description, status: "Open", priority, created_by: this.get("current_user") });
    list(this.get("ticket_queue"), "append").push(ticket);
    this.set("ticket_counter", add(id, 1n));
    return ticket;
  }

  /** Closes or resolves a ticket. */
  #end(id: Py, state: "Closed" | "Resolved", resolution?: Py): Py {
    const { ticket, missing } = this.#ticket(id);
    if (missing !== undefined) return missing;
    if (equal(getItem(ticket, "status"), state))
      return error(`Ticket with ID ${text(id)} is already ${state.toLowerCase()}.`);
    const kept = dict(ticket, "update");
    kept.set("status", state);
    if (resolution !== undefined) kept.set("resolution", resolution);
    return record({ status: `Ticket ${text(id)} has been ${state.toLowerCase()} successfully.` });
  }

  #edit(id: Py, updates: Py): Py {
    const { ticket, missing } = this.#ticket(id);
    if (missing !== undefined) return missing;
    const changes = dict(updates, "keys");
    const foreign = changes.keys().filter((key) => !among(key, fields));
    const at = foreign.findIndex((key) => typeof key !== "string");
    if (at !== -1) fail("TypeError", `sequence item ${at}: expected str instance, ${typeName(foreign[at]!)} found`);
    if (foreign.length > 0) return error(`Invalid fields for update: ${foreign.map(text).join(", ")}`);
    for (const [key, value] of changes.entries()) if (value !== null) dict(ticket, "update").set(key, value);
    return record({ status: `Ticket ${text(id)} has been updated successfully.` });
  }

  #own(state: Py): Py {
    if (!truth(this.get("current_user"))) return [error("User not authenticated. Please log in to view tickets.")];
    const own = iterate(this.get("ticket_queue")).filter((each) =>
      equal(getItem(each, "created_by"), this.get("current_user")),
    );
    if (!truth(state)) return own;
    const lower = (value: Py) => str(value, "lower").toLowerCase();
    return own.filter((each) => lower(getItem(each, "status")) === lower(state));
  }

  #login(name: Py, password: Py): Py {
    const fits = truth(name) && truth(password);
    if (fits) this.set("current_user", name);
    return record({ success: fits });
  }

  #logout(): Py {
    const was = truth(this.get("current_user"));
    if (was) this.set("current_user", null);
    return record({ success: was });
  }

  protected readonly methods: Readonly<Record<string, Method>> = {
    create_ticket: {
      takes: "title description priority",
      defaults: ["", 1n],
      run: (title = null, description = null, priority = null) => this.#create(title, description, priority),
    },
    get_ticket: {
      takes: "ticket_id",
      run: (id = null) => {
        const { ticket, missing } = this.#ticket(id);
        return missing ?? ticket;
      },
    },
    close_ticket: { takes: "ticket_id", run: (id = null) => this.#end(id, "Closed") },
    resolve_ticket: {
      takes: "ticket_id resolution",
      run: (id = null, resolution = null) => this.#end(id, "Resolved", resolution),
    },
    edit_ticket: { takes: "ticket_id updates", run: (id = null, updates = null) => this.#edit(id, updates) },
    ticket_login: { takes: "username password", run: (name = null, password = null) => this.#login(name, password) },
    ticket_get_login_status: { takes: "", run: () => record({ login_status: truth(this.get("current_user")) }) },
    logout: { takes: "", run: () => this.#logout() },
    get_user_tickets: { takes: "status", defaults: [null], run: (state = null) => this.#own(state) },
  };
}
