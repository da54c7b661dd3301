import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { call, eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

/** The confidence in a file; 0 when it isn't among the candidates. */
function scoreOf({ candidates }: Report, file: string): number {
  return candidates.find(({ location }) => location?.file.endsWith(`/${file}`))?.score ?? 0;
}

describe("a request that lacks a field", () => {
  const program = (read: string): Program => ({
    "/srv/clinic/src/server.js": `import { json } from "node:stream/consumers";
import { book } from "./booking.js";

export async function answer(request, response) {
  response.end(book(await ${read}));
}
`,
    "/srv/clinic/src/booking.js": `import { reminderFor } from "./reminder.js";

const booked = new Map();

export function book({ slot, patient }) {
  const reminder = reminderFor(patient);
  booked.set(slot, reminder);
  return reminder;
}
`,
    "/srv/clinic/src/reminder.js": `export function reminderFor({ phone, language }) {
  return { to: phone.normalize("NFKC"), language };
}
`,
  });
  const reportFor = async (read: string): Promise<Report> => {
    const files = program(read);
    const frames = [
      frameAt(files, "/srv/clinic/src/reminder.js", "normalize", "reminderFor"),
      frameAt(files, "/srv/clinic/src/booking.js", "reminderFor(patient", "book"),
      frameAt(files, "/srv/clinic/src/server.js", "book(await", "answer"),
    ];
    const message = "Cannot read properties of undefined (reading 'normalize')";
    const event = reportedEvent({ exceptions: [exception("TypeError", message, frames)] });
    return (await investigated(eventSubject(event, "clinic"))).report;
  };

  it("isn't attributed to the code that only passes it on", async () => {
    const [asked, unknown] = [await reportFor("json(request)"), await reportFor("sessions.next(7)")];
    expect(asked.root_cause.location?.file).not.toBe("/srv/clinic/src/booking.js");
    expect(scoreOf(asked, "booking.js")).toBeLessThan(scoreOf(unknown, "booking.js"));
  });
});

describe("a date of another format in an answer", () => {
  const program: Program = {
    "/srv/flights/src/airline.js": `export async function fetchFlight(number) {
  const response = await fetch(\`\${airlineUrl}/flights/\${number}\`);
  if (!response.ok) throw new Error("no flight");
  return response.json();
}
`,
    "/srv/flights/src/board.js": `import { fetchFlight } from "./airline.js";
import { gateCloses } from "./gate.js";

export async function rowOf(number) {
  const flight = await fetchFlight(number);
  return { number, closes: gateCloses(flight) };
}
`,
    "/srv/flights/src/gate.js": `export function gateCloses({ departure }) {
  return new Date(departure).toISOString();
}
`,
  };
  const reportFor = async (status: number): Promise<Report> => {
    const frames = [
      frameAt(program, "/srv/flights/src/gate.js", "toISOString", "gateCloses"),
      frameAt(program, "/srv/flights/src/board.js", "gateCloses(flight", "rowOf"),
      frameAt(program, "/srv/flights/src/airline.js", "response.json", "fetchFlight"),
    ];
    const event = reportedEvent({
      exceptions: [exception("RangeError", "Invalid time value", frames)],
      breadcrumbs: [call(0.02, { method: "GET", url: "http://airline/flights/7", status_code: status })],
    });
    return (await investigated(eventSubject(event, "flights"))).report;
  };

  it("is attributed to the code that reads the date when the call succeeded", async () => {
    const [answered, failed] = [await reportFor(200), await reportFor(502)];
    expect(scoreOf(answered, "airline.js")).toBeLessThan(scoreOf(answered, "gate.js"));
    expect(scoreOf(answered, "gate.js")).toBeGreaterThan(scoreOf(failed, "gate.js"));
  });
});
