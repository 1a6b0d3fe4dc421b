/** Collects the earlier texts of a conversation, so that a lane shows repeated thoughts and steps once. */
import { type Entry, speakerOf, type Turn } from "../../engine/log/trajectory.ts";
import { factOf } from "../../engine/work/fact.ts";
import { partialJson, type PartialJson } from "../../engine/text/partial-json.ts";
import { isThought, type SaidBefore, stepTexts } from "./field-lines.ts";

/** Limit of earlier requests that are compared. */
const mostCompared = 99;

/** Returns the texts before the turn at this index. */
export function saidBefore(entries: readonly Entry[], index: number): SaidBefore | undefined {
  const entry = entries[index];
  if (entry?.kind !== "turn") return undefined;
  const own = speakerOf(entry);
  return {
    thought(text, open) {
      let times = 0;
      for (let at = index - 1; at >= 0; at--) {
        const turn = entries[at]!;
        if (turn.kind !== "turn" || speakerOf(turn) !== own) continue;
        if (times === mostCompared || !has(thoughtsIn(turn), text, open)) break;
        times += 1;
      }
      return times;
    },
    step(text, open) {
      const last = entries.findLast((turn, at): turn is Turn => at < index && turn.kind === "turn");
      return last !== undefined && speakerOf(last) !== own && has(stepsIn(last), text, open);
    },
  };
}

const has = (texts: readonly string[], text: string, open: boolean): boolean =>
  texts.some((each) => each === text || (open && each.startsWith(text)));

const thoughtsIn = factOf(({ text, thinking }: Turn): readonly string[] => [
  ...(thinking === "" ? [] : [thinking]),
  ...named(partialJson(text)),
]);

/** Returns the thoughts among the fields of a value. */
function named(value: PartialJson | undefined): readonly string[] {
  if (value?.kind === "list") return value.items.flatMap(named);
  if (value?.kind !== "object") return [];
  return value.entries.flatMap(([name, each]) => (each.kind === "text" && isThought(name) ? [each.text] : named(each)));
}

const stepsIn = factOf(({ text }: Turn): readonly string[] => {
  const value = partialJson(text);
  return value === undefined ? [] : stepTexts(value);
});
