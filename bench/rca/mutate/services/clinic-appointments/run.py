import io
import json

from app import application


def send(method, path, body=None, query=""):
    content = json.dumps(body).encode() if body is not None else b""
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "CONTENT_LENGTH": str(len(content)), "wsgi.input": io.BytesIO(content)}
    seen = {}
    chunks = application(environ, lambda status, headers: seen.update(status=status, headers=dict(headers)))
    return json.loads(b"".join(chunks)) if seen["status"].startswith("200") else {}


send("POST", "/doctors", {"name": "Dr. Berg", "rooms": ["1", "2"], "specialties": ["skin"]})
send("POST", "/doctors", {"name": "Dr. Lie", "rooms": ["3"], "specialties": []})
ada = send("POST", "/patients", {"name": "Ada", "born": "2015-06-01", "phone": "+47 99 88 77 66"})
bo = send("POST", "/patients", {"name": "Bo", "born": "1960-01-31", "phone": "22334455"})
first = send("POST", "/appointments", {"patient": ada.get("id"), "doctor": "berg", "at": "2025-05-05T09:00"})
send("POST", "/appointments", {"patient": bo.get("id"), "doctor": "berg", "at": "2025-05-05T09:20", "reason": "rash"})
send("POST", "/appointments", {"patient": bo.get("id"), "doctor": "lie", "at": "2025-05-06T16:40"})
send("GET", "/free", query="doctor=berg&day=2025-05-05")
send("GET", "/patients/%s" % bo.get("id"))
send("POST", "/appointments/%s/move" % first.get("id"), {"at": "2025-05-05T11:00"})
send("GET", "/reminders", query="now=2025-05-04T12:00")
send("GET", "/report", query="month=2025-05")
