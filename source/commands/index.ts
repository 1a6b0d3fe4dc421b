/** All commands, in the order `planwright help` lists them. */
import { agentsCommand } from "./agents.ts";
import { checkCommand } from "./check.ts";
import { clusterFlags, clusterUsage } from "./cluster/usage.ts";
import type { Command } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { ctlCommand } from "./ctl.ts";
import { dataCommand } from "./data.ts";
import { endpointCommand, endpointFlags, endpointUsage } from "./endpoint.ts";
import { evolveCommand } from "./evolve.ts";
import { exportCommand } from "./export.ts";
import { generateCommand } from "./generate.ts";
import { helpCommand } from "./help.ts";
import { initCommand } from "./init.ts";
import { importCommand } from "./import.ts";
import { newCommand } from "./new.ts";
import { packCommand } from "./pack.ts";
import { runCommand } from "./run.ts";
import { runsCommand } from "./runs.ts";
import { schemaCommand } from "./schema/schema.ts";
import { scoreCommand } from "./score.ts";
import { serveBuiltinCommand, serveBuiltinFlags, serveBuiltinUsage } from "./serve-builtin.ts";
import { toolsCommand } from "./tools.ts";
import { workerCommand } from "./worker.ts";
import { workersCommand } from "./workers.ts";

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
  summary: "serve the built-in models over HTTP, with injected faults on request",
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
  exportCommand,
  importCommand,
  checkCommand,
  packCommand,
  runsCommand,
  dataCommand,
  endpoint,
  initCommand,
  toolsCommand,
  agentsCommand,
  generateCommand,
  evolveCommand,
  cluster,
  serveBuiltin,
  schemaCommand,
  completionCommand(() => commands),
  helpCommand(() => commands),
];
