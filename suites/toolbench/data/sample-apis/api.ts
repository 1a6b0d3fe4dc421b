/** How one API of the sample is described. */

/** `dead` never works, `unsubscribed` refuses, `flaky` fails about every second call (seeded), `works` always answers. */
export type Health = "works" | "flaky" | "dead" | "unsubscribed";

export type SampleApi = {
  readonly category: string;
  readonly tool: string;
  readonly api: string;
  readonly description: string;
  readonly family: string;
  /** Names of its parameters, in the order of what its family needs. */
  readonly parameters: readonly string[];
  readonly health: Health;
};

/** One row of a category: tool, API, description, family, parameters, health. */
export type ApiRow = readonly [string, string, string, string, readonly string[], Health];

export const inCategory = (category: string, rows: readonly ApiRow[]): readonly SampleApi[] =>
  rows.map(([tool, api, description, family, parameters, health]) => ({
    category,
    tool,
    api,
    description,
    family,
    parameters,
    health,
  }));
