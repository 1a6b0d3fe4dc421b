/**
 * The temporary folder with the files of a round. The process's identity is saved next to the files, so that a later worker can
 * tell whether the process was killed before it removed the folder.
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
 * Removes the folders of this user's processes that have ended. A folder stays if another user made it, if it does not name a
 * process, or if its process is not visible to this one, as in another container.
 */
export function removeForsakenRounds(): void {
  const parent = tmpdir();
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    try {
      if (name.startsWith(prefix) && isForsaken(path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Ignored, because another worker may remove the folder at the same moment, and a leftover folder does no harm.
    }
  }
}

function isForsaken(path: string): boolean {
  const [folder, holder] = [path, join(path, holderFile)].map((each) => lstatSync(each, { throwIfNoEntry: false }));
  if (folder?.isDirectory() !== true || holder?.isFile() !== true) return false;
  // Windows has no owners, and its temporary folder is private to the user.
  if (process.getuid !== undefined && folder.uid !== process.getuid()) return false;
  const identity = identityIn(readFileSync(join(path, holderFile), "utf8"));
  return identity !== undefined && isAlive(identity) === false;
}
