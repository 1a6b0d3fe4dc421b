import { expect, test } from "vitest";
import { notebook, userFolder } from "./program.ts";

const user = userFolder("served");

const desk = `import { define } from "planwright";
const look = { name: "look", description: "Looks", parameters: { type: "object", properties: {} } };
export default define({
  environments: {
    desk: {
      open: async () => ({ tools: [look], call: async () => ({ ok: true, observation: "a lamp", status: "ok" }) }),
    },
  },
});
`;

test("a user's own environment serves questions, and its code is part of the run's identity", () => {
  const file = user.write("desk.ts", desk);
  user.write("session/tasks.jsonl", '{"question":"What is on the desk?","answer":"lamp"}\n');
  user.write("session/session.md", notebook("suite: mcp\ntools: [desk]\nstrategy: adaplanner\nmodel: builtin/oracle"));
  const [before] = user.runs("--with", file);
  expect(before).toMatchObject({ status: "done", counts: { right: 1 } });
  expect(before!.spec).toMatchObject({
    toolServers: { desk: "environment" },
    code: { "environment:desk": expect.stringMatching(/^[0-9a-f]{16}$/) },
  });
  user.write("desk.ts", desk.replace("a lamp", "a book"));
  expect(user.runs("--with", file)[0]!.run).not.toBe(before!.run);
  const { out } = user.planwright("run", user.at("session"));
  expect(out).toContain("Expected `tools` to name your tool servers");
});

test.each([
  [
    desk.replace("observation", "content"),
    'TypeError: Expected `look` to give `ok`, `observation` and `status`, got {"ok":true,"content":"a lamp","status":"ok"}',
  ],
  [desk.replace("call: async () => (", "call: async () => void ("), "`observation` and `status`, got nothing"],
  [desk.replace("tools: [look]", "tool: [look]"), "Expected environment `desk` to return a list `tools`, got none"],
])("an invalid environment or result is reported, and not sent to a model", (text, why) => {
  const file = user.write("desk.ts", text);
  user.write("session/tasks.jsonl", '{"question":"What is on the desk?","answer":"lamp"}\n');
  user.write("session/session.md", notebook("suite: mcp\ntools: [desk]\nstrategy: adaplanner\nmodel: builtin/oracle"));
  const { out } = user.planwright("run", "session", "--with", file);
  expect(out).toContain("Failure (bug): ");
  expect(out).toContain(why);
});
