/** Taking a reference call text apart and putting it together again, for replies made from the answer key. */
import { splitArguments } from "../score/canonical-call.ts";
import { callsOf, type Gold, type Answer } from "../data/gold.ts";

export type ReferenceCall = {
  app: string;
  /** Text left of the API name: `returned, names = `. */
  head: string;
  api: string;
  /** Keys without `#`; values as written, literals in quotes. */
  arguments: { key: string; value: string }[];
};

/** The calls of a reference plan, each a new object that may be changed. */
export function referenceCalls(gold: Pick<Gold, "used_app" | "api_results">): ReferenceCall[] {
  return callsOf(gold).map(({ app, text }) => {
    const open = text.indexOf("(");
    const sign = text.lastIndexOf("= ", open) + 2;
    const inside = text.slice(open + 1, text.lastIndexOf(")"));
    return {
      app,
      head: text.slice(0, sign),
      api: text.slice(sign, open),
      arguments: inside === "" ? [] : splitArguments(inside).map(argument),
    };
  });
}

function argument(piece: string): { key: string; value: string } {
  const text = piece.trim();
  const sign = text.indexOf("=");
  return { key: text.slice(1, sign), value: text.slice(sign + 1) };
}

/** Plan text, one line `App: [call]` per call. */
export function writePlan(calls: readonly ReferenceCall[]): string {
  return calls.map((call) => `${call.app}: [${writeCall(call)}]`).join("\n");
}

function writeCall({ head, api, arguments: given }: ReferenceCall): string {
  return `${head}${api}(${given.map(({ key, value }) => `#${key}=${value}`).join(", ")})`;
}

/** The answer that equals the reference: the oracle replies with it, and scores are compared with its own. */
export function perfectAnswer(gold: Gold): Required<Answer> {
  return { output: writePlan(referenceCalls(gold)), apps: `[${[...new Set(gold.used_app)].join(", ")}]` };
}
