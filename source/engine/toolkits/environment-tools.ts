/** Environments that the user brought along (`--with`) as tools of a question, beside those of tool servers. */
import { Problem } from "../problem.ts";
import { checkedResult, type EnvironmentSource, type ToolSource, type ToolSources } from "../protocol.ts";

type Environments = Readonly<Record<string, EnvironmentSource>>;

/** Their tools by the environment's name; whatever other name is one of `servers`. Absent of both: there are none. */
export function withEnvironments(servers: ToolSources | undefined, environments: Environments = {}): ToolSources {
  const named = (name: string) => (Object.hasOwn(environments, name) ? environments[name] : undefined);
  return {
    // What an environment offers is known once it is open.
    tokens: (name) => (named(name) === undefined ? (servers?.tokens(name) ?? 0) : 0),
    async open(name, task, spec, signal): Promise<ToolSource> {
      const environment = await named(name)?.open(task, spec);
      if (environment === undefined) {
        if (servers === undefined)
          throw new Problem("tool", `Expected tools \`${name}\`, of which none are at hand here`);
        return servers.open(name, task, spec, signal);
      }
      if (!Array.isArray(environment.tools))
        throw new TypeError(`Expected environment \`${name}\` to open with a list \`tools\`, got none`);
      return {
        description: name,
        // An episode ends by the answer to the question.
        tools: environment.tools.filter((tool) => tool.name !== environment.finish?.tool.name),
        call: async (call, until) => checkedResult(await environment.call(call, until), call),
        close: async () => environment.close?.(),
      };
    },
  };
}
