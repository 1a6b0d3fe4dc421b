/** The public API, imported by users' files as `planwright`. Semantic versioning covers these names only. */
import type { Definition } from "./extension/definition.ts";
import type { checkContract } from "./kit/check-suite.ts";
import type { openSession } from "./kit/headless.ts";

export { pivot } from "./engine/measures/pivot/pivot.ts";
export { Problem } from "./engine/problem.ts";
export { act } from "./engine/run/ask.ts";
export { ask } from "./engine/run/ask.ts";
export { conversation } from "./engine/strategies/conversation.ts";
export { cot, direct, stagedOutput } from "./engine/strategies/direct.ts";
export { react } from "./engine/strategies/react.ts";
export { promptMessages } from "./engine/settings/prompt-template.ts";
export { simpleSuite } from "./engine/simple-suite/simple-suite.ts";

export { meanMeasure, ratioMeasure } from "./extension/public-api.ts";

export type { Analysis, Measure, Row, RunRows } from "./extension/public-api.ts";
export type { ErrorKind } from "./engine/benchmark.ts";
export type { Figure } from "./engine/figure.ts";
export type { LoadedSuite, ScoreContext } from "./engine/loaded-suite.ts";
export type { Option } from "./engine/option.ts";
export type {
  Asked,
  Conversation,
  ConversationAnswer,
  Environment,
  EnvironmentSource,
  Reply,
  Stage,
} from "./engine/protocol.ts";
export type { Strategy, TaskContext } from "./engine/strategy.ts";
export type { Suite } from "./engine/suite.ts";
export type {
  Json,
  Message,
  Outcome,
  RunSpec,
  Score,
  Step,
  Task,
  ToolCall,
  ToolResult,
  ToolSpec,
} from "./engine/types.ts";
export type { OpenSession } from "./kit/headless.ts";
export type { SimpleSuite, SimpleTask } from "./engine/simple-suite/simple-task.ts";
export type { Definition };

/** Declares the contents of a file: `export default define({ suites: [mine] })`. */
export function define(definition: Definition): Definition {
  return definition;
}

/** Opens a session without a screen; see `OpenSession` for its methods. */
export const open: typeof openSession = async (...given) => (await import("./kit/headless.ts")).openSession(...given);

/** Tests a suite's contract on its own tasks; returns the problems. */
export const checkSuite: typeof checkContract = async (...given) =>
  (await import("./kit/check-suite.ts")).checkContract(...given);
