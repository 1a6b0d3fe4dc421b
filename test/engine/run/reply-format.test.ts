/** `format`: replies read as JSON can be requested as JSON, and perfect replies fit the schemas that are sent. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { emptySettings } from "../../../source/engine/settings/settings.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { Model, Role } from "../../../source/engine/types.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { refuses, says, scriptedServer } from "../models/scripted-server.ts";
import { cellNamed, runsOf, temporarySessions } from "../workbench/temporary-session.ts";

const sessions = temporarySessions();

const cell = (fields: string) => `\`\`\`run main\ndata: sample\nlimit: 2\n${fields}\n\`\`\`\n`;

type Asked = {
  readonly role: Role;
  readonly stage: string;
  readonly format: unknown;
  readonly reply: string;
  readonly prompt: string;
};

/** Runs the cell with built-in models, and returns their requests and replies next to the scores. */
async function execute(suite: Suite, fields: string) {
  const asked: Asked[] = [];
  const seen = (model: Model): Model => ({
    ...model,
    async *stream(request) {
      let reply = "";
      for await (const chunk of model.stream(request)) {
        if (chunk.type === "text") reply += chunk.text;
        yield chunk;
      }
      const prompt = request.messages.map(({ content }) => content).join("\n");
      asked.push({
        role: request.asker.role,
        stage: request.asker.stage,
        format: request.request?.["response_format"],
        reply,
        prompt,
      });
    },
  });
  const workbench = await sessions.open(cell(`suite: ${suite.name}\nmodel: builtin/oracle\n${fields}`), {
    suites: [suite],
    between: (models) => ({ ...models, model: (name) => seen(models.model(name)) }),
  });
  await workbench.run(cellNamed(workbench, "main"));
  const [run] = runsOf(workbench, "main");
  await workbench.close();
  return { run: run!, asked };
}

const cases: readonly (readonly [Suite, string, readonly string[]])[] = [
  [planningarena, "strategy: dialogue\nresponder: builtin/oracle\nfilter: {interface: API}", ["plan", "respond"]],
  [planningarena, "strategy: dialogue\nresponder: builtin/oracle\nfilter: {interface: APP}", ["plan", "respond"]],
  [ultratool, "split: en/tool_usage_awareness", ["tool_usage_awareness"]],
  [ultratool, "split: zh/tool_selection", ["tool_selection"]],
  [ultratool, "split: en/tool_usage\nlists: json", ["tool_usage"]],
  [toolbench, "strategy: tool-planner\njudge: builtin/oracle", ["plan"]],
  [apibench, "strategy: tool-planner", ["plan"]],
];

describe.each(cases.map(([suite, ...more]) => [suite.name, suite, ...more] as const))(
  "%s, %#",
  (_, suite, fields, stages) => {
    test("accepts a perfect reply by the schema that is sent, and scores the reply as right", async () => {
      const { run, asked } = await execute(suite, `${fields}\nformat: schema`);
      expect(run.counts).toMatchObject({ right: run.total, failed: 0 });
      const formed = asked.filter(({ format }) => format !== undefined);
      // A judge gets the format of its verdicts, whatever the run requests from its models.
      const measured = formed.filter(({ role }) => role !== "judge");
      expect([...new Set(measured.map(({ stage }) => stage))].toSorted()).toEqual(stages.toSorted());
      for (const { format, reply } of formed) {
        expect(format).toMatchObject({ type: "json_schema", json_schema: { name: expect.any(String) } });
        const { schema } = (format as { json_schema: { schema: Parameters<typeof z.fromJSONSchema>[0] } }).json_schema;
        expect(z.fromJSONSchema(schema).safeParse(JSON.parse(reply)).error).toBeUndefined();
      }
    });

    test("requests any JSON object for `json`, which the prompt mentions, and no format for free replies", async () => {
      const json = await execute(suite, `${fields}\nformat: json`);
      expect(json.run.counts).toMatchObject({ right: json.run.total });
      const formed = json.asked.filter(({ role, format }) => role !== "judge" && format !== undefined);
      expect(formed.map(({ stage }) => stage)).toEqual(expect.arrayContaining([...stages]));
      for (const { format, prompt } of formed) {
        expect(format).toEqual({ type: "json_object" });
        // Servers reject the format if the prompt does not mention it.
        expect(prompt).toContain("JSON");
      }
      const free = await execute(suite, `${fields}\nformat: free`);
      expect(free.asked.every(({ role, format }) => role === "judge" || format === undefined)).toBe(true);
      expect(free.run.run).not.toBe(json.run.run);
      expect((await execute(suite, fields)).run.run).toBe(free.run.run);
    });
  },
);

test("plans of UltraTool are free text whatever format is chosen", async () => {
  const { asked } = await execute(ultratool, "split: en/planning\nformat: schema");
  expect(asked.map(({ format }) => format)).toEqual(asked.map(() => undefined));
});

