/** The toolkits a run worked with, as analyses show them. */

export type Clusters = {
  readonly toolkits: readonly { readonly id: number; readonly description: string }[];
  readonly apis: readonly ClusteredApi[];
};

export type ClusteredApi = {
  readonly name: string;
  /** Category, package or the like: what purity is counted against. */
  readonly group: string;
  readonly toolkit: number;
  /** Position on the two-dimensional map. */
  readonly x: number;
  readonly y: number;
  /** Indexes of the nearest other APIs, the nearest first. */
  readonly neighbours: readonly number[];
};
