/** All chain files of a folder, from which tasks are generated. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DataProblem, readText } from "../../../../source/engine/text/json-lines.ts";
import { packageFolder } from "../../../../source/engine/settings/package-folder.ts";
import { readApiChains, type ApiChains } from "./api-chains.ts";
import { readAppChains, readExtras, type AppChains, type AppStep } from "./app-chains.ts";
import { ChainFile } from "./chain-file.ts";
import { readProfileFields, type ProfileFields } from "./profile-fields.ts";

export type Chains = {
  readonly fields: ProfileFields;
  readonly apps: readonly AppChains[];
  readonly extras: readonly AppStep[];
  readonly apis: readonly ApiChains[];
};

/** Returns the folder of the chains that come with the suite. */
export const chainsFolder = (): string => join(packageFolder(), "suites", "planningarena", "chains");

/** Reads every `.yaml` file of a folder. Throws `DataProblem` with file, line and expected value. */
export async function readChains(folder: string): Promise<Chains> {
  if (!existsSync(folder)) throw new DataProblem(`Expected a folder of chain files at ${folder}, found none`);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml")).sort();
  const files = await Promise.all(
    names.map(async (name) => new ChainFile(join(folder, name), await readText(join(folder, name)))),
  );
  const ofKind = (kind: string) =>
    files.filter((file) => file.oneOf(["kind"], ["app", "api", "extras", "profiles"]) === kind);
  const [profiles, ...others] = ofKind("profiles");
  if (profiles === undefined) throw new DataProblem(`Expected a file with \`kind: profiles\` in ${folder}, found none`);
  for (const other of others) other.refuse(["kind"], `another kind, as ${profiles.name} has the profiles`);
  const fields = readProfileFields(profiles);
  const [appFiles, apiFiles] = [ofKind("app"), ofKind("api")];
  const apps = appFiles.map((file) => readAppChains(file, fields));
  const apis = apiFiles.map((file) => readApiChains(file, fields));
  if (apps.length === 0 || apis.length === 0)
    throw new DataProblem(`Expected files with \`kind: app\` and \`kind: api\` in ${folder}`);
  for (const same of [appFiles, apiFiles])
    refuseSecond(same.map((file) => [{ file, path: ["scenario"], name: String(file.at(["scenario"])) }]));
  // Graph tasks are offered the tools of all files together.
  refuseSecond(
    apiFiles.map((file, at) =>
      apis[at]!.calls.map(({ tool }, index) => ({ file, path: ["calls", index, "tool"], name: tool })),
    ),
  );
  return { fields, apps, apis, extras: ofKind("extras").flatMap((file) => readExtras(file, fields)) };
}

type Named = { readonly file: ChainFile; readonly path: readonly (string | number)[]; readonly name: string };

/** Rejects duplicate names, because only one of the definitions would be used. */
function refuseSecond(all: readonly (readonly Named[])[]): void {
  const first = new Map<string, ChainFile>();
  for (const { file, path, name } of all.flat()) {
    const other = first.get(name);
    if (other !== undefined) file.refuse(path, `a name of its own, as ${other.name} has it already`);
    first.set(name, file);
  }
}
