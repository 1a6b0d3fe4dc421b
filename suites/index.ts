/** All benchmarks. To register a new suite, add a line to this array. */
import type { Suite } from "../source/engine/suite.ts";
import { apibench } from "./apibench/index.ts";
import { appbench } from "./appbench/index.ts";
import { mcp, own } from "./own/index.ts";
import { planbench } from "./planbench/index.ts";
import { process } from "./process/index.ts";
import { planningarena } from "./planningarena/index.ts";
import { toolbench } from "./toolbench/index.ts";
import { tau2 } from "./tau2/index.ts";
import { travelplanner } from "./travelplanner/index.ts";
import { ultratool } from "./ultratool/index.ts";

export const suites: readonly Suite[] = [
  appbench,
  ultratool,
  travelplanner,
  planningarena,
  toolbench,
  apibench,
  own,
  mcp,
  planbench,
  tau2,
  process,
];
