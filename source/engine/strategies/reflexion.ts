/**
 * Reflexion: ReAct that learns in words from what went wrong (Shinn et al., NeurIPS 2023).
 *
 * How an environment drives it, beyond what `react.ts` says:
 * - An environment with `stuck` and a `dialect` with `reflect` is played in one episode: after every step that leaves it
 *   stuck a lesson is asked for, and all lessons stand in front of the prompts that follow; the scratchpad is kept
 *   (TravelPlanner's sole-planning agent).
 * - Any other is played in up to 3 trials, each in a new environment from scratch. After a trial with a `complaint` (absent:
 *   one without an answer) the model draws a lesson of 2 to 4 sentences from it; the last 3 lessons go into the next
 *   trial's opening. The answer is the last trial's.
 */
import { ask } from "../run/ask.ts";
import type { Environment } from "../protocol.ts";
import type { Strategy } from "../strategy.ts";
import type { Message } from "../types.ts";
import { episodesAtMost } from "./at-most.ts";
import type { Ending } from "./episode.ts";
import { openEnvironment } from "./episode.ts";
import { episode } from "./react.ts";

export const MOST_TRIALS = 3;
export const MOST_LESSONS = 3;

export const reflexion: Strategy<"environment"> = {
  name: "reflexion",
  title: "Reflexion",
  needs: "environment",
  revision: 1,
  roles: ["model"],
  async *run(context) {
    let lessons: readonly string[] = [];
    for (let trial = 1; ; trial++) {
      const environment = await openEnvironment(context);
      if (trial > 1) yield { type: "note", kind: "trial", text: `trial ${trial}` };
      const ending = yield* episode(context, environment, lessons, true);
      const complaint = complaintOf(environment, ending);
      const learnsInside = environment.stuck !== undefined && environment.dialect?.reflect !== undefined;
      if (complaint === undefined || learnsInside || trial === MOST_TRIALS) {
        yield { type: "note", kind: "end", text: ending.reason };
        if (ending.answer !== undefined) yield { type: "answer", answer: ending.answer };
        return;
      }
      const messages = lessonPrompt(environment, ending, complaint, context.task.question, lessons);
      const lesson = (yield* ask(context, { role: "model", stage: "reflect", messages })).text.trim();
      yield { type: "note", kind: "reflection", text: lesson };
      lessons = [...lessons, lesson].slice(-MOST_LESSONS);
    }
  },
  estimate: (context) => episodesAtMost(context, MOST_TRIALS),
};

function complaintOf(environment: Environment, ending: Ending): string | undefined {
  const unanswered = ending.answer === undefined ? `The attempt ended without an answer: ${ending.reason}.` : undefined;
  return unanswered ?? environment.complaint?.();
}

function lessonPrompt(
  environment: Environment,
  ending: Ending,
  complaint: string,
  question: string,
  lessons: readonly string[],
): readonly Message[] {
  if (environment.dialect?.reflect !== undefined) return environment.dialect.reflect(ending.transcript, lessons);
  if (environment.reflect !== undefined) return environment.reflect(ending.transcript, complaint, lessons);
  const system =
    "You tried to solve a task with tools and did not succeed. Say in two to four sentences why the attempt failed and what to do differently next time. Reply with these sentences only.";
  const content = `Task:\n${question}\n\nAttempt:\n${ending.transcript}\n\nWhat was wrong:\n${complaint}`;
  return [
    { role: "system", content: system },
    { role: "user", content },
  ];
}
