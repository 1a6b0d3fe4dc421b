/**
 * Reflexion: ReAct with verbal lessons from failures (Shinn et al., NeurIPS 2023).
 *
 * How an environment controls it, in addition to `react.ts`:
 * - An environment with `stuck` and a `dialect` with `reflect` takes one episode: after every step that leaves it stuck a
 *   lesson is requested, and all later prompts begin with the lessons; the scratchpad is kept (TravelPlanner's
 *   sole-planning agent).
 * - Any other takes up to 3 trials, each in a new environment. After a trial with a `complaint` (absent: one without an
 *   answer) the model draws a lesson of 2 to 4 sentences from it; all lessons so far are part of the next trial's opening.
 *   The answer is the last trial's.
 */
import { promptMessages, promptPair } from "../settings/prompt-template.ts";
import { ask } from "../run/ask.ts";
import type { Environment } from "../protocol.ts";
import type { Strategy } from "../strategy.ts";
import type { Message, RunSpec, Task } from "../types.ts";
import { type Ending, openEnvironment, episodesAtMost } from "./episode.ts";
import { episode } from "./react.ts";

const reflecting = promptPair("reflect", {
  role: "model",
  system:
    "You tried to solve a task with tools and did not succeed. Say in two to four sentences why the attempt failed and what to do differently next time. Reply with these sentences only.",
  user: "Task:\n{{question}}\n\nAttempt:\n{{attempt}}\n\nWhat was wrong:\n{{complaint}}",
});

const mostTrials = 3;

export const reflexion: Strategy<"environment"> = {
  name: "reflexion",
  title: "Reflexion",
  needs: "environment",
  offersFunctions: true,
  revision: 1,
  roles: ["model"],
  prompts: reflecting,
  async *run(context) {
    let lessons: readonly string[] = [];
    for (let trial = 1; ; trial++) {
      const environment = await openEnvironment(context);
      if (trial > 1) yield { type: "note", kind: "trial", text: `trial ${trial}` };
      const ending = yield* episode(context, environment, lessons, true);
      const complaint = complaintOf(environment, ending);
      const learnsInside = environment.stuck !== undefined && environment.dialect?.reflect !== undefined;
      if (complaint === undefined || learnsInside || trial === mostTrials) {
        yield { type: "note", kind: "end", text: ending.reason };
        if (ending.answer !== undefined) yield { type: "answer", answer: ending.answer };
        return;
      }
      const messages = lessonPrompt(environment, ending, complaint, context, lessons);
      const lesson = (yield* ask(context, { role: "model", stage: "reflect", messages })).text.trim();
      yield { type: "note", kind: "reflection", text: lesson };
      lessons = [...lessons, lesson];
    }
  },
  estimate: (context) => episodesAtMost(context, mostTrials),
};

function complaintOf(environment: Environment, ending: Ending): string | undefined {
  const unanswered = ending.answer === undefined ? `The attempt ended without an answer: ${ending.reason}.` : undefined;
  return unanswered ?? environment.complaint?.();
}

function lessonPrompt(
  environment: Environment,
  ending: Ending,
  complaint: string,
  { task: { question }, spec }: { readonly task: Pick<Task, "question">; readonly spec: Pick<RunSpec, "prompts"> },
  lessons: readonly string[],
): readonly Message[] {
  if (environment.dialect?.reflect !== undefined) return environment.dialect.reflect(ending.transcript, lessons);
  if (environment.reflect !== undefined) return environment.reflect(ending.transcript, complaint, lessons);
  return promptMessages(spec, reflecting, { question, attempt: ending.transcript, complaint });
}
