"""Answers questions with a model and checks the answers: one process for many of them."""

import random

import assay

PRICE_USD = {"small": 0.0001, "large": 0.002}
SKILL = {"small": 0.55, "large": 0.75}


def ask(model, prompt, question, seed):
    """A stand-in for a paid model: it errs as models do, less often when it is told to think."""
    skill = SKILL[model] + (0.15 if "step" in prompt else 0.0)
    left, right = (int(part) for part in question.split(" + "))
    slip = 0 if random.Random("%s %s %s %s" % (model, prompt, question, seed)).random() < skill else 10
    return left + right + slip


def evaluate(run):
    item, params = run["item"], run["params"]
    with open(params["prompt"], encoding="utf-8") as file:
        prompt = file.read()
    answer = ask(params["model"], prompt, item["question"], run["seed"])
    return {"correct": answer == item["answer"], "cost_usd": PRICE_USD[params["model"]], "answer": str(answer)}


assay.serve(evaluate)
