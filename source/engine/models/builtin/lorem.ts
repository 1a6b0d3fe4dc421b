/** Filler text for benchmarks: split into exactly so many token pieces. */
const word = " sit";

export function loremText(tokens: number): string {
  return word.repeat(tokens);
}
