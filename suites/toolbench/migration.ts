/** Hashes of the sample and the published files in version 0.1.0. Runs on these data have no data set in their ids. */
export const knownData = {
  sample: "8f32642d4490a837",
  files: {
    "solvable_queries/G1_instruction.jsonl.gz": "87e63b8ee5569c77",
    "solvable_queries/G1_category.jsonl.gz": "f158c34611fb17e5",
    "solvable_queries/G1_tool.jsonl.gz": "4f75138e0c4d0b13",
    "solvable_queries/G2_instruction.jsonl.gz": "dc1979a3b7d46daf",
    "solvable_queries/G2_category.jsonl.gz": "f1c3884754953125",
    "solvable_queries/G3_instruction.jsonl.gz": "81d0ca3ac081fe37",
    "catalogue/apis.jsonl.gz": "a610a8ff8d53ac5e",
    "catalogue/tools.jsonl.gz": "7c25f21d1cfc861c",
    "response_cache/solvable_cache.jsonl.gz": "1987e20cfb3a33d9",
    "examples/reference_gpt35_cot/G1_instruction.json.gz": "8f3e84216563aae7",
    "examples/reference_gpt35_cot/G1_category.json.gz": "e9f966adc81ee6d8",
    "examples/reference_gpt35_cot/G1_tool.json.gz": "3cdd20243a44bcc4",
    "examples/reference_gpt35_cot/G2_instruction.json.gz": "41802c1802296c88",
    "examples/reference_gpt35_cot/G2_category.json.gz": "1fb56a371ed025b8",
    "examples/reference_gpt35_cot/G3_instruction.json.gz": "a949674634a5b6d3",
  },
} as const;
