/** Edits a text in the user's own editor, which has the terminal meanwhile. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceFile } from "../../engine/files/replace-file.ts";

type Suspend = (callback: () => void | Promise<void>) => Promise<void>;

/**
 * Resolves to the text when the editor exits. The shell runs `$VISUAL` or `$EDITOR`, because it may contain options;
 * the default is `vi`. Throws if the editor cannot be started or fails; the text is then unchanged.
 */
export async function editExternally(text: string, suffix: string, suspend: Suspend): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "planwright-"));
  const file = join(folder, `cell${suffix}`);
  try {
    replaceFile(file, text, { durable: false });
    let problem: Error | undefined;
    await suspend(async () => {
      problem = await runEditor(file);
    });
    if (problem !== undefined) throw problem;
    const edited = await readFile(file, "utf8");
    // Editors end the last line with a line break, but cells do not.
    return text.endsWith("\n") ? edited : edited.replace(/\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runEditor(file: string): Promise<Error | undefined> {
  const editor = process.env["VISUAL"] || process.env["EDITOR"] || "vi";
  return new Promise((resolve) => {
    const child = spawn(`${editor} "$PLANWRIGHT_FILE"`, {
      shell: true,
      stdio: "inherit",
      env: { ...process.env, PLANWRIGHT_FILE: file },
    });
    child.on("error", (error) => resolve(new Error(`Expected \`${editor}\` to start: ${error.message}`)));
    child.on("exit", (code) =>
      resolve(
        code === 0 ? undefined : new Error(`Expected \`${editor}\` to exit with status 0, got ${code ?? "none"}`),
      ),
    );
  });
}
