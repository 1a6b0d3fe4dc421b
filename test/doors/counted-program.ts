/** All commands that read a foreign session, and the connections of the programs they start. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const hook = join(import.meta.dirname, "counted-connections.ts");

export const sessionCommands: readonly (readonly string[])[] = [
  ["run", "theirs"],
  ["run", "theirs", "--rescore", "--json"],
  ["check", "theirs"],
  ["export", "theirs", "--rows", "csv,jsonl", "--report", "report.html"],
  ["runs", "theirs"],
  ["ctl", "theirs", "status", "--json"],
  ["completion", "words", "--", "run", "theirs", "--cells", ""],
];

export type Counted = {
  /** The environment for the programs. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns all connections except those to sockets of sessions, one per line. */
  readonly elsewhere: () => readonly string[];
};

/** `denied`: all of these connections fail. */
export function countedConnections(folder: string, denied = false): Counted {
  const path = join(folder, "connections.txt");
  const env = {
    NODE_OPTIONS: `--import ${hook}`,
    PLANWRIGHT_TEST_CONNECTIONS: path,
    PLANWRIGHT_REDIS_PASSWORD: "open-sesame",
    ...(denied && { PLANWRIGHT_TEST_CONNECTIONS_DENIED: "yes" }),
  };
  const all = () => (existsSync(path) ? readFileSync(path, "utf8").split("\n") : []).filter((line) => line !== "");
  const ownSocket = /^socket .*\/planwright-\d+\/[0-9a-f]{24}\.sock$/;
  return { env, elsewhere: () => all().filter((line) => !ownSocket.test(line)) };
}
