/** The tasks that are open in a process: each from its first line until it is scored. */
import type { AgentProgram, ProcessEpisode, ProcessSource, ToolSources } from "../../../source/engine/protocol.ts";
import { canonicalJson } from "../../../source/engine/text/json-record.ts";
import { offeredTools, openSources } from "../../../source/engine/toolkits/offered-tools.ts";
import type { Json, RunSpec } from "../../../source/engine/types.ts";
import type { ProcessTask } from "../data/tasks.ts";

export class Episodes {
  readonly #name: string;
  readonly #source: ProcessSource;
  readonly #tools: ToolSources;
  readonly #open = new Map<string, AgentProgram>();

  constructor(name: string, source: ProcessSource, tools: ToolSources) {
    this.#name = name;
    this.#source = source;
    this.#tools = tools;
  }

  async open(task: ProcessTask, spec: RunSpec, signal: AbortSignal): Promise<ProcessEpisode> {
    const sources = await openSources(this.#tools, Object.keys(spec.toolServers ?? {}).toSorted(), task, spec, signal);
    const { close, finish, ...environment } = offeredTools(sources, undefined, () => []);
    try {
      const program = await this.#source.open(this.#name, task.id, spec, signal);
      const key = keyOf(task, spec);
      this.#open.set(key, program);
      const tools = environment.tools.filter(({ name }) => name !== finish?.tool.name);
      return {
        program,
        environment: { ...environment, tools },
        ownModel: this.#ownModel(spec),
        close: async () => {
          this.#open.delete(key);
          await Promise.all([program.release(true), close?.()]);
        },
      };
    } catch (error) {
      await close?.();
      throw error;
    }
  }

  /** Uses the process of a task: the open process, or a new one for as long as `use` takes. */
  async with<Value>(
    task: ProcessTask,
    spec: RunSpec,
    signal: AbortSignal,
    use: (program: AgentProgram) => Promise<Value>,
  ): Promise<Value> {
    const open = this.#open.get(keyOf(task, spec));
    if (open !== undefined) return use(open);
    const episode = await this.open(task, spec, signal);
    try {
      return await use(episode.program);
    } finally {
      await episode.close();
    }
  }

  /** The model that the process itself provides, if the run selects it. */
  #ownModel({ model }: RunSpec): string | undefined {
    return this.#source.ownModels(this.#name).find((own) => model === `builtin/${own}`);
  }
}

const keyOf = ({ id }: ProcessTask, spec: RunSpec): string => canonicalJson([id, spec as unknown as Json]);
