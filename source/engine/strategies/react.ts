/**
 * ReAct: reason, act, observe, in turns (Yao et al., ICLR 2023).
 *
 * How an environment drives it. The bench makes one `Environment` for the episode.
 * - With a `dialect` the model acts in text: every step asks for a thought and then for an action (`dialect.messages`),
 *   reads the action (`dialect.parse`), carries it out (`call`) and adds the observation to the scratchpad, which
 *   `dialect.revise` may rewrite first. Limits: `dialect.maxSteps`, `dialect.maxPromptTokens`.
 * - Without one the model is given `tools` and calls functions. `opening` begins the conversation, every `ToolResult`
 *   goes back as a tool message (`observation`), `idle` answers a reply without calls. Limits: `maxRequests`, `maxDepth`.
 * Either way a result with `end` ends the episode; its answer, when there is one, becomes the task's. A call that needs a
 * model itself says so in `consult`. How the episode ended is the text of the last `end` note.
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

/** One episode in whichever way the environment is acted in. */
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
