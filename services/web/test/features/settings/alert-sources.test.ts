import { alertSourceKindNames, enteredAlertSourceInputs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import {
  checkInputs,
  inputsToAdd,
  inputsToSet,
  madeSecretLabel,
} from "../../../src/features/settings/alert-source-inputs.ts";
import { alertSourceState } from "../../../src/features/settings/alert-source-state.ts";
import { fieldProblems } from "../../../src/lib/field-problems.ts";

describe("an alert source", () => {
  const failed = { at: "2026-03-01T12:00:00.000Z", reason: "the signature is wrong" };

  it("waits until something arrives, and then has the state of its last webhook", () => {
    expect(alertSourceState({ missing: [], received_at: null, failed: null })).toBe("waiting");
    expect(alertSourceState({ missing: [], received_at: null, failed })).toBe("failing");
    expect(alertSourceState({ missing: [], received_at: "2026-03-01T11:59:59.999Z", failed })).toBe("failing");
    expect(alertSourceState({ missing: [], received_at: failed.at, failed })).toBe("receiving");
    expect(alertSourceState({ missing: [], received_at: failed.at, failed: null })).toBe("receiving");
  });

  it("is unfinished until its sender's secret was entered, whatever arrived", () => {
    expect(alertSourceState({ missing: ["secret"], received_at: null, failed })).toBe("unfinished");
  });

  it("has each input entered once: before there is a URL, or once the sender has it", () => {
    for (const kind of alertSourceKindNames) {
      expect([...inputsToAdd(kind), ...inputsToSet(kind)]).toEqual(enteredAlertSourceInputs(kind));
      expect(madeSecretLabel(kind) !== null || enteredAlertSourceInputs(kind).length > 0).toBe(true);
    }
    expect(inputsToAdd("sns").map(({ name }) => name)).toEqual(["topic_arn"]);
    expect([inputsToAdd("linear"), inputsToSet("linear").length]).toEqual([[], 3]);
    expect(inputsToSet("sentry").map(({ name }) => name)).toEqual(["secret"]);
    expect(madeSecretLabel("grafana")).toBe("HMAC secret");
  });

  it("includes an optional input only if it was entered", () => {
    const inputs = inputsToSet("slack");
    const entered = { signing_secret: "a", bot_token: "xoxb-1" };
    expect(checkInputs(inputs, { ...entered, app_token: " " })).toEqual(entered);
    expect(checkInputs(inputs, { ...entered, app_token: "xapp-1" })).toEqual({ ...entered, app_token: "xapp-1" });
  });

  it("reads the inputs from a form, and rejects an empty one at its field", () => {
    const inputs = inputsToSet("vercel");
    expect(checkInputs(inputs, { secret: " abc ", name: "Site" })).toEqual({ secret: "abc" });
    expect(checkInputs([], { secret: "abc" })).toEqual({});
    try {
      checkInputs(inputs, { secret: "" });
      expect.unreachable();
    } catch (error) {
      expect(fieldProblems(error)).toEqual({ secret: "This field is required." });
    }
  });

  it("accepts an optional input that was entered, and works without one that wasn't", () => {
    const input = { name: "project", label: "Project", isSecret: false, isMade: false, isOptional: true };
    expect(checkInputs([input], { project: " " })).toEqual({});
    expect(checkInputs([input], {})).toEqual({});
    expect(checkInputs([input], { project: " shop " })).toEqual({ project: "shop" });
  });
});
