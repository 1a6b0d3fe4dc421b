/** A judge's opinion on the kind of an error, beside that of the rules (`errors: judge`). */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import {
  errorClasses,
  agreedClass,
  type Classified,
  type ErrorClass,
} from "../../../source/engine/toolkits/error-classes.ts";
import type { Mistake } from "../../../source/engine/types.ts";

/** Errors of one task that are shown to the judge; the rest keep the kind the rules gave. */
export const mostJudged = 8;

export type Judged = {
  readonly errors: readonly Mistake[];
  /** How many were judged, and how many of these as the rules had them. */
  readonly metrics: Readonly<Record<"errors.judged" | "errors.agreed", number>>;
};

/** The same errors, with the judge's kind where it named one. Both opinions go into the numbers; the judge's counts. */
export async function judgeErrors(
  question: string,
  errors: readonly Mistake[],
  ask: NonNullable<ScoreContext["ask"]>,
): Promise<Judged> {
  let [judged, agreed] = [0, 0];
  const kept: Mistake[] = [];
  for (const error of errors) {
    const read = judged < mostJudged ? readKind(await ask("judge-error", messages(question, error))) : undefined;
    const opinions: Classified[] = [{ kind: error.kind as ErrorClass, source: "rules" }];
    if (read !== undefined) {
      opinions.push({ kind: read, source: "judge" });
      judged += 1;
      if (read === error.kind) agreed += 1;
    }
    kept.push({ ...error, kind: agreedClass(opinions)!.kind });
  }
  return { errors: kept, metrics: { "errors.judged": judged, "errors.agreed": agreed } };
}

function messages(question: string, { got = "" }: Mistake): Parameters<NonNullable<ScoreContext["ask"]>>[1] {
  const kinds = errorClasses.map(({ name, note }) => `${name}: ${note}`).join("\n");
  const system = `Name the kind of an error that was made while a request was served with tools. The kinds:\n${kinds}\nReply with one JSON object: {"kind": "one of the names"}.`;
  return [
    { role: "system", content: system },
    { role: "user", content: `Request: ${question}\nWhat happened: ${got}` },
  ];
}

/** The kind a reply names; undefined where it names none, or several outside the field asked for. */
function readKind(reply: string): ErrorClass | undefined {
  const given = /"kind"\s{0,9}:\s{0,9}"([a-z-]{1,40})"/.exec(reply)?.[1];
  const named = errorClasses.filter(({ name }) => (given === undefined ? reply.includes(name) : given === name));
  return named.length === 1 ? named[0]!.name : undefined;
}
