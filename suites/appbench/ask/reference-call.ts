/** Parses and rewrites reference calls, for replies built from the answer key. */
import { splitArguments } from "../score/canonical-call.ts";
import { callsOf, type Gold, type Answer } from "../data/gold.ts";

export type ReferenceCall = {
  app: string;
  /** Text before the API name: `returned, names = `. */
  head: string;
  api: string;
  /** Keys without `#`; values as written, literals in quotes. */
  arguments: { key: string; value: string }[];
};

/** Parses the calls of a reference plan into new objects that may be changed. */
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

/** Writes a plan, one line `App: [call]` per call. */
export const writePlan = (calls: readonly ReferenceCall[]): string =>
  calls.map((call) => `${call.app}: [${writeCall(call)}]`).join("\n");

const writeCall = ({ head, api, arguments: given }: ReferenceCall): string =>
  `${head}${api}(${given.map(({ key, value }) => `#${key}=${value}`).join(", ")})`;

/** Builds the answer that equals the reference. The oracle replies with it, and its score is the ceiling. */
export const perfectAnswer = (gold: Gold): Required<Answer> => ({
  output: writePlan(referenceCalls(gold)),
  apps: `[${[...new Set(gold.used_app)].join(", ")}]`,
});
