import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { call, eventSubject, exception, frameAt, reportedEvent } from "../reported-event.ts";

const client = (check = ""): string => `export async function today(day) {
  const reply = await fetch(\`\${settings.url}?day=\${day}\`, { signal: AbortSignal.timeout(500) });
${check}  const answer = await reply.json();
  return { day, prices: answer.prices };
}
`;

async function reported(file: string, ...statuses: readonly (readonly [number, string])[]): Promise<string> {
  const program = {
    "/srv/menu/src/client.js": file,
    "/srv/menu/src/board.js": `import { today } from "./client.js";

let kept = { day: null, prices: {} };

export async function refresh(day) {
  kept = await today(day);
}

export function priceOf(dish) {
  return kept.prices[dish];
}
`,
  };
  const error = exception("TypeError", "Cannot read properties of undefined (reading 'soup')", [
    frameAt(program, "/srv/menu/src/board.js", "prices[dish]", "priceOf"),
  ]);
  const breadcrumbs = statuses.map(([status_code, url], index) => ({
    ...call(statuses.length - index, { method: "GET", url, status_code }),
    scope: "process" as const,
  }));
  const event = reportedEvent({
    exceptions: [error],
    breadcrumbs,
    request: { method: "GET", path: "/menu", route: "/menu", headers: {} },
  });
  const files = Object.entries(program).map(([path, content]) => ({
    path,
    name: path,
    content,
    version: "as uploaded",
  }));
  const { incident, input } = eventSubject(event);
  if (input.kind !== "event") throw new TypeError("The subject isn't an event.");
  const { report } = await investigated({ incident, input: { ...input, files } });
  return JSON.stringify(report);
}

const unchecked = "without checking the response status";
const url = "http://prices:7000/today?day=1";

describe("a field of a response that a background call of the process kept", () => {
  it("is said to be read without a look at the status when the last such call failed", async () => {
    expect(await reported(client(), [200, url], [429, url])).toContain(`reads \`answer.prices\` ${unchecked}`);
  });

  it.each<[string, string, ...(readonly [number, string])[]]>([
    ["the last such call succeeded", client(), [429, url], [200, url]],
    ["the code checks the status", client("  if (!reply.ok) return null;\n"), [200, url], [429, url]],
    ["calls went to several places", client(), [200, "http://stock:1/a"], [429, url]],
  ])("isn't when %s", async (_, file, ...statuses) => {
    expect(await reported(file, ...statuses)).not.toContain(unchecked);
  });
});
