"""Reads the exports of a session with Inspect AI and pandas, and compares them with rows.jsonl beside them; writes the logs again
into a second folder.

Needs Python with `inspect_ai`, `pandas` and `pyarrow`. Run by inspect.test.ts where PLANWRIGHT_INSPECT names such a Python.
"""

import glob
import json
import math
import os
import sys

import pandas
from inspect_ai.analysis import samples_df
from inspect_ai.log import read_eval_log, write_eval_log

folder = sys.argv[1]
with open(os.path.join(folder, "rows.jsonl"), encoding="utf8") as file:
    rows = [json.loads(line) for line in file]
logs = sorted(glob.glob(os.path.join(folder, "inspect-*")))
compared = 0
for path in logs:
    log = read_eval_log(path)
    own = {row["task"]: row for row in rows if row["run"] == log.eval.run_id}
    assert len(log.samples) == len(own), path
    for sample in log.samples:
        row = own[sample.id]
        score = (sample.scores or {}).get(row["settings"]["suite"])
        value = row.get("score", {}).get("value")
        if "score" not in row:
            assert score is None, (path, sample.id)
        else:
            assert math.isnan(score.value) if value is None else score.value == value, (path, sample.id)
        assert sample.epoch == row["settings"]["trial"], (path, sample.id)
        events = [event for event in sample.events if event.event == "model"]
        usages = [event.output.usage for event in events if event.output.usage]
        tokens = row["counted"]["tokens"]
        assert len(events) == row["counted"]["calls"], (path, sample.id)
        assert sum(usage.output_tokens for usage in usages) == tokens["output"], (path, sample.id)
        read = sum(usage.input_tokens + (usage.input_tokens_cache_read or 0) for usage in usages)
        assert read == tokens["input"], (path, sample.id)
        compared += 1
    if path.endswith(".eval"):
        # As Inspect writes it: packed by zstd, messages pooled, long texts kept apart.
        again = os.path.join(sys.argv[2], os.path.basename(path))
        write_eval_log(log, again)
        assert len(read_eval_log(again).samples) == len(log.samples), path
frame = samples_df([path for path in logs if path.endswith(".eval")], quiet=True)
assert len(frame) == len(rows)
table = pandas.read_csv(os.path.join(folder, "rows.csv"))
assert list(table["task"].astype(str)) == [row["task"] for row in rows]
scores = [row.get("score", {}).get("value") for row in rows]
assert all(pandas.isna(a) if b is None else a == b for a, b in zip(table["score"], scores))
parquet = pandas.read_parquet(os.path.join(folder, "rows.parquet"))
assert list(parquet.columns) == list(table.columns)
for name in table.columns:
    # A cell of CSV is empty for a text that is, too, and for one that is not there; what looks like a number is read as one.
    texts = pandas.read_csv(os.path.join(folder, "rows.csv"), usecols=[name], dtype=str, keep_default_na=False)[name]
    for value, text in zip(parquet[name], texts):
        if value is None or (isinstance(value, float) and math.isnan(value)):
            assert text == "", name
        elif isinstance(value, float):
            assert value == float(text), name
        else:
            assert (str(value).lower() if isinstance(value, bool) else value) == text.replace("\r\n", "\n"), (name, value, text)
assert all(pandas.isna(a) if b is None else a == b for a, b in zip(parquet["score"], scores))
print(f"{len(logs)} logs, {compared} samples")
