/** What each strategy tells a run before it starts. A saved run is identified by some of these facts. */
import { expect, it } from "vitest";
import { adaplanner } from "../../../source/engine/strategies/adaplanner.ts";
import { agent, stagedAgent } from "../../../source/engine/strategies/agent.ts";
import { conversation } from "../../../source/engine/strategies/conversation.ts";
import { dfsdt, singleChain } from "../../../source/engine/strategies/dfsdt.ts";
import { dialogue } from "../../../source/engine/strategies/dialogue.ts";
import { cot, direct } from "../../../source/engine/strategies/direct.ts";
import { askedByProcess } from "../../../source/engine/strategies/process.ts";
import { react } from "../../../source/engine/strategies/react.ts";
import { reflexion } from "../../../source/engine/strategies/reflexion.ts";
import { toolPlanner } from "../../../source/engine/strategies/tool-planner.ts";
import { toolchainStar } from "../../../source/engine/strategies/toolchain-star.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";

const bounds = ["planner.requests 60", "planner.calls 60"];

it.each([
  [adaplanner, "model actor", "environment 1", bounds],
  [agent, "model actor", "environment 1 mayLackModel", ["agent "]],
  [stagedAgent, "model actor", "stages 1 mayLackModel usesShots", ["agent "]],
  [askedByProcess, "model actor responder user", "process 1 asksJudge mayLackModel", []],
  [conversation, "model user", "conversation 1 offersFunctions", []],
  [cot, "model", "stages 1 usesShots", []],
  [dfsdt, "model", "environment 2 offersFunctions", ["search.width 2", "search.depth 12", "search.queries 200"]],
  [dialogue, "model responder", "dialogue 1", []],
  [direct, "model", "stages 1 usesShots", []],
  [react, "model", "environment 1 offersFunctions", []],
  [reflexion, "model", "environment 1 offersFunctions", []],
  [singleChain, "model", "environment 2 offersFunctions", ["search.depth 12", "search.tries 1", "search.queries 60"]],
  [
    toolPlanner,
    "model actor",
    "environment 1",
    [
      ...bounds,
      "planner.replans 3",
      "planner.apis 10",
      "planner.prefilter 50",
      "planner.check status",
      "planner.restart after-lca",
      "planner.order shuffled",
      "format free",
    ],
  ],
  [
    toolchainStar,
    "model",
    "environment 1 usesShots",
    [
      "toolchain.samples 5",
      "toolchain.alpha 0.5",
      "toolchain.beta 0.5",
      "toolchain.memory fixed",
      "toolchain.temperature 0.7",
      ...bounds,
    ],
  ],
] as unknown as readonly (readonly [strategy: Strategy, roles: string, facts: string, options: readonly string[]])[])(
  "strategy %# has its roles, its revision and the defaults of its options",
  (strategy, roles, facts, options) => {
    const flags = ["asksJudge", "mayLackModel", "offersFunctions", "usesShots"] as const;
    const told = flags.filter((name) => strategy[name] === true);
    expect({
      roles: strategy.roles.join(" "),
      facts: [strategy.needs, strategy.revision, ...told].join(" "),
      options: (strategy.options ?? []).map(({ name, default: standard }) => `${name} ${String(standard)}`),
    }).toEqual({ roles, facts, options });
  },
);
