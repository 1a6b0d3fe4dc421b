/** `planwright ctl SESSION`: queries and controls the runs of the program that has a session open. */
import { runOfFolder } from "../../engine/session/run-identity.ts";
import { SessionClient } from "../../engine/workbench/sharing/session-client.ts";
import type { SessionReply, SessionRequest } from "../../engine/workbench/sharing/session-message.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import type { RunState } from "../../engine/workbench/session-state.ts";
import { tallyText } from "../../engine/log/rows/task-counts.ts";
import { printable } from "../../engine/text/printable.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command, CommandContext } from "../shell/command.ts";
import { openFor, runCells, savedSession } from "./open-session.ts";
import { printedObject } from "../shell/output.ts";

const words = ["status", "pause", "resume", "stop", "concurrency"] as const;
const flags: Flags = { cells: "cells", json: "nothing" };

export const ctlCommand: Command = {
  name: "ctl",
  summary: "pause, resume or stop runs of another Planwright process, or show their progress",
  usage: `planwright ctl SESSION status [--json]
planwright ctl SESSION pause|resume|stop [--cells NAME,NAME]
planwright ctl SESSION concurrency N [--cells NAME,NAME]

status       shows the progress of each run and the program that executes it, if any
pause        finishes tasks in flight and starts no more until resume
stop         aborts tasks in flight; they are repeated when the run continues
concurrency  changes how many tasks run at once

Connects to the program on this machine that has the session open: a notebook, planwright run, or planwright run --detach.
Ends with status 1 if the command failed.`,
  takes: ["session", { words }],
  flags,
  async run(args, context) {
    const { positionals, text, flag } = readArguments(args, flags);
    const [path, word, count, ...more] = positionals;
    const asked = words.find((each) => each === word);
    if (
      path === undefined ||
      asked === undefined ||
      more.length > 0 ||
      (count !== undefined && asked !== "concurrency")
    )
      throw new ArgumentProblem(`Expected a session and one of ${words.join(", ")}, got \`${positionals.join(" ")}\``);
    if (asked === "status") return status(path, context, flag("json"));
    const names = text("cells");
    const cells = names === undefined ? {} : { cells: names.split(",").map((name) => name.trim()) };
    if (asked !== "concurrency") return steer(path, { do: asked, ...cells }, context);
    const to = Number(count);
    if (!Number.isInteger(to) || to < 1)
      throw new ArgumentProblem(`Expected \`concurrency\` to be a whole number from 1, got \`${count ?? ""}\``);
    return steer(path, { do: "concurrency", to, ...cells }, context);
  },
};

async function steer(path: string, request: SessionRequest, { stdout, stderr }: CommandContext): Promise<number> {
  const { problem, said = "" } = (await SessionClient.ask(savedSession(path).path, request)) ?? {
    problem: `No program executes runs of ${path} here; start one with \`planwright run ${path}\``,
  };
  if (problem === undefined) stdout(`${printable(said)}\n`);
  else stderr(`planwright: ${printable(problem)}\n`);
  return problem === undefined ? 0 : 1;
}

async function status(path: string, context: CommandContext, json: boolean): Promise<number> {
  const answer = await SessionClient.ask(savedSession(path).path, { do: "status" });
  const reply = answer?.problem === undefined ? answer : undefined;
  const workbench = await openFor(path, context, { mustExist: true });
  try {
    await workbench.counted();
    if (reply !== undefined) workbench.sharing.hear(reply);
    workbench.refresh();
    const runs = runsOf(workbench, reply);
    if (json) context.stdout(printedObject({ process: reply?.process ?? null, runs }));
    else {
      const who =
        reply === undefined
          ? (workbench.readOnly ?? "No program executes these runs")
          : `Process ${reply.process} executes the runs`;
      context.stdout(`${printable(workbench.title)}: ${who}\n${runs.map(lineOf).join("")}`);
    }
    return 0;
  } finally {
    await workbench.close();
  }
}

type RunLine = Pick<RunState, "run" | "label" | "status" | "total" | "counts"> & {
  readonly cell: string;
  readonly concurrency?: number;
  readonly overload?: string;
  readonly message?: string;
};

/** Combines the state in the files with that of the program that executes the runs. */
const runsOf = (workbench: SessionWorkbench, reply: SessionReply | undefined): readonly RunLine[] =>
  runCells(workbench).flatMap(({ name, runs }) =>
    runs.map(({ run, part = run, label, status: now, total, counts, concurrency, overload, preparing, message }) => {
      const isExecuted = reply?.runs.some((each) => each.run === part) === true;
      const about = preparing ?? message;
      return {
        cell: name,
        run: runOfFolder(run),
        label,
        status: now,
        total,
        counts,
        ...(isExecuted && { concurrency }),
        ...(overload !== undefined && { overload }),
        ...(about !== undefined && { message: about }),
      };
    }),
  );

function lineOf({ cell, label, status: now, total, counts, concurrency, overload, message }: RunLine): string {
  const pace = concurrency === undefined ? "" : `, ${overload ?? `${concurrency} tasks at once`}`;
  const text = `  ${cell || "run"} (${label}): ${now}${now === "ready" ? "" : `, ${tallyText(counts, total)}`}${pace}`;
  return `${printable(message === undefined ? text : `${text}; ${message}`)}\n`;
}
