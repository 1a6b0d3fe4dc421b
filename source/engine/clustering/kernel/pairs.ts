/** Pairs of tiles, each with itself and with every one before it, in a row: the pieces of a comparison of all pairs. */

/** How many pairs so many tiles make. */
export function pairCount(tiles: number): number {
  return (tiles * (tiles + 1)) / 2;
}

/** The pair of this number, from 0 on: a tile, and itself or one before it. */
export function pairAt(index: number): { readonly down: number; readonly across: number } {
  let down = Math.floor((Math.sqrt(8 * index + 1) - 1) / 2);
  while (pairCount(down + 1) <= index) down += 1;
  while (pairCount(down) > index) down -= 1;
  return { down, across: index - pairCount(down) };
}
