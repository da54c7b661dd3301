import { keyScopes, type NotificationRule, notificationRuleChangeSchema } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { browserName } from "../../../src/features/session/browser-name.ts";
import { lineDiff } from "../../../src/features/settings/instructions/line-diff.ts";
import {
  assignedRepositories,
  serviceRepositories,
} from "../../../src/features/settings/integrations/assigned-repositories.ts";
import { keyScopeOptions, keyScopesName } from "../../../src/features/settings/keys/key-scope-names.ts";
import { ruleFacts } from "../../../src/features/settings/notifications/notification-names.ts";
import { checkFields, fieldProblems } from "../../../src/lib/field-problems.ts";

const textOf = (lines: ReturnType<typeof lineDiff>, without: string): string =>
  lines
    .filter(({ change }) => change !== without)
    .map(({ text }) => text)
    .join("\n");

/** Every text of at most so many lines, each one of three. */
function everyText(linesMax: number): string[] {
  if (linesMax === 0) return [""];
  return [
    ...new Set(
      everyText(linesMax - 1).flatMap((text) => [text, ...["a", "b", ""].map((line) => `${text}\n${line}`), "a", "b"]),
    ),
  ];
}

describe("the difference of two texts", () => {
  it("is the lines that were added and removed, between unchanged ones", () => {
    expect(lineDiff("cache\nqueue\nend", "cache\ndatabase\nqueue\nlast")).toEqual([
      { change: "same", text: "cache" },
      { change: "added", text: "database" },
      { change: "same", text: "queue" },
      { change: "removed", text: "end" },
      { change: "added", text: "last" },
    ]);
    expect(lineDiff("", "first")).toEqual([{ change: "added", text: "first" }]);
    expect(lineDiff("same", "same")).toEqual([{ change: "same", text: "same" }]);
  });

  it("contains both texts completely, whatever they are", () => {
    const texts = everyText(3);
    for (const before of texts) {
      for (const after of texts) {
        const lines = lineDiff(before, after);
        expect([textOf(lines, "added"), textOf(lines, "removed")]).toEqual([before, after]);
      }
    }
  });

  it("shows texts with too many lines to compare as one removed and one added", () => {
    const text = (name: string): string => Array.from({ length: 600 }, (_, row) => `${name}${row}`).join("\n");
    expect(lineDiff(text("a"), text("b")).map(({ change }) => change)).toEqual([
      ...Array.from({ length: 600 }, () => "removed"),
      ...Array.from({ length: 600 }, () => "added"),
    ]);
  });
});

describe("entered values", () => {
  const schema = z.object({ name: z.string().min(1), days: z.int().max(9) });

  it("are in the service's form, or rejected field by field", () => {
    expect(checkFields(schema, { name: "ci", days: 9 })).toEqual({ name: "ci", days: 9 });
    try {
      checkFields(schema, { name: "", days: 10 });
      expect.unreachable();
    } catch (error) {
      expect(fieldProblems(error)).toEqual({
        name: "This field is required.",
        days: "Input should be less than or equal to 9.",
      });
    }
    expect(fieldProblems(new Error("something else"))).toEqual({});
  });
});

describe("a browser", () => {
  it.each([
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
      "Chrome on Linux",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
      "Safari on an iPhone",
    ],
    ["curl/8.5", "An unknown browser"],
  ])("%s is called %s", (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });
});

describe("a notification rule in words", () => {
  const ruleOf = (chosen: object): NotificationRule => ({
    ...notificationRuleChangeSchema.parse({ name: "On call", ...chosen }),
    id: "ntr_1",
    changed_at: "2026-03-01T12:00:00.000Z",
    changed_by: { id: "usr_1", name: "Ada" },
    last_delivery: null,
    held_back: 0,
  });

  it("says when, from which services, and to whom, and leaves out what it doesn't restrict", () => {
    expect(ruleFacts(ruleOf({ events: ["failed", "completed"], emails: ["a@example.com"] }))).toEqual([
      ...["when the report is ready or the investigation failed", "to a@example.com", "at most 20 per hour"],
    ]);
    const chosen = {
      events: ["opened"],
      min_severity: "high",
      services: ["cart", "checkout"],
      envs: ["PROD"],
      triggers: ["event", "process-exit"],
      emails: ["a@example.com"],
      webhook_url: "https://hooks.example.com/…",
    };
    expect(ruleFacts(ruleOf({ ...chosen, per_hour: 5 }))).toEqual([
      ...[
        "when an incident opened",
        "high or worse",
        "from cart, checkout",
        "in PROD",
        "opened by telemetry, process exit",
      ],
      ...["to a@example.com, the webhook at hooks.example.com", "at most 5 per hour"],
    ]);
  });

  it("names its channels as their vendors do, its confidence, and its quiet hours", () => {
    const quiet = { time_zone: "Europe/Berlin", from: "22:00", to: "07:00" };
    const chosen = { events: ["completed"], slack: true, teams: true, pagerduty: "eu", opsgenie: "jsm" };
    expect(ruleFacts(ruleOf({ ...chosen, min_confidence: 0.29, quiet_hours: { ...quiet, days: ["friday"] } }))).toEqual(
      [
        ...["when the report is ready", "29% confidence or more", "to Slack, Microsoft Teams, PagerDuty, Opsgenie"],
        ...["at most 20 per hour", "quiet 22:00–07:00 (Europe/Berlin) on Fri"],
      ],
    );
    expect(ruleFacts(ruleOf({ ...chosen, quiet_hours: quiet })).at(-1)).toBe("quiet 22:00–07:00 (Europe/Berlin)");
  });
});

describe("the scopes of a key", () => {
  it("are capitalized, and those of an agent's key combined", () => {
    expect(keyScopes.map((scope) => keyScopesName([scope]))).toEqual([
      "Send",
      "Analyze",
      "Read",
      "Release",
      "Sentry",
      "Full",
    ]);
    expect(keyScopesName(["analyze", "read"])).toBe("Analyze and read");
  });

  it("are offered with the one for services first", () => {
    expect(keyScopeOptions.map(({ value }) => value)).toEqual(keyScopes);
    expect(keyScopeOptions[0]?.name).toBe("Send: can only send telemetry");
  });
});

describe("the repositories of a code host", () => {
  it("are listed for each service that was seen or has one, in order", () => {
    const assigned = assignedRepositories({ inputs: { account: "acme", repositories: '{"payments":"acme/shop"}' } });
    expect(serviceRepositories(assigned, ["payments", "cart", "toString"])).toEqual([
      { service: "cart", repository: null },
      { service: "payments", repository: "acme/shop" },
      { service: "toString", repository: null },
    ]);
    expect(assignedRepositories({ inputs: {} })).toEqual({});
  });
});
