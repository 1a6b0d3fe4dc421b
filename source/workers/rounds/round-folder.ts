/**
 * The temporary folder with the files of a round. The identity of its process lies beside the files, so that a later worker can tell
 * whether that process was killed before it removed the folder.
 */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { identityIn, identityLine, isAlive, thisProcess } from "../../engine/files/process-identity.ts";

const prefix = "planwright-round-";
const holderFile = "holder";

export class RoundFolder {
  /** Contains only the files of the round. */
  readonly files: string;
  readonly #whole = mkdtempSync(join(tmpdir(), prefix));

  constructor() {
    this.files = join(this.#whole, "files");
    replaceFile(join(this.#whole, holderFile), identityLine(thisProcess()), { durable: false });
    mkdirSync(this.files);
  }

  remove(): void {
    rmSync(this.#whole, { recursive: true, force: true });
  }
}

/**
 * Removes the folders of this user's processes that are dead. A folder stays if another user made it, if it does not name a process,
 * or if its process cannot be seen from here, as in another container.
 */
export function removeForsakenRounds(): void {
  const parent = tmpdir();
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    try {
      if (name.startsWith(prefix) && isForsaken(path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another worker removes it at the same moment, or it cannot be removed: it does no harm.
    }
  }
}

function isForsaken(path: string): boolean {
  const [folder, holder] = [path, join(path, holderFile)].map((each) => lstatSync(each, { throwIfNoEntry: false }));
  if (folder?.isDirectory() !== true || holder?.isFile() !== true) return false;
  // On Windows there are no owners, and the temporary folder is the user's own.
  if (process.getuid !== undefined && folder.uid !== process.getuid()) return false;
  const identity = identityIn(readFileSync(join(path, holderFile), "utf8"));
  return identity !== undefined && isAlive(identity) === false;
}
