/** Orders the files of tests as long as nothing is known of how long each takes. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They start programs and wait for them. One that began last would be waited for alone. */
const waiting = ["stories", "workers", "sessions", "interchange", "extension", "kit"].map((name) => `/test/${name}/`);

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification) => waiting.some((folder) => moduleId.includes(folder));
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
