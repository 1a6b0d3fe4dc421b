"""Lets Inspect AI write a log into the folder given, as an archive and as JSON, and prints what its own reader finds in it.

Its mock model answers three questions twice: it calls a tool that once fails, thinks, is graded by a model and by text, and one question
fails. Needs Python with `inspect_ai`; run by inspect.test.ts where PLANWRIGHT_INSPECT names such a Python.
"""

import json
import os
import sys

from inspect_ai import Epochs, Task, eval, task
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ContentReasoning, ContentText, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes, model_graded_qa
from inspect_ai.solver import generate, solver, system_message, use_tools
from inspect_ai.tool import ToolError, tool

MODEL = "mockllm/model"


@tool
def add():
    async def execute(x: int, y: int):
        """Add two numbers.

        Args:
            x: the first
            y: the second
        """
        if x == 13:
            raise ToolError("13 is unlucky")
        return str(x + y)

    return execute


@solver
def failing():
    async def solve(state, generate):
        if state.sample_id == "broken":
            raise ValueError("out of order")
        return state

    return solve


def counted(output, **more):
    output.usage = ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10 + sum(more.values()), **more)
    return output


def replies():
    for _ in range(2):
        yield counted(ModelOutput.for_tool_call(MODEL, "add", {"x": 2, "y": 2}), input_tokens_cache_write=40)
        yield counted(ModelOutput.from_content(MODEL, "word " * 80 + "It is 4"), input_tokens_cache_read=40)
        yield counted(ModelOutput.for_tool_call(MODEL, "add", {"x": 13, "y": 2}))
        thought = [ContentReasoning(reasoning="13, then"), ContentText(text="It is 15")]
        yield counted(ModelOutput.from_content(MODEL, thought), reasoning_tokens=2)


def grades():
    for grade in "CICC":
        yield counted(ModelOutput.from_content(MODEL, f"As I see it. GRADE: {grade}"))


@task
def sums():
    return Task(
        dataset=[
            Sample(id="sums/small", input="What is 2 + 2?", target="4", metadata={"digits": 1, "kind": "easy"}),
            Sample(id="sums/large", input="What is 13 + 2?", target=["15", "fifteen"], metadata={"digits": 2}),
            Sample(id="broken", input="What is it?", target="x"),
        ],
        solver=[system_message("Be brief"), failing(), use_tools(add()), generate()],
        scorer=[includes(), model_graded_qa(model=get_model(MODEL, custom_outputs=list(grades()), memoize=False))],
        epochs=Epochs(2, "mean"),
    )


def thinking(content):
    return "".join(part.reasoning for part in content if part.type == "reasoning") if isinstance(content, list) else ""


def told(sample):
    """A sample as its reader has it, under our names."""
    models = [event for event in sample.events if event.event == "model"]
    usages = [event.output.usage for event in models]
    scorers = {event.id for event in sample.events if event.event == "span_begin" and (event.type or "").startswith("scorer")}
    return {
        "task": str(sample.id) if sample.epoch == 1 else f"{sample.id} ({sample.epoch})",
        "question": sample.input,
        "reference": sample.target if isinstance(sample.target, str) else " | ".join(sample.target),
        "facets": sample.metadata,
        "failure": sample.error and sample.error.message,
        "answer": None if sample.error else sample.output.completion,
        "labels": {f"inspect.{name}": score.value for name, score in (sample.scores or {}).items()},
        "tokens": {
            "input": sum(u.input_tokens + (u.input_tokens_cache_read or 0) + (u.input_tokens_cache_write or 0) for u in usages),
            "output": sum(u.output_tokens for u in usages),
            "cached": sum(u.input_tokens_cache_read or 0 for u in usages),
            "reasoning": sum(u.reasoning_tokens or 0 for u in usages),
        },
        "requests": [
            {
                "role": "judge" if event.span_id in scorers else "model",
                "messages": [[m.role, m.error.message if m.role == "tool" and m.error else m.text] for m in event.input],
                "tools": [each.name for each in event.tools],
                "text": event.output.message.text,
                "thinking": thinking(event.output.message.content),
                "calls": [[call.function, call.arguments] for call in event.output.message.tool_calls or []],
            }
            for event in models
        ],
    }


model = get_model(MODEL, custom_outputs=replies(), memoize=False)
[written] = eval(sums(), model=model, log_dir=sys.argv[1], fail_on_error=False, max_samples=1, display="none")
archive = os.path.join(sys.argv[1], "sums.eval")
os.rename(written.location, archive)
write_eval_log(read_eval_log(archive), os.path.join(sys.argv[1], "sums.json"))
print(json.dumps([told(sample) for sample in read_eval_log(archive, resolve_attachments=True).samples]))
