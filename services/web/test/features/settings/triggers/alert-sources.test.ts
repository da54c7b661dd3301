import type { AlertSourceKind } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import {
  checkInputs,
  inputsToAdd,
  inputsToSet,
  kindNamed,
  madeSecretLabel,
} from "../../../../src/features/settings/triggers/alert-source-inputs.ts";
import { alertSourceState } from "../../../../src/features/settings/triggers/alert-source-state.ts";
import { fieldProblems } from "../../../../src/lib/field-problems.ts";

const secret = { is_secret: true, is_made: false };
const site: AlertSourceKind = {
  ...{ kind: "site", label: "Site" },
  inputs: [{ name: "secret", label: "Secret", ...secret }],
};
const bot: AlertSourceKind = {
  ...{ kind: "bot", label: "Bot" },
  inputs: [
    { name: "secret", label: "HMAC secret", is_secret: true, is_made: true },
    { name: "topic", label: "Topic", is_secret: false, is_made: false },
    { name: "client_id", label: "Client", is_secret: false, is_made: false, is_shown_later: true },
    { name: "token", label: "Token", ...secret },
    { name: "app_token", label: "App token", ...secret, is_optional: true },
  ],
};

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
    const names = (inputs: AlertSourceKind["inputs"]) => inputs.map(({ name }) => name);
    expect([names(inputsToAdd(bot)), names(inputsToSet(bot))]).toEqual([
      ["topic"],
      ["client_id", "token", "app_token"],
    ]);
    expect(madeSecretLabel(bot)).toBe("HMAC secret");
    expect(madeSecretLabel(site)).toBeNull();
  });

  it("whose sender is gone has the kind's own name, and nothing to enter", () => {
    expect(kindNamed([bot, site], "site")).toBe(site);
    expect(kindNamed([bot, site], "gone")).toEqual({ kind: "gone", label: "gone", inputs: [] });
  });

  it("includes an optional input only if it was entered", () => {
    const inputs = inputsToSet(bot);
    const entered = { client_id: "a", token: "xoxb-1" };
    expect(checkInputs(inputs, { ...entered, app_token: " " })).toEqual(entered);
    expect(checkInputs(inputs, { ...entered, app_token: "xapp-1" })).toEqual({ ...entered, app_token: "xapp-1" });
  });

  it("reads the inputs from a form, and rejects an empty one at its field", () => {
    const inputs = inputsToSet(site);
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
    const input = { name: "project", label: "Project", is_secret: false, is_made: false, is_optional: true };
    expect(checkInputs([input], { project: " " })).toEqual({});
    expect(checkInputs([input], {})).toEqual({});
    expect(checkInputs([input], { project: " shop " })).toEqual({ project: "shop" });
  });
});
