/** The strategies of a suite that ask a model by themselves: not those that ask none, nor agents, which are programs of the user's. */
import type { Strategy } from "../source/engine/strategy.ts";
import type { Suite } from "../source/engine/suite.ts";

export function askingStrategies({ strategies }: Pick<Suite, "strategies">): readonly Strategy[] {
  return strategies.filter(({ roles, mayLackModel }) => roles.length > 0 && mayLackModel !== true);
}
