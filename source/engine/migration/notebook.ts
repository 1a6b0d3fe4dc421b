/** Words in notebooks of older versions. */

/** Former words for `measures` in some analyses. */
export const wordsForMeasures: readonly string[] = ["metric", "measure"];

/** Returns the present word for a choice of an analysis. */
export const currentChoice = (word: string): string => (wordsForMeasures.includes(word) ? "measures" : word);
