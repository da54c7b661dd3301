from .model import State


class Workflow:
    def __init__(self, policy):
        self.policy = policy
        self.log = []

    def submit(self, expense):
        problems = self.policy.problems(expense)
        approvers = self.policy.approvers[expense.employee]
        state = State(expense, waits_for=list(approvers), notes=problems)
        self.note(state, "submitted")
        return state

    def decide(self, state, by, approve):
        if by not in state.waits_for:
            raise ValueError(f"{by} has no say in line {state.expense.line}")
        state.waits_for.remove(by)
        if not approve:
            state.status = "rejected"
            state.waits_for.clear()
        elif not state.waits_for:
            state.status = "approved"
        self.note(state, f"{by} approved" if approve else f"{by} rejected")
        return state

    def note(self, state, text):
        self.log.append(f"line {state.expense.line}: {text} {', '.join(state.notes)}")
