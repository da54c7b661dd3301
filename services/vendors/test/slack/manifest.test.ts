import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AppsManifestCreateArguments } from "@slack/web-api";
import { describe, expect, it } from "vitest";
import { slackAppUrl, slackManifest } from "../../src/slack/manifest.ts";

type Manifest = AppsManifestCreateArguments["manifest"];

const page = readFileSync(join(import.meta.dirname, "../../../../docs/triggers/slack.md"), "utf8");

describe("the manifest of the Slack app", () => {
  it("is one that Slack's own client describes, for HTTP and for Socket Mode", () => {
    const http: Manifest = slackManifest("https://whence.example.com/api/webhooks/als_1");
    const socketMode: Manifest = slackManifest(null);
    expect(http.settings).toMatchObject({
      socket_mode_enabled: false,
      event_subscriptions: { request_url: "https://whence.example.com/api/webhooks/als_1" },
    });
    expect(socketMode.settings?.socket_mode_enabled).toBe(true);
    expect(JSON.stringify(socketMode)).not.toContain("request_url");
  });

  it("is in the documentation unchanged", () => {
    const [, shown = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
    expect(JSON.parse(shown)).toEqual(slackManifest("https://whence.example.com/api/webhooks/<id>"));
  });

  it("is in the URL at which Slack creates the app", () => {
    const manifest = slackManifest("https://whence.example.com/api/webhooks/als_1");
    const { host, searchParams } = new URL(slackAppUrl(manifest));
    expect([host, searchParams.get("new_app")]).toEqual(["api.slack.com", "1"]);
    expect(JSON.parse(searchParams.get("manifest_json") ?? "")).toEqual(manifest);
  });
});
