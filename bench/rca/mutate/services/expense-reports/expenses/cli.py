import logging

from .approval import Workflow
from .books import Books
from .policy import Policy
from .reader import read_expenses
from .report import render

logger = logging.getLogger(__name__)


def main(files):
    policy = Policy.from_file("policy.json")
    books = Books()
    for name, text in files:
        try:
            process(name, text, policy, books)
        except (ValueError, ArithmeticError) as error:
            logger.exception("%s was not booked: %s", name, error)
    report = render(books)
    top = report["employees"][0]
    print(top["name"].title(), f"{top['total']:.2f}", report["months"]["2025-03"].quantize(policy.cent))


def process(name, text, policy, books):
    expenses = list(read_expenses(text))
    if not expenses:
        raise ValueError(f"{name} is empty")
    workflow = Workflow(policy)
    for expense in expenses:
        state = workflow.submit(expense)
        while state.waits_for:
            state = workflow.decide(state, by=state.waits_for[0], approve=True)
        if state.status == "approved":
            books.post(expense, policy.in_euro(expense.amount, expense.currency))
    print(name, len(books.entries), workflow.log[-1].split(":")[0])
