/** Marks of series and groups in pictures, which are told apart by their shapes where colours are not seen. */

const shapes = [
  (x: number, y: number, r: number, ink: string) => `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${r}" ${ink}/>`,
  (x: number, y: number, r: number, ink: string) => polygon([x, y - r, x + r, y + r, x - r, y + r], ink),
  (x: number, y: number, r: number, ink: string) =>
    polygon([x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r], ink),
  (x: number, y: number, r: number, ink: string) =>
    polygon([x, y - r - 1, x + r + 1, y, x, y + r + 1, x - r - 1, y], ink),
] as const;

/** The mark of the series of this number around a place, `r` from there to its edge: circle, triangle, square or diamond. */
export function shapeMark(number: number, x: number, y: number, r: number, ink: string): string {
  return shapes[number % shapes.length]!(x, y, r, ink);
}

function polygon(places: readonly number[], ink: string): string {
  return `<polygon points="${places.map(fixed).join(" ")}" ${ink}/>`;
}

const fixed = (value: number) => Number(value.toFixed(1));
