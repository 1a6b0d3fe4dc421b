/** The domains of tau2; below are its splits and the splits that `planwright score` takes. */
export const domainNames = ["airline", "retail", "telecom"] as const;
export type DomainName = (typeof domainNames)[number];

export type Split = {
  readonly name: string;
  readonly title: string;
  readonly domain: DomainName;
  readonly ids: string;
};

/** The published splits. A domain's own name is its `base`, which published results use. */
export const splits: readonly Split[] = domainNames.flatMap((domain) => [
  { name: domain, title: `${domain}, all tasks with published results`, domain, ids: "base" },
  ...(domain === "telecom"
    ? [
        { name: "telecom-full", title: "telecom, all 2,285 tasks", domain, ids: "full" },
        { name: "telecom-small", title: "telecom, 20 tasks with one fault each", domain, ids: "small" },
      ]
    : []),
  ...["train", "test"].map((ids) => ({ name: `${domain}-${ids}`, title: `${domain}, ${ids}`, domain, ids })),
]);

/** Conversations of a domain, and the three kinds of conformance records of each. */
export const predictionSplits: readonly string[] = [
  ...domainNames,
  ...["gold", "trajectories", "protocol"].flatMap((kind) => domainNames.map((name) => `${kind}-${name}`)),
];
