/** Hashes of the sample and the published files in version 0.1.0. Runs on these data have no data set in their ids. */
export const knownData = {
  sample: "61716732858d6425",
  files: {
    "apps.json": "2740d6b5ad90cdb3",
    "apis.json": "293baa815c25bce5",
    "profiles.json": "a11bbcc7f9276515",
  },
} as const;
