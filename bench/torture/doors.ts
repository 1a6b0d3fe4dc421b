/** Notebooks of somebody else's, filled with addresses and spoiled by a seed: nothing that reads them connects to anybody, or ends by them. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { countedConnections, sessionCommands } from "../../test/doors/counted-program.ts";
import { ForeignSession, hostileParts } from "../../test/doors/foreign-session.ts";
import { listeningStranger } from "../../test/doors/listening-stranger.ts";
import { started } from "../../test/doors/started-program.ts";
import { mutated } from "../../test/mutated-json.ts";
import { openProgram } from "../../test/stories/pseudo-terminal.ts";
import { amount, type Line, type Torture } from "./part.ts";

/** Share of the lines of a run's files that are spoiled. */
const spoiledShare = 0.1;

export async function* doors(torture: Torture): AsyncGenerator<Line> {
  const notebooks = amount(torture, 1, 10, 40);
  const broken: string[] = [];
  for (let index = 0; index < notebooks; index++) broken.push(...(await entered(`${torture.seed} doors ${index}`)));
  yield {
    what: `${notebooks} hostile notebooks, every connection denied: opened, and read by ${sessionCommands.length} commands`,
    tries: notebooks * (1 + sessionCommands.length),
    broken,
  };
}

async function entered(seed: string): Promise<string[]> {
  const random = randomFrom(seed);
  await using stranger = await listeningStranger();
  using session = await ForeignSession.made(stranger.url);
  for (const part of hostileParts) session.poison(part, stranger.url);
  for (const file of globSync(join(session.path, "runs/*/*.json*"))) spoil(file, random);
  const { env, elsewhere } = countedConnections(session.folder, true);
  const broken: string[] = [];
  let before = 0;
  const look = (what: string, said: string) => {
    const found = elsewhere();
    if (found.length > before) broken.push(`${seed}: ${what} connects to ${found.slice(before).join(", ")}`);
    before = found.length;
    if (/^ +at /m.test(said)) broken.push(`${seed}: ${what} prints a stack trace: ${said.slice(-400)}`);
  };
  // Opens it as the notebook does, because a command may have changed the links that lead out.
  const screen = openProgram({ args: ["theirs"], folder: session.folder, env });
  await screen.waitFor(/run fresh/);
  screen.type("qy");
  await screen.ended;
  look("the notebook", screen.written());
  for (const args of sessionCommands) {
    const { status, out, err } = await started(session.folder, args, env);
    look(args.join(" "), out + err);
    if (status === null) broken.push(`${seed}: ${args.join(" ")} was killed`);
  }
  return broken;
}

/** The text of a file's lines as JSON; what is none stays. */
function spoil(file: string, random: () => number): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const spoiled = lines.map((line) => (line.startsWith("{") && random() < spoiledShare ? mutated(line, random) : line));
  writeFileSync(file, spoiled.join("\n"));
}
