/** Hashes of the sample and the published files in version 0.1.0. Runs on these data have no data set in their ids. */
export const knownData = {
  sample: "5c219ddc7cbab89e",
  files: {
    "en/examples.json": "f9ef84e280e6b224",
    "en/test.jsonl.gz": "659a445f952d6f78",
    "en/planning.jsonl.gz": "9931db4747040659",
    "en/tool_creation.jsonl.gz": "920ff20cba5a8083",
    "en/tool_usage.jsonl.gz": "d14235faf77a2a92",
    "en/tool_usage_awareness.jsonl.gz": "6a8dfc672ff4d39d",
    "zh/examples.json": "0bc1dee54babd741",
    "zh/test.jsonl.gz": "d0e20a6e40d0d613",
    "zh/planning.jsonl.gz": "f3af325b4ce7cd9f",
    "zh/tool_creation.jsonl.gz": "eec35f6942fffff2",
    "zh/tool_usage.jsonl.gz": "cb44117f304a7aa1",
    "zh/tool_usage_awareness.jsonl.gz": "14fb978bd71462a6",
  },
} as const;
