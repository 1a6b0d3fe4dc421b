"""A benchmark of your own in plain Python: `planwright processes add sums -- python3 plain.py`.

A bag holds coins; the model puts some in or takes some out by lines such as `PUT 3`, and is told what the bag holds
until it says DONE. Replace `tasks`, `play` and `score` by yours; the rest stays.
"""

import json, sys, threading, urllib.request

TASKS = {"three": {"begin": 0, "wanted": 3}, "less": {"begin": 9, "wanted": 4}, "same": {"begin": 5, "wanted": 5}}


def tasks():
    for name, bag in TASKS.items():
        question = f"The bag holds {bag['begin']} coins. Make it hold {bag['wanted']}."
        yield {"id": name, "question": question, "facets": {"wanted": bag["wanted"]}, "reference": bag["wanted"]}


def play(task, ask, step):
    """Plays one task, and returns its answer: the coins in the bag."""
    coins = TASKS[task["task"]]["begin"]
    rules = "Reply by one line: PUT n, TAKE n, or DONE."
    messages = [{"role": "system", "content": rules}, {"role": "user", "content": task["question"]}]
    for _ in range(8):
        reply = ask("model", messages)
        word, _, number = reply.strip().partition(" ")
        if word not in ("PUT", "TAKE") or not number.isdigit():
            return coins
        coins += int(number) if word == "PUT" else -int(number)
        step(name=word, arguments={"coins": int(number)}, content=f"{coins} coins")
        messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": f"It holds {coins}."}]
    return coins


def score(task, answer):
    wanted = TASKS[task]["wanted"]
    return {"value": answer == wanted, "parts": {"off by": abs((answer or 0) - wanted)}}


# From here on nothing is about coins.

def send(**line):
    with lock:
        print(json.dumps(line), flush=True)


def asking(task):
    def ask(role, messages, **more):
        body = json.dumps({"model": role, "messages": messages, **more}).encode()
        request = urllib.request.Request(task["model"]["url"] + "/chat/completions", body)
        with urllib.request.urlopen(request) as response:
            return json.load(response)["choices"][0]["message"]["content"]

    return ask


def answer(task):
    name = task["task"]
    try:
        send(type="answer", task=name, answer=play(task, asking(task), lambda **step: send(type="step", task=name, **step)))
    except Exception as error:
        send(type="score", task=name, value=None, errors=[repr(error)])
        send(type="answer", task=name, answer=None)


lock = threading.Lock()
send(type="hello", name="coins", version="1", atOnce=4)
for text in sys.stdin:
    line = json.loads(text)
    if line["type"] == "tasks":
        send(type="tasks", tasks=list(tasks()))
    elif line["type"] == "task":
        threading.Thread(target=answer, args=(line,), daemon=True).start()
    elif line["type"] == "score":
        send(type="score", task=line["task"], **score(line["task"], line["answer"]))
