"""
Writes what BFCL's own systems and checker say of calls: one line of JSON for each line that `turns.ts` writes on stdin.

    python3 turns.py FOLDER-OF-WHEEL < turns.jsonl > official.jsonl

A line names a category and a task, and has calls by turn and step. `mpmath` must be beside the wheel. What the systems keep for
all tasks of a process (a default list, cards) is set back before each line, so that lines do not depend on each other.
"""

import hashlib
import json
import pickle
import sys
from pathlib import Path

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))

from bfcl_eval.eval_checker.multi_turn_eval import multi_turn_checker as checker  # noqa: E402
from bfcl_eval.eval_checker.multi_turn_eval import multi_turn_utils as utils  # noqa: E402
from bfcl_eval.eval_checker.multi_turn_eval.func_source_code import long_context, posting_api, travel_booking  # noqa: E402

cards = pickle.dumps(long_context.CREDIT_CARD_EXTENSION)
weather = pickle.dumps(long_context.LONG_WEATHER_EXTENSION)


def reset():
    for default in posting_api.TwitterAPI.post_tweet.__defaults__:
        default.clear()
    travel_booking.CREDIT_CARD_EXTENSION.clear()
    travel_booking.CREDIT_CARD_EXTENSION.update(pickle.loads(cards))
    long_context.LONG_WEATHER_EXTENSION.clear()
    long_context.LONG_WEATHER_EXTENSION.update(pickle.loads(weather))
    for name in [name for name in vars(utils) if name.endswith("_instance")]:
        del vars(utils)[name]


def records(category):
    data = folder / "bfcl_eval" / "data"
    name = f"BFCL_v4_{category}.json"
    tasks = [json.loads(line) for line in open(data / name, encoding="utf8")]
    keys = [json.loads(line) for line in open(data / "possible_answer" / name, encoding="utf8")]
    return {task["id"]: (task, key["ground_truth"]) for task, key in zip(tasks, keys, strict=True)}


def shown(value):
    return repr(sorted(map(str, value))) if isinstance(value, set) else repr(value)


def state(instances):
    found = {}
    for name, instance in instances.items():
        found[name] = {key: shown(value) for key, value in vars(instance).items() if not key.startswith("_")}
        if name == "GorillaFileSystem":
            found[name]["path"] = instance.pwd()["current_working_directory"]
        if name == "VehicleControlAPI":
            hidden = ["_parkingBrakeForce", "_slopeAngle", "_brakePedalForce"]
            found[name].update({key: str(vars(instance)[key]) for key in hidden})
    return found


def played(task, turns):
    results, states = [], []
    involved = task["involved_classes"]
    is_long = "long_context" in task["id"]
    for turn in turns:
        calls = [call for step in turn for call in step]
        texts, instances = utils.execute_multi_turn_func_call(
            calls, task["initial_config"], involved, "planwright", task["id"], is_long, True
        )
        results.append(texts)
        states.append(state(instances))
    return results, states


def verdict(task, turns, truth):
    steps = [[step for step in turn if step] for turn in turns]
    if len(steps) < len(truth):
        return "short"
    found = checker.multi_turn_checker(steps, truth, task, task["id"].rsplit("_", 1)[0], "planwright")
    return "right" if found["valid"] else found["error_type"]


known = {}
for line in sys.stdin:
    asked = json.loads(line)
    category = asked["category"]
    if category not in known:
        known[category] = records(category)
    task, truth = known[category][asked["task"]]
    reset()
    results, states = played(task, asked["turns"])
    reset()
    digest = [hashlib.sha256(json.dumps(each, sort_keys=True).encode()).hexdigest() for each in states]
    answer = {"results": results, "states": digest, "verdict": verdict(task, asked["turns"], truth)}
    if asked.get("shown"):
        answer["shown"] = states
    print(json.dumps(answer), flush=True)
