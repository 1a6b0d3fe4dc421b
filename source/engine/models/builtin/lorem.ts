/** Filler text for benchmarks: split into exactly so many token pieces, with lines unlike those around them. */
const words = [" sit", " non", " est", " sed", " cum", " nec", " per", " ita", " hic", " vel", " pro"];

export function loremText(tokens: number): string {
  return Array.from({ length: tokens }, (_, index) => words[(index * index + (index >> 4)) % words.length]!).join("");
}
