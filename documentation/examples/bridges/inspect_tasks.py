"""Any task of Inspect AI: `planwright processes add NAME -- python3 inspect_tasks.py inspect_evals/TASK [AT_ONCE] [KEY=JSON ...]`.

One evaluation of Inspect holds all samples; each waits, before it has a sandbox, until it is asked for.
Needs `pip install inspect_ai inspect_evals` (tried with 0.3.285 and 0.26.0).
"""

import anyio, json, os, sys, tempfile, threading
from inspect_ai import eval as evaluate
from inspect_ai.hooks import Hooks, hooks
from inspect_ai.log._samples import sample_active
from inspect_ai.model import ModelAPI, get_model, modelapi
from inspect_ai.scorer import value_to_float
from inspect_ai.util import registry_create

lines, sys.stdout = sys.stdout, sys.stderr
lock, begun, asked, playing, names = threading.Lock(), threading.Event(), {}, set(), {}

def send(**line):
    with lock:
        print(json.dumps(line, default=str), file=lines, flush=True)

@modelapi("planwright")
class Planwright(ModelAPI):  # asks the role of its name, at the address of the sample that asks
    async def generate(self, input, tools, tool_choice, config):
        url = asked[str(sample_active().sample.id)]["model"]["url"]
        model = get_model(f"openai-api/planwright/{self.model_name}", base_url=url, api_key="none")
        return await model.api.generate(input, tools, tool_choice, config)

@hooks(name="planwright", description="Plays the samples that are asked for")
class Samples(Hooks):
    async def on_sample_init(self, data):
        names[data.sample_id] = str(data.summary.id)
        while names[data.sample_id] not in asked:
            await anyio.sleep(0.05)

    async def on_sample_event(self, data):
        if (event := data.event).event == "tool":
            result = {"ok": event.error is None, "content": event.error.message if event.error else event.result}
            call = {"id": event.id, "name": event.function, "arguments": event.arguments}
            send(type="step", task=names[data.sample_id], **call, **result)

    async def on_sample_end(self, data):
        sample, scores, parts = data.sample, data.sample.scores or {}, {}
        for name, score in scores.items():
            whole = score.value if isinstance(score.value, dict) else {"": score.value}
            parts |= {f"{name} {part}".strip(): value_to_float()(value) for part, value in whole.items() if value is not None}
        value = None if sample.error else next(iter(parts.values()), None)
        errors = [sample.error.message] if sample.error else [score.explanation for score in scores.values() if score.explanation]
        playing.discard(name := str(sample.id))
        send(type="score", task=name, value=value, parts=parts, errors=errors if value != 1 else [])
        send(type="answer", task=name, answer=sample.output.completion)

def listed(index, sample):
    said = sample.input if isinstance(sample.input, str) else "\n".join(each.text for each in sample.input)
    facets = {key: value for key, value in (sample.metadata or {}).items() if isinstance(value, (str, int)) and len(str(value)) < 60}
    return {"id": str(index if sample.id is None else sample.id), "question": said, "facets": facets, "reference": sample.target}

def read():
    for line in map(json.loads, sys.stdin):
        if line["type"] == "tasks":
            send(type="tasks", tasks=[listed(*each) for each in enumerate(task.dataset, 1)])
        elif line["type"] == "task":
            playing.add(line["task"]), asked.update({line["task"]: line}), begun.set()
        elif line["type"] == "score" and line["task"] not in playing:
            send(type="score", task=line["task"], value=None, errors=["Inspect scores a sample as it plays it"])
    os._exit(0)

name, at_once = [*sys.argv[1:], "4"][:2]
task = registry_create("task", name, **{key: json.loads(value) for key, value in (each.split("=", 1) for each in sys.argv[3:])})
send(type="hello", name=name, version=str(task.version), atOnce=int(at_once))
threading.Thread(target=read, daemon=True).start()
begun.wait()
roles = {"user": get_model("planwright/user"), "grader": get_model("planwright/judge")}
quiet = {"display": "none", "log_dir": tempfile.mkdtemp(), "fail_on_error": False, "max_retries": 0, "max_connections": 100}
evaluate(task, model="planwright/model", model_roles=roles, epochs=1, max_samples=len(task.dataset), **quiet)
