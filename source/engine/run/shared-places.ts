/** Places for tasks in flight that runs at one endpoint share: what an earlier run leaves free is a later one's. */

export type PlaceTaker = {
  /** How many of its tasks are in flight. */
  readonly taken: number;
  /** Starts tasks as long as there are places for them. */
  fill(): void;
};

export class SharedPlaces {
  readonly #takers = new Set<PlaceTaker>();
  #closed = false;

  /** Tasks in flight, of all runs together. */
  get taken(): number {
    return [...this.#takers].reduce((sum, { taken }) => sum + taken, 0);
  }

  join(taker: PlaceTaker): void {
    this.#takers.add(taker);
  }
  leave(taker: PlaceTaker): void {
    this.#takers.delete(taker);
  }

  /** Offers what is free to the runs in the order they came. */
  offer(): void {
    for (const taker of this.#takers) taker.fill();
  }

  /** The endpoint stays away: no further run is begun at it. */
  close(): void {
    this.#closed = true;
  }
  get closed(): boolean {
    return this.#closed;
  }
}
