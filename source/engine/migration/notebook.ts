/** Words that notebooks of older versions contain. */

/** Words that some analyses had for `measures`. */
export const wordsForMeasures: readonly string[] = ["metric", "measure"];

/** The present word for a choice of an analysis. */
export const currentChoice = (word: string): string => (wordsForMeasures.includes(word) ? "measures" : word);
