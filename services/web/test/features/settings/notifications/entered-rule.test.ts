import { notificationRuleChangeSchema } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { enteredRule } from "../../../../src/features/settings/notifications/entered-rule.ts";
import { fieldProblems } from "../../../../src/lib/field-problems.ts";

/** What a form has whose fields were left as they are. */
const fields = {
  name: "On call",
  "events.completed": "on",
  "triggers.event": "on",
  min_severity: "low",
  per_hour: "20",
  min_confidence: "0",
  services: "",
  envs: "",
  emails: "ada@example.com",
};

const entered = (changes: Readonly<Record<string, string>> = {}) => enteredRule({ ...fields, ...changes }, true);

function problemsOf(changes: Readonly<Record<string, string>>, without: readonly string[] = []) {
  const kept = Object.entries({ ...fields, ...changes }).filter(([name]) => !without.includes(name));
  try {
    enteredRule(Object.fromEntries(kept), true);
  } catch (error) {
    return fieldProblems(error);
  }
  return {};
}

describe("an entered notification rule", () => {
  it("is in the API's form", () => {
    expect(entered()).toEqual(
      notificationRuleChangeSchema.parse({
        name: "On call",
        events: ["completed"],
        triggers: ["event"],
        emails: ["ada@example.com"],
      }),
    );
  });

  it("stays on or off", () => {
    expect(enteredRule(fields, false).enabled).toBe(false);
    expect(enteredRule(fields, true).enabled).toBe(true);
  });

  it("has one service, environment, and address on each line", () => {
    const rule = entered({ services: "cart\n\n checkout ", envs: "PROD", emails: "a@example.com\nb@example.com\n" });
    expect(rule).toMatchObject({
      services: ["cart", "checkout"],
      envs: ["PROD"],
      emails: ["a@example.com", "b@example.com"],
    });
  });

  it("covers all triggers, including future ones, when each is chosen", () => {
    const all = ["event", "process-exit", "alert", "conversation", "analyze"].map((kind) => [`triggers.${kind}`, "on"]);
    expect(entered(Object.fromEntries(all)).triggers).toEqual([]);
    expect(entered({ "triggers.alert": "on" }).triggers).toEqual(["event", "alert"]);
  });

  it("requires an event and a trigger", () => {
    expect(problemsOf({}, ["events.completed"])).toEqual({ events: "Choose at least one." });
    expect(problemsOf({}, ["triggers.event"])).toEqual({ triggers: "Choose at least one." });
  });

  it("requires a name and a recipient", () => {
    expect(problemsOf({ name: "" }).name).toBe("This field is required.");
    expect(Object.keys(problemsOf({ emails: "" }))).toEqual(["emails"]);
  });

  it("rejects an invalid address", () => {
    expect(Object.keys(problemsOf({ emails: "ada" }))).toEqual(["emails"]);
  });

  it("accepts a confidence in percent, with or without the percent sign", () => {
    expect(entered({ min_confidence: "75" }).min_confidence).toBe(0.75);
    expect(entered({ min_confidence: " 62.5 % " }).min_confidence).toBe(0.625);
    expect(entered({ min_confidence: "100%" }).min_confidence).toBe(1);
  });

  it("rejects a confidence above 100% or that isn't a number", () => {
    expect(problemsOf({ min_confidence: "101" })).toEqual({ min_confidence: "Enter a percentage from 0 to 100." });
    for (const text of ["", "most", "-1", "0,5"]) {
      expect(Object.keys(problemsOf({ min_confidence: text }))).toEqual(["min_confidence"]);
    }
  });

  it("accepts only whole messages per hour, within the limits", () => {
    expect(entered({ per_hour: " 5 " }).per_hour).toBe(5);
    for (const text of ["", "5.5", "many", "0"])
      expect(Object.keys(problemsOf({ per_hour: text }))).toEqual(["per_hour"]);
  });
});

describe("the entered channels", () => {
  it("are off unless they are chosen, whatever their fields contain", () => {
    const rule = entered({ slack_target: "https://hooks.slack.com/services/a", webhook_url: "https://example.com/" });
    expect(rule).toMatchObject({
      slack: false,
      slack_target: null,
      webhook_url: null,
      pagerduty: null,
      opsgenie: null,
    });
  });

  it("have what was entered for them, trimmed", () => {
    const rule = entered({
      "channels.slack": "on",
      slack_target: " https://hooks.slack.com/services/T/B/c ",
      "channels.webhook": "on",
      webhook_url: "https://example.com/hook",
    });
    expect(rule).toMatchObject({
      slack: true,
      slack_target: "https://hooks.slack.com/services/T/B/c",
      webhook_url: "https://example.com/hook",
    });
  });

  it("keep a stored credential when its field is empty", () => {
    expect(entered({ "channels.teams": "on", teams_url: "" })).toMatchObject({ teams: true, teams_url: null });
    expect(entered({ "channels.pagerduty": "on", pagerduty: "eu", pagerduty_key: "" })).toMatchObject({
      pagerduty: "eu",
      pagerduty_key: null,
    });
  });

  it("require the URL of a webhook", () => {
    expect(problemsOf({ "channels.webhook": "on", webhook_url: " " })).toEqual({
      webhook_url: "This field is required.",
    });
    expect(Object.keys(problemsOf({ "channels.webhook": "on", webhook_url: "http://example.com" }))).toEqual([
      "webhook_url",
    ]);
  });

  it("count as recipients without an email address", () => {
    expect(problemsOf({ emails: "", "channels.opsgenie": "on", opsgenie: "jsm" })).toEqual({});
  });
});

describe("the entered quiet hours", () => {
  const quiet = {
    "quiet.on": "on",
    "quiet_hours.from": "22:00",
    "quiet_hours.to": "07:00",
    "quiet_hours.time_zone": "Europe/Berlin",
    "quiet_hours.days.friday": "on",
    "quiet_hours.days.monday": "on",
  };

  it("are null when they are off, whatever their fields contain", () => {
    const { "quiet.on": _, ...off } = quiet;
    expect(entered(off).quiet_hours).toBeNull();
  });

  it("start on the chosen days, in the order of the week", () => {
    expect(entered(quiet).quiet_hours).toEqual({
      from: "22:00",
      to: "07:00",
      time_zone: "Europe/Berlin",
      days: ["monday", "friday"],
      except_critical: false,
    });
  });

  it("let critical incidents through if that is chosen", () => {
    expect(entered({ ...quiet, "quiet_except.critical": "on" }).quiet_hours?.except_critical).toBe(true);
  });

  it("require a day", () => {
    const { "quiet_hours.days.friday": _, "quiet_hours.days.monday": __, ...dayless } = quiet;
    expect(problemsOf(dayless)).toEqual({ "quiet_hours.days": "Choose at least one." });
  });

  it("are rejected where they were entered", () => {
    expect(problemsOf({ ...quiet, "quiet_hours.time_zone": "Mars" })).toHaveProperty(["quiet_hours.time_zone"]);
    expect(problemsOf({ ...quiet, "quiet_hours.from": "late" })).toHaveProperty(["quiet_hours.from"]);
  });
});
