import { describe, expect, it } from "vitest";
import type { InvestigationSubject } from "../../src/findings/investigation-subject.ts";
import { investigated, textSubject } from "../investigated.ts";
import { eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

const program: Program = {
  "/srv/src/orders.js": "export function totalOf(order) {\n  return order.lines.length;\n}\n",
};
const frame = frameAt(program, "/srv/src/orders.js", "lines.length", "totalOf");
const message = "Cannot read properties of undefined (reading 'length')";
const unseen = "Source: no files of `orders` `1.4.2` were available, only the code around the calls on the stack.";

function subjectAt(frames: Parameters<typeof exception>[2]): InvestigationSubject & { input: { kind: "event" } } {
  const subject = eventSubject(reportedEvent({ exceptions: [exception("TypeError", message, frames)] }));
  if (subject.input.kind !== "event") throw new Error("it is an event");
  return { ...subject, input: subject.input };
}

describe("a report on an event", () => {
  it("says that no other code was seen when the event alone brought some", async () => {
    const { report } = await investigated(subjectAt([frame]));
    expect(report.not_checked).toContain(unseen);
  });

  it("doesn't say so when files of the release were read", async () => {
    const { input, ...subject } = subjectAt([frame]);
    const files = Object.entries(program).map(([name, content]) => {
      return { name, content, path: name.slice("/srv/".length), version: "git v1.4.2" };
    });
    const { report } = await investigated({ ...subject, input: { ...input, files } });
    expect(report.not_checked).not.toContain(unseen);
  });

  it("names the files that the release's source lacks instead", async () => {
    const { input, ...subject } = subjectAt([frame]);
    const notRead = [{ file: "/srv/src/orders.js", why: "absent" as const }];
    const { report } = await investigated({ ...subject, input: { ...input, notRead } });
    expect(report.not_checked).not.toContain(unseen);
    expect(report.not_checked.join()).toContain("`/srv/src/orders.js` wasn't read");
  });

  it("says that the code on the stack is missing when the event brought none", async () => {
    const { context: _, ...bare } = frame;
    const { report } = await investigated(subjectAt([bare]));
    expect(report.not_checked).not.toContain(unseen);
    expect(report.not_checked).toContain("Source: missing for 1 of 1 own-code frame.");
  });
});

describe("a report on code that is in no file", () => {
  it("names the function and its line", async () => {
    const text =
      'Traceback (most recent call last):\n  File "<stdin>", line 1, in <module>\n  File "<stdin>", line 2, in share\nZeroDivisionError: division by zero\n';
    const { report } = await investigated(textSubject(text));
    expect(report.root_cause.statement).toContain("`share` (line 2) fails with");
    expect(JSON.stringify(report.chain)).not.toContain("`<unknown>");
  });

  it("names the line where there is no function", async () => {
    const text =
      'Traceback (most recent call last):\n  File "<stdin>", line 1, in <module>\nZeroDivisionError: division by zero\n';
    const { report } = await investigated(textSubject(text));
    expect(report.root_cause.statement).toMatch(/^Line 1 fails with/);
  });
});
