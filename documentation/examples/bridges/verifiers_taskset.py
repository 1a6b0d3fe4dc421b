"""A taskset of verifiers (v1): `planwright processes add NAME -- python3 verifiers_taskset.py TASKSET [AT_ONCE] [CONFIG]`.

CONFIG is the environment's configuration as JSON; without it, the agent only talks and calls tools, on this machine.
Needs `pip install verifiers uv` and the taskset's package (tried with 0.4.0).
"""

import asyncio, importlib.metadata, json, os, sys

import verifiers.v1 as vf

lines, sys.stdout = sys.stdout, sys.stderr


def send(**line):
    print(json.dumps(line, default=str), file=lines, flush=True)


def text_of(content):
    return content if isinstance(content, str) else "".join(getattr(part, "text", "") for part in content or [])


def name_of(index, task):
    return str(task.data.name or task.data.id or index)


def listed(index, task):
    prompt = task.data.prompt or task.data.description or ""
    question = prompt if isinstance(prompt, str) else "\n".join(text_of(message.content) for message in prompt)
    return {"id": name_of(index, task), "question": question, "reference": getattr(task.data, "answer", None)}


def told(name, episode):
    """Tells what happened in an episode: calls with their results, rewards and metrics, errors, the last reply."""
    calls, answer, parts = {}, None, {}
    for trace in episode.traces:
        for message in trace.messages:
            for call in getattr(message, "tool_calls", None) or []:
                calls[call.id] = call
            if message.role == "tool" and message.tool_call_id in calls:
                call = calls[message.tool_call_id]
                content = text_of(message.content)
                send(type="step", task=name, id=call.id, name=call.name, arguments=call.arguments, content=content)
            elif message.role == "assistant":
                answer = text_of(message.content) or answer
        rewards = {key: reward.value for key, reward in trace.rewards.items() if reward}
        parts |= rewards | {key: value for key, value in trace.metrics.items() if value is not None}
    errors = [f"{error.type}: {error.message}" for source in [episode, *episode.traces] for error in source.errors]
    value = sum(trace.reward for trace in episode.traces) / len(episode.traces) if episode.ok else None
    send(type="score", task=name, value=value, parts=parts, errors=errors)
    send(type="answer", task=name, answer=answer)


async def play(env, task, line):
    client = vf.EvalClientConfig(base_url=line["model"]["url"], api_key_var="PLANWRIGHT_NEEDS_NO_KEY")
    told(line["task"], await env.run_episode(task, vf.ModelContext(model="model", client=client)))


TALKING = '{"agent": {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}}'


async def main(taskset, at_once="4", config=TALKING):
    send(type="hello", name=taskset, version=importlib.metadata.version("verifiers"), atOnce=int(at_once))
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": taskset}} | json.loads(config)))
    tasks = {name_of(*each): each for each in enumerate(env.taskset)}
    playing = set()
    async with env.serving():
        while text := await asyncio.to_thread(sys.stdin.readline):
            line = json.loads(text)
            if line["type"] == "tasks":
                send(type="tasks", tasks=[listed(*each) for each in tasks.values()])
            elif line["type"] == "task":
                playing.add(asyncio.create_task(play(env, tasks[line["task"]][1], line)))
            elif line["type"] == "score":
                send(type="score", task=line["task"], value=None, errors=["verifiers scores a task as it plays it"])
    os._exit(0)


asyncio.run(main(*sys.argv[1:]))
