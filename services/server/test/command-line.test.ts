import { describe, expect, it } from "vitest";
import { readCommand } from "../src/command-line.ts";

const refused = { code: "WHENCE_ERR_USAGE" };

describe("the command line", () => {
  it.each([
    [[], { name: "serve", role: "all" }],
    [["serve"], { name: "serve", role: "all" }],
    [["--role", "gateway"], { name: "serve", role: "gateway" }],
    [["serve", "--role=writer"], { name: "serve", role: "writer" }],
    [["--help"], { name: "help" }],
    [["backup", "--to", "b.ndjson.gz"], { name: "backup", file: "b.ndjson.gz" }],
    [["restore", "--from", "b.ndjson.gz"], { name: "restore", file: "b.ndjson.gz" }],
    [["verify-audit-log"], { name: "verify-audit-log", heads: [] }],
    [["verify-audit-log", "--head", "a", "--head", "b"], { heads: ["a", "b"] }],
    [["rotate-secret-key"], { name: "rotate-secret-key" }],
    [["reset-two-factor", "--email", "ada@example.com"], { name: "reset-two-factor", email: "ada@example.com" }],
    [["operator-token"], { name: "operator-token" }],
    [["queues", "--url", "http://a"], { name: "queues", url: "http://a" }],
    [["dead-letters", "--topic", "failures"], { name: "dead-letters", action: "list", topic: "failures", limit: 50 }],
    [
      ["dead-letters", "redrive", "--topic", "telemetry", "--letter", "1", "--letter", "2"],
      { action: "redrive", letters: ["1", "2"] },
    ],
    [["dead-letters", "discard", "--topic", "telemetry", "--all"], { action: "discard", letters: "all" }],
  ])("reads %j", (args, command) => {
    expect(readCommand(args)).toMatchObject(command);
  });

  it.each([
    [["--role", "reader"], "--role takes gateway, writer, analyzer, api, all, not reader"],
    [["--rolle", "all"], "Unknown option '--rolle'"],
    [["migrate"], "unknown command: migrate"],
    [["serve", "now"], "unknown command: serve now"],
    [["backup"], "--to is missing"],
    [["restore"], "--from is missing"],
    [["dead-letters", "list"], "--topic is missing"],
    [["dead-letters", "redrive", "--topic", "telemetry"], "takes either --letter or --all"],
    [["dead-letters", "discard", "--topic", "telemetry", "--all", "--letter", "1"], "takes either --letter or --all"],
    [["dead-letters", "list", "--topic", "telemetry", "--limit", "0"], "--limit takes a whole number above 0, not 0"],
  ])("rejects %j with an explanation", (args, message) => {
    expect(() => readCommand(args)).toThrow(
      expect.objectContaining({ ...refused, message: expect.stringContaining(message) }),
    );
  });
});
