import { describe, expect, it } from "vitest";
import { limits } from "../../src/limits.ts";
import { eventTime, withoutFuture } from "../../src/telemetry/event-time.ts";

const receivedAtMs = Date.parse("2026-03-01T12:00:00.000Z");
const { eventAgeMaxMs, eventAheadMaxMs } = limits;
const at = (ms: number): number => eventTime(new Date(ms).toISOString(), receivedAtMs);

describe("the time of an event", () => {
  it.each([
    ["a week before its receipt", -eventAgeMaxMs],
    ["a second before", -1_000],
    ["at its receipt", 0],
    ["a minute after, by a clock that is ahead", eventAheadMaxMs],
  ])("is the client's timestamp when that is %s", (_name, ms) => {
    expect(at(receivedAtMs + ms)).toBe(receivedAtMs + ms);
  });

  it.each([
    ["more than a week before", new Date(receivedAtMs - eventAgeMaxMs - 1).toISOString()],
    ["more than a minute after", new Date(receivedAtMs + eventAheadMaxMs + 1).toISOString()],
    ["in 2300", "2300-01-01T00:00:00Z"],
    ["before 1970", "1969-12-31T23:59:59.999Z"],
    ["in the year 0", "0000-01-01T00:00:00+14:00"],
    ["no time", "soon"],
  ])("is the time of receipt when the client's timestamp is %s", (_name, timestamp) => {
    expect(eventTime(timestamp, receivedAtMs)).toBe(receivedAtMs);
  });
});

describe("the time of an announcement", () => {
  it.each([
    ["years ago", "2016-03-01T12:00:00.000Z"],
    ["a minute after its receipt, by a clock that is ahead", new Date(receivedAtMs + eventAheadMaxMs).toISOString()],
  ])("is the sender's timestamp when that is %s", (_name, timestamp) => {
    expect(withoutFuture(timestamp, receivedAtMs)).toBe(Date.parse(timestamp));
  });

  it.each([
    ["more than a minute after", new Date(receivedAtMs + eventAheadMaxMs + 1).toISOString()],
    ["in 2300", "2300-01-01T00:00:00Z"],
    ["no time", "soon"],
  ])("is the time of receipt when the sender's timestamp is %s", (_name, timestamp) => {
    expect(withoutFuture(timestamp, receivedAtMs)).toBe(receivedAtMs);
  });
});
