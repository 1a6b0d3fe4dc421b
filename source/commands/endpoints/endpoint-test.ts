/** `planwright endpoint test`: finds out with a few small requests what an endpoint can do, and keeps the table. */
import { ModelProblem } from "../../engine/models/problem.ts";
import { probeEndpoint } from "../../engine/models/probe.ts";
import { wayTo } from "../../engine/models/network/proxy.ts";
import { tableLines } from "../../engine/settings/endpoint-table.ts";
import type { SettingsStore } from "../../engine/settings/settings.ts";
import { printable } from "../../engine/text/printable.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import type { EndpointContext } from "../shell/command.ts";

/** Resolves to the exit status: 0 where the model replied, 1 where it did not. Throws `ArgumentProblem` without endpoint or model. */
export async function tryEndpoint(
  store: SettingsStore,
  name: string,
  model: string | undefined,
  { stdout, stderr, signal }: EndpointContext,
): Promise<number> {
  const settings = store.read();
  const endpoint = settings.endpoints.find((each) => each.name === name);
  if (endpoint === undefined) throw new ArgumentProblem(`Expected an endpoint that is set up, got \`${name}\``);
  const report = (line: string) => stderr(`${printable(line)}\n`);
  let found: Awaited<ReturnType<typeof probeEndpoint>>;
  try {
    stdout(`${"reached".padEnd(12)} ${printable(wayTo(endpoint.baseUrl, process.env))}\n`);
    found = await probeEndpoint(endpoint, { settings, model, environment: process.env, signal, report });
  } catch (error) {
    if (!signal.aborted && !(error instanceof ModelProblem)) throw error;
    stderr(`${printable((error as Error).message)}\n`);
    return 1;
  }
  if (found === undefined)
    throw new ArgumentProblem("Expected `--model M`, as neither endpoint nor server lists models");
  const { id, text, table } = found;
  stdout(`${name}/${printable(id)} replied: ${printable(text.slice(0, 200))}\n`);
  for (const [what, value] of tableLines(table)) stdout(`${what.padEnd(12)} ${printable(value)}\n`);
  store.change((current) => ({ ...current, tested: { ...current.tested, [name]: table } }));
  return 0;
}
