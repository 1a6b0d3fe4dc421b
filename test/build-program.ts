/** Before the tests: the program is built, as some of them start it in a pseudo-terminal. */
import { execFileSync } from "node:child_process";

export function setup(): void {
  try {
    execFileSync(process.execPath, ["source/launch/build-if-needed.ts"], { stdio: "inherit" });
  } catch {
    // The other tests can run all the same; those that need the program fail, and this says why.
    console.error("The program could not be built: the stories will fail");
  }
}
