/** All chain files of a folder together: what tasks are made of. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DataProblem, readText } from "../../../source/engine/json-lines.ts";
import { packageFolder } from "../../../source/engine/package-folder.ts";
import { readApiChains } from "./api-chains.ts";
import type { ApiChains } from "./api-chains.ts";
import { readAppChains, readExtras } from "./app-chains.ts";
import type { AppChains, AppStep } from "./app-chains.ts";
import { ChainFile } from "./chain-file.ts";
import { readProfileFields } from "./profile-fields.ts";
import type { ProfileFields } from "./profile-fields.ts";

export type Chains = {
  readonly fields: ProfileFields;
  readonly apps: readonly AppChains[];
  readonly extras: readonly AppStep[];
  readonly apis: readonly ApiChains[];
};

/** The chains that come with the suite. */
export function chainsFolder(): string {
  return join(packageFolder(), "suites", "planningarena", "chains");
}

/** Every `.yaml` file of a folder. Throws `DataProblem` with file, line and what was expected. */
export async function readChains(folder: string): Promise<Chains> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml")).sort();
  const files = await Promise.all(
    names.map(async (name) => new ChainFile(join(folder, name), await readText(join(folder, name)))),
  );
  const ofKind = (kind: string) =>
    files.filter((file) => file.oneOf(["kind"], ["app", "api", "extras", "profiles"]) === kind);
  const profiles = ofKind("profiles")[0];
  if (profiles === undefined) throw new DataProblem(`Expected a file with \`kind: profiles\` in ${folder}, found none`);
  const fields = readProfileFields(profiles);
  const apps = ofKind("app").map((file) => readAppChains(file, fields));
  const apis = ofKind("api").map((file) => readApiChains(file, fields));
  if (apps.length === 0 || apis.length === 0)
    throw new DataProblem(`Expected files with \`kind: app\` and \`kind: api\` in ${folder}`);
  return { fields, apps, apis, extras: ofKind("extras").flatMap(readExtras) };
}
