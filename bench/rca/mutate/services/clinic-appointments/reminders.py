def due(book, now):
    before, sender = book.rules.reminder
    messages = []
    for entry in sorted(book.entries, key=lambda each: each["at"]):
        if now <= entry["at"] <= now + before:
            messages.append(message(entry, sender))
    return messages


def message(entry, sender):
    name = entry["patient"].name.title()
    minutes = int((entry["until"] - entry["at"]).total_seconds() // 60)
    text = f"{name}: {entry['at']:%d.%m. %H:%M}, room {entry['room']}, {minutes} minutes"
    return {"to": entry["patient"].phone[3:], "from": sender.split("@")[0], "text": text}
