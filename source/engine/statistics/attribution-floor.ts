/** Computes the accuracy of a constant answer and of a random guess on annotated failures. */

export type AttributionFloor = {
  /** The answer that is right most often, and its share. It is chosen from all annotations, which no method knows. */
  readonly constant: string;
  readonly share: number;
  /** The share of right answers if the constant for each log is chosen from the other logs. */
  readonly leave_one_out: number;
  /** The share that a random choice among the choices of each gets on average. */
  readonly random: number;
};

/** `choices` is the number of speakers or steps in each log. In a tie, the first answer is chosen. */
export function attributionFloor(annotated: readonly string[], choices: readonly number[]): AttributionFloor {
  const counts = new Map<string, number>();
  for (const each of annotated) counts.set(each, (counts.get(each) ?? 0) + 1);
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one);
  const [constant, most] = byCount[0] ?? ["", 0];
  // Left out, the most frequent answer is no longer first if another one is as frequent.
  const second = byCount[1]?.[1] ?? 0;
  return {
    constant,
    share: most / annotated.length,
    leave_one_out: (most > second ? most : 0) / annotated.length,
    random: choices.reduce((sum, count) => sum + (count === 0 ? 0 : 1 / count), 0) / choices.length,
  };
}
