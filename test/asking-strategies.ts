/** The strategies of a suite that ask a model themselves: excluding those that ask none, and agents, which are the user's programs. */
import type { Strategy } from "../source/engine/strategy.ts";
import type { Suite } from "../source/engine/suite.ts";

export function askingStrategies({ strategies }: Pick<Suite, "strategies">): readonly Strategy[] {
  return strategies.filter(({ roles, mayLackModel }) => roles.length > 0 && mayLackModel !== true);
}
