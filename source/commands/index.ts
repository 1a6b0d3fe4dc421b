/** All commands, in the order `planwright help` lists them. */
import { agentsCommand } from "./programs/agents.ts";
import { processesCommand } from "./programs/processes.ts";
import { agreementCommand } from "./statistics/agreement.ts";
import { attributionCommand } from "./statistics/attribution.ts";
import { bundleCommand, openCommand } from "./exchange/bundle.ts";
import { checkCommand } from "./session/check.ts";
import { clusterFlags, clusterUsage } from "./cluster/usage.ts";
import type { Command } from "./shell/command.ts";
import { completionCommand } from "./shell/completion.ts";
import { ctlCommand } from "./session/ctl.ts";
import { dataCommand } from "./data/data.ts";
import { endpointCommand, endpointFlags, endpointUsage } from "./endpoints/endpoint.ts";
import { evolveCommand, generateCommand } from "./data/new-tasks.ts";
import { exportCommand } from "./exchange/export.ts";
import { helpCommand } from "./shell/help.ts";
import { indexCommand } from "./library/index-runs.ts";
import { initCommand } from "./shell/init.ts";
import { importCommand } from "./exchange/import.ts";
import { listCommand } from "./library/list.ts";
import { newCommand } from "./shell/new.ts";
import { packCommand } from "./exchange/pack.ts";
import { promptsCommand } from "./data/prompts.ts";
import { queryCommand } from "./library/query.ts";
import { runCommand } from "./session/run.ts";
import { runsCommand } from "./session/runs.ts";
import { schemaCommand } from "./schema/schema.ts";
import { scoreCommand } from "./exchange/score.ts";
import { sequentialCommand } from "./statistics/sequential.ts";
import { serveBuiltinCommand, serveBuiltinFlags, serveBuiltinUsage } from "./endpoints/serve-builtin.ts";
import { toolsCommand } from "./programs/tools.ts";
import { workerCommand } from "./session/worker.ts";
import { workersCommand } from "./session/workers.ts";

const endpoint: Command = {
  name: "endpoint",
  summary: "add, list, test or remove model servers",
  usage: endpointUsage,
  takes: [{ words: ["add", "list", "remove", "test"] }, "endpoint"],
  flags: endpointFlags,
  run: endpointCommand,
};
const serveBuiltin: Command = {
  name: "serve-builtin",
  summary: "serve the built-in models over HTTP, optionally with injected faults",
  usage: serveBuiltinUsage,
  takes: [],
  flags: serveBuiltinFlags,
  run: serveBuiltinCommand,
};
const cluster: Command = {
  name: "cluster",
  summary: "cluster vectors, or group the APIs of a library into toolkits",
  usage: clusterUsage,
  takes: [],
  flags: clusterFlags,
  run: async (args, context) => (await import("./cluster/cluster.ts")).clusterCommand(args, context),
};

export const commands: readonly Command[] = [
  newCommand,
  runCommand,
  ctlCommand,
  workerCommand,
  workersCommand,
  scoreCommand,
  agreementCommand,
  sequentialCommand,
  attributionCommand,
  exportCommand,
  importCommand,
  bundleCommand,
  openCommand,
  checkCommand,
  packCommand,
  runsCommand,
  listCommand,
  indexCommand,
  queryCommand,
  dataCommand,
  promptsCommand,
  endpoint,
  initCommand,
  toolsCommand,
  agentsCommand,
  processesCommand,
  generateCommand,
  evolveCommand,
  cluster,
  serveBuiltin,
  schemaCommand,
  completionCommand(() => commands),
  helpCommand(() => commands),
];
