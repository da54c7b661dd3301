import { describe, expect, it } from "vitest";
import { investigated } from "../../investigated.ts";
import { eventSubject, exception, reportedEvent } from "../../reported-event.ts";

describe("how an error was caught", () => {
  it.each([
    ["logging", true, "reported by `logging`; the program continued"],
    ["threading.excepthook", false, "caught by `threading.excepthook`, not handled"],
  ])("isn't called handled where a framework logs it: %s", async (type, handled, said) => {
    const exceptions = [exception("KeyError", "'size'", [])];
    const event = reportedEvent({ exceptions, mechanism: { type, handled } });
    const { report } = await investigated(eventSubject(event, "billing"));
    expect(report.evidence.map(({ summary }) => summary)).toContain(said);
  });
});
