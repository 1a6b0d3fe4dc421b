/** tau2 bound to a data folder. */
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import type { ConversationSide } from "../../source/engine/protocol.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { sampleOf } from "../../source/engine/settings/package-folder.ts";
import { prompted } from "../../source/engine/settings/prompt-template.ts";
import { tokensOf } from "../../source/engine/text/tokens.ts";
import { floors } from "./ask/floors.ts";
import { conversationIn, type Told } from "./ask/conversation.ts";
import { allowsFault, faultyReply, perfectReply } from "./ask/oracle.ts";
import { agentPrompt, scenarioText, userPrompt } from "./ask/prompts.ts";
import { toolSpecs } from "./ask/tool-schemas.ts";
import { Tau2Data, type ToldDomain } from "./data/folder.ts";
import { type ServiceTask, serviceTask } from "./data/service-task.ts";
import { splits } from "./data/splits.ts";
import { startWorld } from "./score/evaluate.ts";
import { scoreConversation } from "./score/score.ts";
import { viewOf } from "./score/view.ts";

const otherWords =
  "The data come without the official program's texts: tools are described in this project's own words, so the prompts are not the official ones";

export async function openSuite(
  suite: Suite,
  { folder, data }: Parameters<Suite["open"]>[0],
): Promise<LoadedSuite<ServiceTask, "conversation">> {
  const files = new Tau2Data(folder, sampleOf(suite));
  const told = new Map<string, ToldDomain>();
  return {
    suite,
    warnings: data === "sample" || (await files.hasTexts()) ? [] : [otherWords],
    runWarnings: ({ user }) =>
      user === undefined ? ["The run has no `user`, so the run's model also plays the user"] : [],
    async tasks(name) {
      const { domain, ids } = splits.find((split) => split.name === name)!;
      told.set(domain, await files.told(domain));
      return (await files.tasks(domain, ids)).map(serviceTask);
    },
    shots: () => [],
    asks: {
      conversation: {
        open: async (task, spec) => {
          const world = startWorld(task.input);
          return conversationIn(world, sidesOf(task, spec), rulesOf(spec));
        },
        limits: (task, spec) => ({ requests: rulesOf(spec).limits.steps, prompt: promptOf(task, spec), reply: 200 }),
      },
    },
    score: async (task, outcome) => scoreConversation(task.input, outcome),
    floors: () => floors,
    oracle: perfectReply,
    fault: faultyReply,
    allowsFault,
    describe: (task, answer) => viewOf(task, answer),
  };

  function sidesOf({ input }: ServiceTask, spec: RunSpec): Readonly<Record<ConversationSide, Told>> {
    const { texts, policies, guidelines } = told.get(input.domain.name)!;
    const { agentTools, userTools = {} } = input.domain.tools;
    const policy = spec.options["policy"] === "workflow" ? policies.workflow : policies.manual;
    return {
      model: {
        prompt: prompted(spec, agentPrompt, { instruction: texts.instruction, policy }),
        tools: toolSpecs(agentTools, texts.agentTools, texts.model),
      },
      user: {
        prompt: prompted(spec, userPrompt, { guidelines, scenario: scenarioText(input.scenario) }),
        tools: toolSpecs(userTools, texts.userTools, texts.model),
      },
    };
  }

  /** Tokens of the agent's first request; later requests also contain the conversation. */
  function promptOf(task: ServiceTask, spec: RunSpec): number {
    const { prompt, tools } = sidesOf(task, spec).model;
    return tokensOf(prompt) + tokensOf(JSON.stringify(tools)) + 1500;
  }
}

function rulesOf({ options }: RunSpec) {
  const [steps, errors] = [Number(options["maxSteps"] ?? 200), Number(options["maxErrors"] ?? 10)];
  return { limits: { steps, errors }, separate: options["validate"] === "on" };
}
