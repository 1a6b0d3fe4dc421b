"""
Writes what BFCL's own checker says of each answer: for the answers `answers.ts` writes, one line each on stdin.

    python3 verdicts.py FOLDER-OF-WHEEL < answers.jsonl > verdicts.jsonl

The checker reads the models' configuration for one thing only (`underscore_to_dot`, here never set), so an empty stand-in
takes its place: the packages of the models' clients are not needed. `refused` is an answer found wrong, `broken` one the
checker has an exception for.
"""

import json
import sys
import types
from collections import defaultdict
from enum import Enum
from pathlib import Path

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
config = types.ModuleType("bfcl_eval.constants.model_config")
config.MODEL_CONFIG_MAPPING = defaultdict(lambda: types.SimpleNamespace(underscore_to_dot=False))
sys.modules["bfcl_eval.constants.model_config"] = config

from bfcl_eval.constants.enums import Language  # noqa: E402
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker  # noqa: E402

languages = {"simple_java": Language.JAVA, "simple_javascript": Language.JAVASCRIPT}


def records(category):
    data = folder / "bfcl_eval" / "data"
    name = f"BFCL_v4_{category}.json"
    tasks = [json.loads(line) for line in open(data / name, encoding="utf8")]
    keys = [json.loads(line) for line in open(data / "possible_answer" / name, encoding="utf8")]
    return {task["id"]: (task["function"], key["ground_truth"]) for task, key in zip(tasks, keys, strict=True)}


known = {}
for line in sys.stdin:
    answer = json.loads(line)
    category = answer["category"]
    if category not in known:
        known[category] = records(category)
    functions, truth = known[category][answer["task"]]
    language = languages.get(category, Language.PYTHON)
    try:
        valid = ast_checker(functions, answer["calls"], truth, language, category, "any")["valid"]
        verdict = "accepted" if valid else "refused"
    except Exception as error:
        verdict = "broken"
        print(answer["task"], repr(error), file=sys.stderr)
    print(json.dumps({"task": answer["task"], "seed": answer["seed"], "verdict": verdict}))
