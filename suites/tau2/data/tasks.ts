/** Tasks of tau2 and the data they are played in. */
import { z } from "zod";
import { Airline, readAirline } from "../environment/airline.ts";
import { readPhone } from "../environment/phone-state.ts";
import { readRetail, Retail } from "../environment/retail.ts";
import { readTelecom, Telecom } from "../environment/telecom.ts";
import { type Fields, parseDictionary, parseValue, ToolFailure } from "../environment/value.ts";
import type { World } from "../environment/world.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { referenceWorld } from "../score/evaluate.ts";
import type { Domain, Scenario, Tau2Task } from "../score/task.ts";
import type { Tau2Files } from "./files.ts";
import type { DomainName } from "./splits.ts";

const fields = z.custom<Fields>((value) => typeof value === "object" && value !== null && !Array.isArray(value));
const side = z.enum(["assistant", "user"]);
const taskLine = z.object({
  id: z.string(),
  user_scenario: z.object({
    persona: z.string().nullish(),
    instructions: z.union([
      z.string(),
      z.object({
        domain: z.string(),
        reason_for_call: z.string(),
        known_info: z.string().nullish(),
        unknown_info: z.string().nullish(),
        task_instructions: z.string(),
      }),
    ]),
  }),
  initial_state: z
    .object({
      initialization_actions: z.array(z.object({ env_type: side, func_name: z.string(), arguments: fields })).nullish(),
    })
    .nullish(),
  evaluation_criteria: z.object({
    actions: z
      .array(
        z.object({
          requestor: side.default("assistant"),
          name: z.string(),
          arguments: fields,
          compare_args: z.array(z.string()).nullish(),
        }),
      )
      .nullish(),
    env_assertions: z
      .array(
        z.object({ env_type: side, func_name: z.string(), arguments: fields, assert_value: z.boolean().default(true) }),
      )
      .nullish(),
    communicate_info: z.array(z.string()).nullish(),
    reward_basis: z.array(z.enum(["DB", "COMMUNICATE", "ENV_ASSERTION", "ACTION"])).default(["DB", "COMMUNICATE"]),
  }),
});

/** Reads all tasks of a domain, by id. Throws `DataProblem` for data that do not fit. */
export async function readDomainTasks(files: Tau2Files, name: DomainName): Promise<ReadonlyMap<string, Tau2Task>> {
  const domain = await readDomain(files, name);
  const parsed = z.array(taskLine).safeParse(parseValue(await files.text(`domains/${name}/tasks.json`)));
  if (!parsed.success)
    throw new DataProblem(`Expected \`${name}/tasks.json\` to contain tasks of tau2: ${z.prettifyError(parsed.error)}`);
  return new Map(parsed.data.map((line) => [line.id, taskOf(domain, line)]));
}

async function readDomain(files: Tau2Files, name: DomainName): Promise<Domain> {
  try {
    if (name === "telecom") {
      const agent = readTelecom(await files.toml("domains/telecom/db.toml"));
      const user = readPhone(await files.toml("domains/telecom/user_db.toml"));
      return domainOf(name, () => new Telecom(agent, user));
    }
    const data = parseDictionary(await files.text(`domains/${name}/db.json`));
    if (name === "airline") {
      const base = readAirline(data);
      return domainOf(name, () => new Airline(base));
    }
    const base = readRetail(data);
    return domainOf(name, () => new Retail(base));
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    throw new DataProblem(`Expected the published database of ${name}: ${error.message}`);
  }
}

const domainOf = (name: DomainName, open: () => World): Domain => ({ name, open, tools: open() });

function taskOf(domain: Domain, line: z.infer<typeof taskLine>): Tau2Task {
  const { actions, env_assertions: assertions, communicate_info: told, reward_basis: basis } = line.evaluation_criteria;
  let reference: World | undefined;
  const task: Tau2Task = {
    id: line.id,
    domain,
    scenario: scenarioOf(line.user_scenario),
    initialActions: (line.initial_state?.initialization_actions ?? []).map((each) => ({
      side: each.env_type,
      name: each.func_name,
      args: each.arguments,
    })),
    criteria: {
      actions: (actions ?? []).map((each) => ({
        side: each.requestor,
        name: each.name,
        args: each.arguments,
        compared: each.compare_args ?? undefined,
      })),
      assertions: (assertions ?? []).map((each) => ({
        side: each.env_type,
        name: each.func_name,
        args: each.arguments,
        expected: each.assert_value,
      })),
      communicate: told ?? [],
      basis,
    },
    reference: () => (reference ??= referenceWorld(task)),
  };
  return task;
}

function scenarioOf({ persona, instructions }: z.infer<typeof taskLine>["user_scenario"]): Scenario {
  if (typeof instructions === "string") return { persona: persona ?? undefined, instructions };
  return {
    persona: persona ?? undefined,
    instructions: {
      domain: instructions.domain,
      reason: instructions.reason_for_call,
      known: instructions.known_info ?? undefined,
      unknown: instructions.unknown_info ?? undefined,
      task: instructions.task_instructions,
    },
  };
}
