/**
 * A suite of one's own in which two models talk and both act: a reader wants a book and has a library card that only the reader
 * can look at, a librarian lends it. Try it, with this file named by --with; `user` plays the reader:
 *
 *     suite: library
 *     model: builtin/oracle
 *     user: builtin/oracle
 */
import {
  conversation,
  define,
  simpleSuite,
  type Asked,
  type Conversation,
  type ConversationAnswer,
  type Reply,
  type ToolSpec,
} from "planwright";

type Book = { readonly id: string; readonly question: string; readonly answer: string; readonly card: string };

const books: readonly Book[] = [
  { id: "whales", question: "You want to borrow Moby-Dick.", answer: "Moby-Dick", card: "R-17" },
  { id: "winds", question: "You want to borrow Wuthering Heights.", answer: "Wuthering Heights", card: "R-52" },
];

const tool = (name: string, description: string, ...needed: readonly string[]): ToolSpec => {
  const properties = Object.fromEntries(needed.map((each) => [each, { type: "string" }]));
  return { name, description, parameters: { type: "object", properties, required: needed } };
};

/** A conversation lives for one task, with a state of its own: here, who has borrowed what. */
function opened(book: Book): Conversation {
  let lent = "";
  const system = (content: string) => [{ role: "system", content }] as const;
  return {
    sides: {
      model: {
        opening: system("You are a librarian. Ask for the number of the card, then lend the book."),
        tools: [tool("lend", "Lends a book", "title", "card")],
      },
      user: {
        opening: system(`${book.question} Say DONE when you have it, or BYE if you cannot get it.`),
        tools: [tool("look_at_card", "Shows your card")],
      },
    },
    greeting: "Good morning!",
    async call(by, { name, arguments: given }) {
      const { title, card } = (given ?? {}) as { readonly title?: unknown; readonly card?: unknown };
      if (by === "user" && name === "look_at_card") return { ok: true, observation: book.card, status: "shown" };
      if (by === "user" || name !== "lend")
        return { ok: false, observation: "There is no such tool", status: "unknown" };
      lent = `${String(title)} to ${String(card)}`;
      return { ok: true, observation: `Lent: ${lent}`, status: "lent" };
    },
    ends: (by, text) => (by === "user" && /DONE|BYE/.test(text) ? `lent: ${lent}` : undefined),
    limits: { steps: 30, errors: 5 },
  };
}

/** Both sides played from the answer key, for `builtin/oracle`. */
function perfect(book: Book, { role, messages }: Asked): Reply {
  const called = messages.some((message) => message.role === "assistant" && message.calls !== undefined);
  const call = (name: string, given: { readonly [name: string]: string }): Reply => {
    return { text: "", calls: [{ id: name, name, text: JSON.stringify(given), arguments: given }] };
  };
  const heard = messages.findLast((message) => message.role === "user")?.content ?? "";
  if (role !== "user") {
    if (called) return { text: "Here you are." };
    return heard.includes("R-") ? call("lend", { title: book.answer, card: heard }) : { text: "Your card, please?" };
  }
  if (heard.includes("card")) return called ? { text: book.card } : call("look_at_card", {});
  return { text: heard === "Here you are." ? "DONE" : `${book.answer}, please.` };
}

const library = simpleSuite<Book, "conversation">({
  name: "library",
  tasks: books,
  prompt: ({ question }) => question,
  score: () => false,
  suite: { strategies: [conversation] },
  async extend(simple) {
    return {
      ...simple,
      asks: {
        conversation: {
          open: async ({ input }) => opened(input),
          limits: () => ({ requests: 30, prompt: 300, reply: 50 }),
        },
      },
      oracle: ({ input }, asked) => perfect(input, asked),
      async score({ input }, { answer }) {
        const end = (answer as ConversationAnswer | undefined)?.end;
        const value = end?.reason === `lent: ${input.answer} to ${input.card}` ? 1 : 0;
        const errors = value === 1 ? [] : [{ kind: "wrong-answer", got: end?.reason ?? "nothing" }];
        return { value, metrics: { right: value }, checks: [], errors };
      },
    };
  },
});

export default define({ suites: [library] });
