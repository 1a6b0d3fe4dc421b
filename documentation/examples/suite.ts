/**
 * A benchmark of one's own. Try it, with this file named by --with:
 *
 *     suite: my-suite
 *     strategy: [direct, cot]
 *     model: builtin/oracle
 */
import { define, simpleSuite } from "planwright";

const suite = simpleSuite({
  // What run cells name it by: letters, digits and dashes.
  name: "my-suite",
  title: "My suite",
  // Or a function that gives them, read from a file for instance: `tasks: async () => JSON.parse(await readFile(...))`.
  tasks: [
    // `answer` is the answer key: builtin/oracle replies with it. `facets` are what analyses group by.
    { id: "a", question: "1 + 1", answer: "2", facets: { digits: 1 } },
    { id: "b", question: "11 + 11", answer: "22", facets: { digits: 2 } },
  ],
  // What the model is asked: a text, or a list of messages.
  prompt: (task) => `Answer with the number only: ${task.question}`,
  // true or false, a number from 0 to 1, or a whole score with checks and kinds of errors.
  score: (task, reply) => reply.trim() === task.answer,
});

export default define({ suites: [suite] });