test("a suite without JSON, and a chain of thought, offer no format; a format can be given only once", async () => {
  const problems = async (fields: string) => {
    const workbench = await sessions.open(cell(fields), { suites: [ultratool, planningarena] });
    const state = workbench.state(cellNamed(workbench, "main"));
    return state.kind === "run" ? [state.problems.map(({ message }) => message), state.runs[0]?.spec.options] : [];
  };
  const cot = await problems(
    "suite: ultratool\nmodel: builtin/oracle\nsplit: en/tool_usage\nstrategy: cot\nformat: json",
  );
  expect(cot[1]).not.toHaveProperty("format");
  const both = "suite: planningarena\nmodel: builtin/oracle\nresponder: builtin/oracle\nformat: json";
  expect(await problems(`${both}\nrequest: {response_format: {type: text}}`)).toEqual([
    ["Expected the format of replies in `request` or in `format`, got both"],
    undefined,
  ]);
  expect((await problems(`${both}\nrequest: {lab_field: 1}`))[0]).toEqual([]);
});

test("a server that rejects formats gets requests without a format, which the run reports", async () => {
  const refusal = refuses(400, { error: { message: "response_format is not supported by this model" } });
  await using server = await scriptedServer((response, seen) =>
    ("response_format" in seen.body ? refusal : says("[]"))(response, seen),
  );
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 60, identify: false };
  const workbench = await sessions.open(
    cell("suite: ultratool\nsplit: en/tool_selection\nmodel: lab/m\nformat: schema"),
    { suites: [ultratool], settings: { ...emptySettings, endpoints: [lab] } },
  );
  await workbench.run(cellNamed(workbench, "main"));
  expect(runsOf(workbench, "main")[0]!.warnings).toContain(
    "lab/m does not accept `response_format`; only the prompt requested the format",
  );
});

describe("a schema with limits", () => {
  /** Rejects schemas with limits, like servers that compile schemas to grammars or support only some keywords. */
  const run = async (message: string) => {
    const server = await scriptedServer((response, seen) => {
      const isLimited = /"(maxLength|maximum)":/.test(JSON.stringify(seen.body));
      return (isLimited ? refuses(400, { error: { message } }) : says("no plan"))(response, seen);
    });
    const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 60, identify: false };
    const fields = "suite: planningarena\nmodel: lab/m\nresponder: builtin/oracle\nformat: schema\nlimit: 1";
    const workbench = await sessions.open(`\`\`\`run main\ndata: sample\n${fields}\n\`\`\`\n`, {
      suites: [planningarena],
      settings: { ...emptySettings, endpoints: [lab] },
    });
    await workbench.run(cellNamed(workbench, "main"));
    const sent = server.seen.map(({ body }) => JSON.stringify(body["response_format" as keyof typeof body]));
    await server[Symbol.asyncDispose]();
    return { sent, warnings: runsOf(workbench, "main")[0]!.warnings };
  };

  test.each([
    "Invalid schema for response_format 'planner_step': In context=('properties', 'GlobalThought'), 'maxLength' is not permitted.",
    "output_config.format.schema: For 'integer' type, properties maximum, minimum are not supported",
    "The specified schema produces a constraint that has too many states for serving",
    "Failed to compile the grammar",
  ])("is sent without limits to a server that rejects limits, which the run reports: %s", async (message) => {
    const { sent, warnings } = await run(message);
    expect(sent[0]).toContain('"GlobalThought":{"type":"string","maxLength":300}');
    expect(sent[0]).toContain('"Description":{"type":"string","maxLength":100}');
    expect(sent[0]).toContain('"TotalSteps":{"type":"integer","minimum":1,"maximum":20}');
    expect(sent[1]).toBe(sent[0]!.replaceAll(/,"(?:maxLength|minimum|maximum)":\d+/g, ""));
    expect(warnings).toContain("lab/m does not accept limits in the schema of replies; only the prompt contained them");
  });

  test("keeps its limits if the server's refusal has another reason", async () => {
    const { sent, warnings } = await run("The model is overloaded with requests of this kind");
    expect(new Set(sent).size).toBe(1);
    expect(warnings.filter((text) => text.includes("limits in the schema"))).toEqual([]);
  });
});

test("a judge whose server rejects formats gets requests without a format, whatever the wording of the rejection", async () => {
  const refusal = refuses(400, { error: { message: "This response_format type is unavailable now" } });
  await using server = await scriptedServer((response, seen) =>
    ("response_format" in seen.body ? refusal : says('{"problem": false, "reason": "none"}'))(response, seen),
  );
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 60, identify: false };
  const fields = "suite: planningarena\nmodel: builtin/oracle\nresponder: builtin/oracle\njudge: lab/j\nlimit: 1";
  const workbench = await sessions.open(`\`\`\`run main\ndata: sample\n${fields}\n\`\`\`\n`, {
    suites: [planningarena],
    settings: { ...emptySettings, endpoints: [lab] },
  });
  await workbench.run(cellNamed(workbench, "main"));
  expect(runsOf(workbench, "main")[0]!.counts).toMatchObject({ right: 1, failed: 0 });
  const formed = server.seen.filter(({ body }) => "response_format" in body);
  expect([formed.length, server.seen.length]).toEqual([1, 7]);
});
