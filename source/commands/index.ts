/** All commands, in the order `planwright help` lists them. */
import { checkCommand } from "./check.ts";
import { clusterUsage } from "./cluster/usage.ts";
import type { Command } from "./command.ts";
import { dataCommand } from "./data.ts";
import { endpointCommand, endpointUsage } from "./endpoint.ts";
import { evolveCommand } from "./evolve.ts";
import { exportCommand } from "./export.ts";
import { generateCommand } from "./generate.ts";
import { packCommand } from "./pack.ts";
import { runCommand } from "./run.ts";
import { scoreCommand } from "./score.ts";
import { toolsCommand } from "./tools.ts";
import { serveBuiltinCommand, serveBuiltinUsage } from "./serve-builtin.ts";

const endpoint: Command = {
  name: "endpoint",
  summary: "add, list, test or remove model servers",
  usage: endpointUsage,
  run: endpointCommand,
};
const serveBuiltin: Command = {
  name: "serve-builtin",
  summary: "serve the built-in models over HTTP, with injected faults on request",
  usage: serveBuiltinUsage,
  run: serveBuiltinCommand,
};
const cluster: Command = {
  name: "cluster",
  summary: "cluster vectors, or group the APIs of a library into toolkits",
  usage: clusterUsage,
  run: async (args, context) => (await import("./cluster/cluster.ts")).clusterCommand(args, context),
};

export const commands: readonly Command[] = [
  runCommand,
  scoreCommand,
  exportCommand,
  checkCommand,
  packCommand,
  dataCommand,
  endpoint,
  toolsCommand,
  generateCommand,
  evolveCommand,
  cluster,
  serveBuiltin,
];
