/** The texts for models: from the official program's files, or from `texts.json` in a folder without them. */
import { z } from "zod";
import { checkedRecord } from "../../../source/engine/text/checked-record.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { strip } from "../../../source/engine/python/text.ts";
import type { Tau2Files } from "./files.ts";
import { classTexts, constantText, type FunctionTexts, toolTexts } from "./python-texts.ts";
import type { DomainName } from "./splits.ts";

/** Returns the texts of a record that arguments may be. */
export type ModelTexts = (name: string) => FunctionTexts | undefined;

/** The texts of a domain. */
export type DomainTexts = {
  /** The agent's instruction besides its policy. */
  readonly instruction: string;
  readonly agentTools: ReadonlyMap<string, FunctionTexts>;
  readonly userTools: ReadonlyMap<string, FunctionTexts>;
  readonly model: ModelTexts;
};

const described = z.object({ description: z.string(), arguments: z.record(z.string(), z.string()).default({}) });
const toolsOf = z.record(z.string(), described);
const textsFile = z.object({
  instruction: z.string(),
  tools: z.record(z.string(), toolsOf),
  models: toolsOf,
});

/** Resolves to the texts; undefined if the folder has none. Throws `DataProblem` for files that are not as expected. */
export async function readTexts(files: Tau2Files, name: DomainName): Promise<DomainTexts | undefined> {
  const own = await files.find("texts.json");
  if (own !== undefined) {
    const { instruction, tools, models } = checkedRecord(textsFile, parsed(own), "texts.json");
    const toolsFor = (kit: string) => new Map(Object.entries(tools[kit] ?? {}));
    return {
      instruction,
      agentTools: toolsFor(name),
      userTools: toolsFor(`${name}-user`),
      model: (model) => models[model],
    };
  }
  const agent = await files.find("agent/llm_agent.py");
  const tools = await files.find(`domains/${name}/tools.py`);
  if (agent === undefined || tools === undefined) return undefined;
  const instruction = constantText(agent, "AGENT_INSTRUCTION");
  if (instruction === undefined)
    throw new DataProblem("Expected `agent/llm_agent.py` to contain AGENT_INSTRUCTION, found none");
  const models = (await files.find(`domains/${name}/${name === "telecom" ? "user_" : ""}data_model.py`)) ?? "";
  const userTools = name === "telecom" ? await files.text("domains/telecom/user_tools.py") : "";
  return {
    instruction: strip(instruction),
    agentTools: toolTexts(tools),
    userTools: toolTexts(userTools),
    model: (model) => classTexts(models, model),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataProblem(`Expected \`texts.json\` to be JSON: ${(error as Error).message}`);
  }
}
