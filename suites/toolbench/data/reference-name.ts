/** What a run's win rate is counted against; apart from the reading, so that the suite is listed without it. */
import type { RunSpec } from "../../../source/engine/types.ts";

/** The reference where a run names none: the publisher's, or the sample's own. */
export const usualReference = "usual";

/** Which reference a run is compared with. */
export const referenceOf = ({ options }: Pick<RunSpec, "options">): string =>
  String(options["reference"] ?? usualReference);
