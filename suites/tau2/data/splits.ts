/** Domains of tau2, and what `planwright score` takes. */
const domainNames = ["airline", "retail", "telecom"] as const;
export type DomainName = (typeof domainNames)[number];

/** Conversations of a domain, and the three kinds of conformance records of each. */
export const predictionSplits: readonly string[] = [
  ...domainNames,
  ...["gold", "trajectories", "protocol"].flatMap((kind) => domainNames.map((name) => `${kind}-${name}`)),
];
