/**
 * ReAct: alternate reasoning, actions and observations (Yao et al., ICLR 2023).
 *
 * How an environment controls it. The loaded suite opens one `Environment` for the episode.
 * - With a `dialect` the model acts in text: every step requests a thought and then an action (`dialect.messages`), parses
 *   the action (`dialect.parse`), executes it (`call`) and adds the observation to the scratchpad, which `dialect.revise` may
 *   rewrite first. Limits: `dialect.maxSteps`, `dialect.maxPromptTokens`.
 * - Without one the model gets `tools` and calls functions. `opening` begins the conversation, every `ToolResult` is
 *   returned as a tool message (`observation`), `idle` answers a reply without calls. Limits: `maxRequests`, `maxDepth`.
 * In both cases a result with `end` ends the episode; its answer, if any, becomes the task's. A call that itself needs a
 * model asks for it by `consult`. The reason of the end is the text of the last `end` note.
 */
import type { Environment } from "../protocol.ts";
import type { TaskContext, Strategy } from "../strategy.ts";
import type { Step } from "../types.ts";
import { episodesAtMost } from "./at-most.ts";
import { callEpisode } from "./call-episode.ts";
import type { Ending } from "./episode.ts";
import { openEnvironment } from "./episode.ts";
import { textEpisode } from "./text-episode.ts";

export const react: Strategy<"environment"> = {
  name: "react",
  title: "ReAct",
  needs: "environment",
  revision: 1,
  roles: ["model"],
  async *run(context) {
    const ending = yield* episode(context, await openEnvironment(context), [], false);
    yield { type: "note", kind: "end", text: ending.reason };
    if (ending.answer !== undefined) yield { type: "answer", answer: ending.answer };
  },
  estimate: (context) => episodesAtMost(context, 1),
};

/** One episode, by text where the environment has a dialect, else by function calls. */
export function episode(
  context: TaskContext,
  environment: Environment,
  lessons: readonly string[],
  reflects: boolean,
): AsyncGenerator<Step, Ending> {
  const { dialect } = environment;
  return dialect === undefined
    ? callEpisode(context, environment, lessons)
    : textEpisode(context, environment, dialect, lessons, reflects);
}
