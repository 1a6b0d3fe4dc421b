/** MessageAPI: people of a workspace and what was sent to them. */
import { among, dict, iterate, list, noAttribute, str } from "../python/operations.ts";
import { add } from "../python/operations.ts";
import { Dict, equal, fail, type Py, PySet, text, truth } from "../python/value.ts";
import { error, type Method, record, type Setting, System } from "./system.ts";

const nobody = "No user is currently logged in.";
const attributes = ["generated_ids", "user_count", "user_map", "inbox", "message_count", "current_user"];

/** Returns the first receiver and text of an entry of the inbox. */
function firstOf(message: Py): readonly [Py, Py] {
  return dict(message, "items").entries()[0] ?? fail("IndexError", "list index out of range");
}

export class Messages extends System {
  readonly typeName = "MessageAPI";
  protected override readonly seed = 200_191n;

  constructor(setting: Setting) {
    super(setting);
    this.load(attributes);
  }

  #people(): Dict {
    return dict(this.get("user_map"), "values");
  }

  #newId(): Py {
    const known = this.get("generated_ids");
    let id = this.random.whole(10_000, 99_999);
    while (among(id, known)) id = this.random.whole(10_000, 99_999);
    if (known instanceof PySet) known.items.set(id, null);
    else noAttribute(known, "add");
    return record({ new_id: id });
  }

  #send(receiver: Py, message: Py): Py {
    if (!truth(this.get("current_user"))) return error(nobody);
    if (!among(receiver, this.#people().values())) return error(`Receiver ID '${text(receiver)}' not found.`);
    const id = this.#newId();
    list(this.get("inbox"), "append").push(new Dict([[receiver, message]]));
    this.set("message_count", add(this.get("message_count"), 1n));
    return record({ sent_status: true, message_id: id, message: `Message sent to '${text(receiver)}' successfully.` });
  }

  #delete(receiver: Py): Py {
    if (!truth(this.get("current_user"))) return error(nobody);
    const inbox = list(this.get("inbox"), "remove");
    for (const message of inbox.toReversed()) {
      const [to] = firstOf(message);
      if (!equal(to, receiver)) continue;
      inbox.splice(
        inbox.findIndex((each) => equal(each, message)),
        1,
      );
      return record({
        deleted_status: true,
        receiver_id: to,
        message: `Receiver ${text(receiver)}'s latest message deleted successfully.`,
      });
    }
    return error(`Receiver ID ${text(receiver)} not found.`);
  }

  #sent(): Py {
    if (!truth(this.get("current_user"))) return error(nobody);
    const messages = new Dict();
    for (const each of iterate(this.get("inbox"))) {
      const [to, message] = firstOf(each);
      const before = messages.get(to);
      if (Array.isArray(before)) before.push(message);
      else messages.set(to, [message]);
    }
    return record({ messages });
  }

  #search(keyword: Py): Py {
    if (!truth(this.get("current_user"))) return error(nobody);
    const sought = str(keyword, "lower").toLowerCase();
    const results: Py[] = [];
    for (const each of iterate(this.get("inbox"))) {
      const [to, message] = firstOf(each);
      if (str(message, "lower").toLowerCase().includes(sought)) results.push(record({ receiver_id: to, message }));
    }
    return record({ results });
  }

  #addContact(name: Py): Py {
    const people = this.#people();
    if (people.has(name)) return error(`User name '${text(name)}' already exists.`);
    this.set("user_count", add(this.get("user_count"), 1n));
    const id = `USR${text(this.get("user_count")).padStart(3, "0")}`;
    if (among(id, people.values())) return error(`User ID '${id}' already exists.`);
    people.set(name, id);
    return record({ added_status: true, user_id: id, message: `Contact '${text(name)}' added successfully.` });
  }

  #statistics(): Py {
    if (!truth(this.get("current_user"))) return error(nobody);
    const inbox = iterate(this.get("inbox"));
    const contacts = new PySet(inbox.map((each) => firstOf(each)[0]));
    const stats = record({ received_count: BigInt(inbox.length), total_contacts: BigInt(contacts.items.size) });
    return record({ stats });
  }

  #login(id: Py): Py {
    if (!among(id, this.#people().values()))
      return record({ login_status: false, message: `User ID '${text(id)}' not found.` });
    this.set("current_user", id);
    return record({ login_status: true, message: `User '${text(id)}' logged in successfully.` });
  }

  protected readonly methods: Readonly<Record<string, Method>> = {
    list_users: { takes: "", run: () => record({ user_list: this.#people().keys() }) },
    get_user_id: {
      takes: "user",
      run: (user = null) =>
        this.#people().has(user)
          ? record({ user_id: this.#people().at(user) })
          : error(`User '${text(user)}' not found in the workspace.`),
    },
    message_login: { takes: "user_id", run: (id = null) => this.#login(id) },
    message_get_login_status: { takes: "", run: () => record({ login_status: truth(this.get("current_user")) }) },
    send_message: {
      takes: "receiver_id message",
      run: (receiver = null, message = null) => this.#send(receiver, message),
    },
    delete_message: { takes: "receiver_id", run: (receiver = null) => this.#delete(receiver) },
    view_messages_sent: { takes: "", run: () => this.#sent() },
    add_contact: { takes: "user_name", run: (name = null) => this.#addContact(name) },
    search_messages: { takes: "keyword", run: (keyword = null) => this.#search(keyword) },
    get_message_stats: { takes: "", run: () => this.#statistics() },
  };
}
