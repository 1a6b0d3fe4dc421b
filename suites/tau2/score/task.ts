/** A task of tau2 in the form in which it is executed and scored. */
import type { DomainName } from "../data/splits.ts";
import type { Fields } from "../environment/value.ts";
import type { Side, World } from "../environment/world.ts";

/** A domain with its data loaded; each world belongs to one episode. */
export type Domain = {
  readonly name: DomainName;
  /** The tools of both sides, of no episode. */
  readonly tools: Pick<World, "agentTools" | "userTools">;
  open(): World;
};

type Named = { readonly side: Side; readonly name: string; readonly args: Fields };
export type Criteria = {
  /** `compared`: the arguments that count; absent if all do. */
  readonly actions: readonly (Named & { readonly compared: readonly string[] | undefined })[];
  readonly assertions: readonly (Named & { readonly expected: boolean })[];
  /** Texts that the agent must send. */
  readonly communicate: readonly string[];
  readonly basis: readonly ("DB" | "COMMUNICATE" | "ENV_ASSERTION" | "ACTION")[];
};

/** The simulated user's persona and goal. */
export type Scenario = {
  readonly persona: string | undefined;
  readonly instructions:
    | string
    | {
        readonly domain: string;
        readonly reason: string;
        readonly known: string | undefined;
        readonly unknown: string | undefined;
        readonly task: string;
      };
};

export type Tau2Task = {
  readonly id: string;
  readonly domain: Domain;
  readonly scenario: Scenario;
  readonly initialActions: readonly Named[];
  readonly criteria: Criteria;
  /** The world after the reference's calls, computed once. */
  reference(): World;
};
