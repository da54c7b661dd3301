class Book:
    def __init__(self, rules):
        self.rules = rules
        self.entries = []
        self.taken = {}

    def add(self, patient, doctor, at, reason=""):
        self.rules.check(at)
        room = self.room_at(doctor, at)
        entry = {"id": len(self.entries) + 1, "patient": patient, "doctor": doctor, "at": at, "until": at + self.rules.slot, "room": room, "reason": reason, "moved": []}
        self.entries.append(entry)
        self.taken.setdefault((doctor.key, at), []).append(entry)
        return entry

    def room_at(self, doctor, at):
        if self.taken.get((doctor.key, at)):
            raise RuntimeError("%s is busy at %s" % (doctor.name, at))
        return doctor.rooms[at.hour % len(doctor.rooms)]

    def find(self, number):
        for entry in self.entries:
            if entry["id"] == number:
                return entry
        return None

    def move(self, number, at):
        entry = self.find(number)
        self.rules.check(at)
        key = entry["doctor"].key
        room = self.room_at(entry["doctor"], at)
        self.taken[key, entry["at"]].remove(entry)
        self.taken.setdefault((key, at), []).append(entry)
        entry["moved"].append(entry["at"])
        entry.update(at=at, until=at + self.rules.slot, room=room)
        return entry

    def free(self, doctor, day):
        return [slot for slot in self.rules.slots(day) if not self.taken.get((doctor.key, slot))]
