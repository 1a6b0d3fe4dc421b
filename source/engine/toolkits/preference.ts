/** Pairwise comparison of two answers by a judge, in both orders to cancel position bias. */
import { promptMessages, promptPair } from "../settings/prompt-template.ts";
import type { RunSpec } from "../types.ts";
import type { ScoreContext, VerdictReading } from "../loaded-suite.ts";
import { objectForm } from "../protocol.ts";

export type Vote = "candidate" | "reference" | "none";
type Ask = NonNullable<ScoreContext["ask"]>;

export const preferencePrompts = promptPair("judge-preference", {
  role: "judge",
  system:
    'Two answers to one request are shown. Choose the better one: more informative, more faithful to what the calls returned, better reasoned; then the one with more milestones reached, more exploration, and fewer repeated calls. Reply with one JSON object: {"reason": "why, briefly", "better": 1 or 2}.',
  user: "Request: {{request}}\n\nAnswer 1:\n{{first}}\n\nAnswer 2:\n{{second}}",
});

/** Resolves to both votes, one for each order in which the two answers are shown; a reply that picks neither counts as `none`. */
export async function preference(
  request: string,
  candidate: string,
  reference: string,
  ask: Ask,
  spec: Pick<RunSpec, "judgePrompts"> = {},
) {
  const compare = async (first: string, second: string): Promise<0 | 1 | undefined> =>
    readChoice(
      await ask("judge-preference", promptMessages(spec, preferencePrompts, { request, first, second }), choice),
    );
  const ahead = await compare(candidate, reference);
  const behind = await compare(reference, candidate);
  return [vote(ahead, "candidate", "reference"), vote(behind, "reference", "candidate")];
}

const choice: VerdictReading = {
  isReadable: (reply) => readChoice(reply) !== undefined,
  form: objectForm("preference", { reason: { type: "string" }, better: { type: "integer", enum: [1, 2] } }),
};

const vote = (better: 0 | 1 | undefined, first: Vote, second: Vote): Vote =>
  better === undefined ? "none" : better === 0 ? first : second;

function readChoice(text: string): 0 | 1 | undefined {
  const named = /"better"\s{0,9}:\s{0,9}"?([12])\b/.exec(text)?.[1];
  return named === "1" ? 0 : named === "2" ? 1 : undefined;
}

/** Returns two votes as metrics and a label: more votes win, a tie is not a win. */
export function voteSummary(votes: readonly Vote[]) {
  const count = (wanted: Vote) => votes.filter((one) => one === wanted).length;
  const [candidate, reference] = [count("candidate"), count("reference")];
  return {
    metrics: { win: candidate > reference ? 1 : 0, "votes.candidate": candidate, "votes.reference": reference },
    labels: { votes: votes.join(", ") },
  };
}
