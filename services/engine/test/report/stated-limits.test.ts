import { describe, expect, it } from "vitest";
import { statedLimit } from "../../src/report/stated-limits.ts";
import { investigated, textSubject } from "../investigated.ts";

const exhausted = [
  [
    "PoolTimeoutError: timed out after 1000 ms waiting for a connection: 10 of 10 in use",
    "All 10 connections are in use.",
  ],
  [
    "sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out, timeout 30.00",
    "All 5 connections and the overflow of 10 are in use.",
  ],
  [
    "java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after 30000ms (total=10, active=10, idle=0, waiting=3)",
    "All 10 connections are in use, and 3 callers wait.",
  ],
  [
    "circuit_breaking_exception: [parent] Data too large, data for [<http_request>] would be [47440896/45.2mb], which is larger than the limit of [45088768/43mb]",
    "47440896 bytes were needed, 45088768 bytes are allowed.",
  ],
  [
    "Error: 8 RESOURCE_EXHAUSTED: Received message larger than max (6291456 vs 4194304)",
    "The message has 6291456 bytes, 4194304 bytes are allowed.",
  ],
  [
    "com.mysql.cj.jdbc.exceptions.PacketTooBigException: Packet for query is too large (5242880 > 4194304).",
    "The packet has 5242880 bytes, 4194304 bytes are allowed.",
  ],
] as const;

describe("the limit that a message states", () => {
  it.each(exhausted)("is a sentence: %s", (message, sentence) => expect(statedLimit(message)).toBe(sentence));

  it.each([
    "AcquireTimeout: 3 of 10 in use",
    "HikariPool-1 - Connection is not available (total=10, active=4, idle=6, waiting=0)",
    "TimeoutError: timed out after 1000 ms",
    "",
  ])("isn't one that wasn't reached, or isn't stated: %s", (message) => expect(statedLimit(message)).toBeNull());

  it.each(exhausted)("is in the headline, in the error's words or in a sentence: %s", async (message, sentence) => {
    const { report } = await investigated(textSubject(`${message}\n    at find (/srv/app/src/orders.js:12:9)\n`));
    const headline = report.root_cause_summary;
    for (const figure of sentence.match(/\d+/g) ?? []) expect(headline).toContain(figure);
  });
});
