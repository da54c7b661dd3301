import re
from dataclasses import dataclass, field

_doctors = {}
_patients = {}


@dataclass
class Doctor:
    name: str
    rooms: list
    specialties: list = field(default_factory=list)

    @property
    def key(self):
        return self.name.split()[-1].lower()


@dataclass(eq=False)
class Patient:
    id: int
    name: str
    born: tuple
    phone: str

    def age(self, on):
        year, month, day = self.born
        return on.year - year - ((on.month, on.day) < (month, day))


def add_doctor(name, rooms, specialties):
    doctor = Doctor(name, rooms, specialties)
    _doctors[doctor.key] = doctor
    return doctor


def add_patient(name, born, phone):
    digits = re.sub(r"[^\d+]", "", phone)
    if not digits.startswith("+"):
        digits = "+47" + digits
    if len(digits) != 11:
        raise ValueError("not a phone number: %s" % digits)
    patient = Patient(len(_patients) + 1, name, tuple(int(part) for part in born.split("-")), digits)
    _patients[patient.id] = patient
    return patient


def doctor(key):
    return _doctors[key]


def patient(number):
    if number not in _patients:
        raise KeyError("patient %r" % number)
    return _patients[number]
