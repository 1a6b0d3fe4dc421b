/** The strategies that act with tools, for suites with many tools. */
import { adaplanner } from "./adaplanner.ts";
import { dfsdt, singleChain } from "./dfsdt.ts";
import { react } from "./react.ts";
import { reflexion } from "./reflexion.ts";
import { toolPlanner } from "./tool-planner.ts";
import { toolchainStar } from "./toolchain-star.ts";
import { withToolkits } from "./with-toolkits.ts";

const loops = [react, reflexion, adaplanner, dfsdt, singleChain];

export const acting = [...loops, toolPlanner, toolchainStar];

/** The same strategies with a plan over toolkits first, in the order of Tool-Planner's tables. */
export const actingOverToolkits = [toolPlanner, ...loops.map(withToolkits), toolchainStar];
