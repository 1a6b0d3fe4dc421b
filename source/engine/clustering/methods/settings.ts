/** The clustering methods and their settings. */

export const methods = ["kmeans", "dbscan"] as const;
export type Method = (typeof methods)[number];

export type GroupingSettings =
  | {
      readonly method: "kmeans";
      readonly k: number;
      readonly inits?: number;
      readonly seed?: number;
      readonly plain?: boolean;
    }
  | { readonly method: "dbscan"; readonly eps: number };
