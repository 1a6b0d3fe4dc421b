/** Code of the user's own ends no program: what its other tasks have done would be taken for all there is. */
import { ownPlace } from "../engine/work/own-files.ts";

/** From now on `process.exit` throws where a file of the user's own calls it, or a package on its behalf. */
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
