import type { Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { call, eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

const again = (end: string): string => `export function again(call) {
  return async (...args) => {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        return await call(...args);
      } catch (error) {
        console.warn(error);
      }
    }${end}
  };
}
`;

const files = (end: string): Program => ({
  "/srv/bank/src/balance.js": `import { loadPage } from "./pages.js";

export async function balanceOf(account) {
  const page = await loadPage(account);
  return page.balance;
}
`,
  "/srv/bank/src/pages.js": `import { again } from "./again.js";

async function fetchPage(account) {
  const response = await fetch(\`http://ledger:8080/pages/\${account}\`);
  if (!response.ok) throw new Error(\`the ledger answered \${response.status}\`);
  return response.json();
}

export const loadPage = again(fetchPage);
`,
  "/srv/bank/src/again.js": again(end),
});

/** The report on a missing page after a call that failed. */
async function reportFor(end: string): Promise<Report> {
  const program = files(end);
  const frames = [frameAt(program, "/srv/bank/src/balance.js", "balance;", "balanceOf")];
  const event = reportedEvent({
    exceptions: [exception("TypeError", "Cannot read properties of undefined (reading 'balance')", frames)],
    breadcrumbs: [call(0.02, { method: "GET", url: "http://ledger:8080/pages/7", status_code: 503 })],
  });
  const subject = eventSubject(event, "bank");
  if (subject.input.kind !== "event") throw new Error("it is an event");
  const given = Object.entries(program).map(([name, content]) => ({ name, content, path: name, version: "1" }));
  return (await investigated({ ...subject, input: { ...subject.input, files: given } })).report;
}

describe("a call that failed, and whose error the code handled", () => {
  it("is less likely than the code that went on without a value", async () => {
    const { root_cause } = await reportFor("");
    expect(root_cause.location).toMatchObject({ file: "/srv/bank/src/again.js", line: 6 });
  });

  it("is the cause where the code passes its error on", async () => {
    const { root_cause } = await reportFor("\n    throw new Error();");
    expect(root_cause.category).toBe("upstream-bad-response");
  });
});
