"""Stands for the insurer's service."""
import threading
import time

tickets = {}
guard = threading.Lock()


def fetch_ticket():
    with guard:
        ticket = f"t{len(tickets)}"
        tickets[ticket] = time.monotonic() + 0.4
    return ticket, 400


def insure(ticket, tool, cents):
    time.sleep(0.01)
    if tickets[ticket] < time.monotonic():
        return {"ok": False, "why": "Unauthorized: ticket expired"}
    if cents > 100_000:
        return {"ok": False, "why": f"amount {cents} above the maximum"}
    return {"ok": True, "policy": f"{tool}-{ticket}"}
