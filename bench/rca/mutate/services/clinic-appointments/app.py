import json
import logging
from datetime import date, datetime
from urllib.parse import parse_qs

import calendar_rules
import people
import reminders
import report
from appointments import Book
from router import Router

logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M")
router = Router()
book = Book(calendar_rules.load("settings.ini"))


@router.post("/doctors")
def add_doctor(request):
    doctor = people.add_doctor(**request["body"])
    return {"key": doctor.key, "room": doctor.rooms[0]}


@router.post("/patients")
def add_patient(request):
    patient = people.add_patient(**request["body"])
    return {"id": patient.id, "phone": patient.phone}


@router.post("/appointments")
def add_appointment(request):
    body = request["body"]
    entry = book.add(people.patient(body["patient"]), people.doctor(body["doctor"]), datetime.fromisoformat(body["at"]), body.get("reason", ""))
    return {"id": entry["id"], "room": entry["room"], "until": entry["until"].strftime("%H:%M")}


@router.post("/appointments/<id>/move")
def move(request):
    entry = book.move(int(request["id"]), datetime.fromisoformat(request["body"]["at"]))
    return {"from": entry["moved"][0].isoformat(), "room": entry["room"].zfill(2)}


@router.get("/free")
def free(request):
    query = request["query"]
    slots = book.free(people.doctor(query["doctor"]), date.fromisoformat(query["day"]))
    return {"first": slots[0].strftime("%H:%M"), "last": slots[-1].strftime("%H:%M"), "count": len(slots)}


@router.get("/patients/<id>")
def describe(request):
    patient = people.patient(int(request["id"]))
    visits = [entry for entry in book.entries if entry["patient"] is patient]
    return {"name": patient.name, "age": patient.age(date(2025, 5, 1)), "next": min(visit["at"] for visit in visits).isoformat()}


@router.get("/reminders")
def due(request):
    return reminders.due(book, datetime.fromisoformat(request["query"]["now"]))


@router.get("/report")
def month(request):
    return report.month(book, request["query"]["month"])


def application(environ, start_response):
    length = int(environ["CONTENT_LENGTH"])
    text = environ["wsgi.input"].read(length).decode("utf-8")
    query = {key: values[0] for key, values in parse_qs(environ["QUERY_STRING"]).items()}
    try:
        handler, found = router.find(environ["REQUEST_METHOD"], environ["PATH_INFO"])
        answer = handler({"body": json.loads(text) if text else None, "query": query, **found})
    except Exception as error:
        logging.error("Error on request %s", environ["PATH_INFO"], exc_info=error)
        start_response("500 Internal Server Error", [])
        return [b"{}"]
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]
