/** Keeps users' code from ending the program, because an analysis of the finished tasks would then seem complete. */
import { ownPlace } from "../engine/work/own-files.ts";

/** Makes `process.exit` throw if it is called by a user's file, or by a package that the file calls. */
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
