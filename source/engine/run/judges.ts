/** Several judges of one answer: each scores it, and the majority of their verdicts decides. */
import type { ScoreContext } from "../loaded-suite.ts";
import { verdictOf } from "../log/rows/verdict.ts";
import type { RunSpec, Score } from "../types.ts";
import { judgesOfRun } from "./run-models.ts";
import { UnreadVerdicts, type Verdicts } from "./verdicts.ts";

const prefix = "verdict ";
const words = { right: "success", wrong: "failure", unscored: "none" } as const;

/** The verdict of one of several judges; undefined if it cannot be read. */
export type JudgeVerdict = { readonly judge: string; readonly verdict: boolean | undefined };

/** Returns the verdicts of several judges as labels of a score; none for a single judge. */
export function keptVerdicts({ labels = {} }: Pick<Score, "labels">): readonly JudgeVerdict[] {
  return Object.entries(labels).flatMap(([name, said]): JudgeVerdict[] =>
    name.startsWith(prefix)
      ? [{ judge: name.slice(prefix.length), verdict: said === words.unscored ? undefined : said === words.right }]
      : [],
  );
}

/**
 * Returns the score by the run's judge, or by the majority of its judges; `verdictsOf` makes the requests for each judge. The
 * score is that of the first judge in the majority, with all verdicts as labels. A tie gives no verdict, and neither does a judge
 * whose replies cannot be read. Rejects with `UnreadVerdicts` if no judge gives a verdict.
 */
export async function scoreByJudges(
  spec: RunSpec,
  verdictsOf: (judge: string) => Verdicts,
  score: (ask: ScoreContext["ask"]) => Promise<Score>,
): Promise<Score> {
  const judges = judgesOfRun(spec);
  if (judges.length === 0) return score(undefined);
  const said: { readonly judge: string; readonly score: Score | undefined }[] = [];
  let unread: UnreadVerdicts | undefined;
  for (const judge of judges) {
    const verdicts = verdictsOf(judge);
    const found = await score(verdicts.ask);
    // Rules decide without a judge: the other judges would agree.
    if (judges.length === 1 || !verdicts.isAsked) return (verdicts.mustBeRead(), found);
    const problem = verdicts.unread();
    unread ??= problem;
    said.push({ judge, score: problem === undefined ? found : undefined });
  }
  const readable = said.flatMap((each) => each.score ?? []);
  if (readable.length === 0) throw unread!;
  const labels = Object.fromEntries(said.map((each) => [prefix + each.judge, words[verdictOf(each.score)]]));
  const of = (verdict: "right" | "wrong") => readable.filter((each) => verdictOf(each) === verdict);
  const [right, wrong] = [of("right"), of("wrong")];
  const [first] = right.length > wrong.length ? right : wrong;
  if (right.length === wrong.length || first === undefined)
    return { value: undefined, metrics: {}, checks: [], errors: [], labels: { ...readable[0]!.labels, ...labels } };
  return { ...first, labels: { ...first.labels, ...labels } };
}
