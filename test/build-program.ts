/** Before the tests: the program is built, as some of them start it in a pseudo-terminal. */
import { execFileSync } from "node:child_process";

export function setup(): void {
  execFileSync(process.execPath, ["source/launch/build-if-needed.ts"], { stdio: "inherit" });
}
