/** Hashes of the sample and the published files in version 0.1.0. Runs on these data have no data set in their ids. */
export const knownData = {
  sample: "d59cb502a48d73c3",
  files: {
    "catalogue/torchhub_api.jsonl.gz": "2670153f055bacd8",
    "catalogue/torchhub_match_keys.jsonl.gz": "c07890632b89df78",
    "eval/torchhub_eval.jsonl.gz": "d727ff39cb7241e4",
    "catalogue/huggingface_api.jsonl.gz": "73eb292da2f8646a",
    "catalogue/huggingface_match_keys.jsonl.gz": "4524bc41168e22ed",
    "eval/huggingface_eval.jsonl.gz": "e074c1e7333e5ef1",
    "catalogue/tensorflowhub_api.jsonl.gz": "4e9a49f7219d8249",
    "catalogue/tensorflowhub_match_keys.jsonl.gz": "ab9a88d21314a0b6",
    "eval/tensorflowhub_eval.jsonl.gz": "5d63009bfea13b99",
  },
} as const;
