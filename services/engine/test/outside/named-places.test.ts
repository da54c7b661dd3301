import { describe, expect, it } from "vitest";
import { placesNamed } from "../../src/outside/named-places.ts";
import { parseText } from "../../src/parse/parse.ts";

const alert = (...lines: readonly string[]): string => ["[FIRING:1] Failing", ...lines].join("\n");
const hostsIn = (text: string): readonly string[] => placesNamed(parseText(text)).hosts;

describe("the hosts that an alert names", () => {
  it.each([
    [
      "an address in its summary",
      alert("summary: https://Pay.example.com:8443/health is down"),
      "pay.example.com:8443",
    ],
    ["a full name in its summary", alert("summary: pay.example.com doesn't answer"), "pay.example.com"],
    ["what is probed", alert("- instance = https://pay.example.com/health"), "pay.example.com"],
    ["a host with its port in a label", alert("- instance = db.shop.example:5432"), "db.shop.example:5432"],
    ["what an error couldn't reach", "Error: getaddrinfo ENOTFOUND pay.example.com", "pay.example.com"],
    ["what a sentence couldn't reach", alert("summary: connect ECONNREFUSED 10.0.0.9:5432"), "10.0.0.9:5432"],
  ])("are %s", (_, text, host) => {
    expect(hostsIn(text)).toEqual([host]);
  });

  it.each([
    ["files and packages", alert("summary: TypeError in src/pay.js, com.example.shop.Pay, and lib/app.ts")],
    ["the sender's own pages", alert("runbook_url: https://wiki.example.com/x", "dashboard: https://g.example.com")],
    ["addresses of people", alert("summary: ask ada@example.com")],
  ])("aren't %s", (_, text) => {
    expect(hostsIn(text)).toEqual([]);
  });
});

describe("the machines that an alert names", () => {
  it("are those of its labels, without a port", () => {
    const text = alert("- pod = orders-7d9f-x2k8p", "- node = worker-3", "- instance = 10.0.0.3:9090");
    expect(placesNamed(parseText(text)).machines).toEqual(["orders-7d9f-x2k8p", "worker-3", "10.0.0.3"]);
  });
});
