/**
 * A strategy of one's own: several chains of thought, and the answer that most of them come to. Try it, with this file named
 * by --with:
 *
 *     suite: appbench
 *     strategy: [direct, my-strategy]
 *     model: builtin/oracle
 */
import { ask, define, type Strategy } from "planwright";

/** It asks in the stages a suite has (`direct` and `cot` do so too): one request each. */
const strategy: Strategy<"stages"> = {
  // What run cells name it by: letters, digits and dashes.
  name: "my-strategy",
  title: "My strategy",
  needs: "stages",
  // Raise it when results change although this code does not, as when a package it uses does.
  revision: 1,
  roles: ["model"],
  usesShots: true,
  // Run cells set it like any field: `my-votes: 5`, or `[1, 3, 5]` for a grid.
  options: [{ name: "my-votes", title: "Votes", values: "number", default: 3 }],
  async *run(context) {
    const { loaded, task, spec, shots } = context;
    const votes = Number(spec.options["my-votes"]);
    const answers: string[] = [];
    for (const stage of loaded.asks.stages(task, spec, shots)) {
      const replies: string[] = [];
      for (let vote = 0; vote < votes; vote++) {
        // Every request is logged, counted and shown as it comes. `seed` differs from vote to vote.
        const question = {
          role: "model",
          stage: stage.name,
          messages: stage.messages(answers, "steps"),
          temperature: 1,
        } as const;
        const reply = yield* ask(context, question);
        replies.push(stage.answer?.(reply.text, "steps") ?? reply.text);
      }
      answers.push(mostFrequent(replies));
    }
    yield { type: "answer", answer: { output: answers.at(-1) ?? "", stages: {} } };
  },
};

/** Of several that are as frequent, the first. */
function mostFrequent(replies: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reply of replies) counts.set(reply.trim(), (counts.get(reply.trim()) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return replies.find((reply) => counts.get(reply.trim()) === most) ?? "";
}

// By the suites it is added to; of those, the ones that are asked in stages.
export default define({ strategies: { appbench: [strategy], own: [strategy] } });
