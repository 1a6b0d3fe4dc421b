/** Keeps users' code from ending the program, because an analysis of the finished tasks would then seem complete. */
import { ownPlace } from "../engine/work/own-files.ts";

/** Makes `process.exit` throw if a user's file, or a package it calls, calls it. */
export function refuseOwnExits(): void {
  const { exit } = process;
  process.exit = (code) => {
    const given = code ?? "";
    const refusal = new Error(
      `Expected an error to be thrown, got \`process.exit(${given})\`, which would end Planwright`,
    );
    if (ownPlace(refusal) !== undefined) throw refusal;
    return exit(code);
  };
}
