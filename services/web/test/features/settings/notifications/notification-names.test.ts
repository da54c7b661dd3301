import {
  type NotificationDelivery,
  notificationChannels,
  notificationEvents,
  notificationTypes,
  severities,
  weekdays,
} from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { triggerKinds } from "../../../../src/features/incidents/trigger-names.ts";
import {
  channelOptions,
  dayOptions,
  eventOptions,
  messageName,
  percent,
  recipientName,
  ruleFacts,
  severityOptions,
  triggerOptions,
} from "../../../../src/features/settings/notifications/notification-names.ts";
import { noon, sampleRule } from "../../../samples.ts";

const delivery = (changes: Partial<NotificationDelivery>): NotificationDelivery => ({
  id: "d",
  type: "completed",
  incident: null,
  channel: "email",
  recipient: "",
  state: "sent",
  attempts: 1,
  created_at: noon,
  settled_at: noon,
  next_attempt_at: null,
  reason: null,
  ...changes,
});

const values = (options: readonly { readonly value: string }[]) => options.map(({ value }) => value);

describe("the choices of a rule", () => {
  it("are everything that a rule may have", () => {
    expect(values(eventOptions).toSorted()).toEqual([...notificationEvents].toSorted());
    expect(values(triggerOptions).toSorted()).toEqual([...triggerKinds].toSorted());
    expect(values(severityOptions)).toEqual(severities);
    expect(values(dayOptions)).toEqual(weekdays);
    expect(["email", ...values(channelOptions)].toSorted()).toEqual([...notificationChannels].toSorted());
  });

  it("have unique names", () => {
    for (const options of [eventOptions, triggerOptions, severityOptions, dayOptions, channelOptions]) {
      expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
    }
  });
});

describe("a message", () => {
  it("is named after what it was about, before the incident if it has one", () => {
    expect(messageName(delivery({ type: "test" }))).toBe("Test");
    expect(messageName(delivery({ type: "failed", incident: { id: "inc_1", title: "boom" } }))).toBe(
      "Investigation failed: ",
    );
    expect(new Set(notificationTypes.map((type) => messageName(delivery({ type })))).size).toBe(
      notificationTypes.length,
    );
  });

  it("goes to an address, or to the vendor of its channel", () => {
    expect(recipientName("email", "ada@example.com")).toBe("ada@example.com");
    expect(recipientName("teams", "")).toBe("Microsoft Teams");
    expect(recipientName("webhook", "")).toBe("the webhook");
  });
});

describe("a share in percent", () => {
  it.each([
    [0, 0],
    [0.29, 29],
    [0.125, 12.5],
    [0.333_3, 33.3],
    [1, 100],
  ])("of %d is %d", (share, text) => {
    expect(percent(share)).toBe(text);
  });
});

describe("the facts of a rule", () => {
  const lastOf = (chosen: object) => ruleFacts(sampleRule(chosen)).at(-1);

  it("name the events in the order in which they occur, in whatever order they were chosen", () => {
    expect(ruleFacts(sampleRule({ events: ["failed", "opened"] }))[0]).toBe(
      "when an incident opened or the investigation failed",
    );
  });

  it("leave out a severity that every incident has", () => {
    expect(ruleFacts(sampleRule({ min_severity: "low" })).join()).not.toContain("worse");
    expect(ruleFacts(sampleRule({ min_severity: "critical" }))).toContain("critical only");
  });

  it("name the days of quiet hours unless they are all days", () => {
    const quiet = { time_zone: "UTC", from: "22:00", to: "07:00" };
    expect(lastOf({ quiet_hours: { ...quiet, days: ["saturday", "monday"] } })).toBe(
      "quiet 22:00–07:00 (UTC) on Mon, Sat",
    );
    expect(lastOf({ quiet_hours: { ...quiet, days: [...weekdays] } })).toBe("quiet 22:00–07:00 (UTC)");
    expect(lastOf({})).toBe("at most 20 per hour");
  });

  it("show the host of a webhook without its path, which may contain a secret", () => {
    const facts = ruleFacts(sampleRule({ webhook_url: "https://hooks.example.com/secret" }));
    expect(facts).toContain("to a@example.com, the webhook at hooks.example.com");
    expect(facts.join()).not.toContain("secret");
  });
});
