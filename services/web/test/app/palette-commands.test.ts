import { describe, expect, it } from "vitest";
import { matchingCommands, nextPosition } from "../../src/app/palette-commands.ts";

const commands = ["Incidents", "Failures", "Incident thresholds", "Appearance: dark"].map((label) => ({ label }));
const labels = (text: string) => matchingCommands(commands, text).map(({ label }) => label);

describe("the command palette", () => {
  it("shows every command for an empty text", () => {
    expect(labels("")).toEqual(commands.map(({ label }) => label));
  });

  it("finds commands by any part of their label, in any case, in their own order", () => {
    expect(labels("INCIDENT")).toEqual(["Incidents", "Incident thresholds"]);
    expect(labels("thresh")).toEqual(["Incident thresholds"]);
    expect(labels(": d")).toEqual(["Appearance: dark"]);
  });

  it("finds no command for a text that none contains", () => {
    expect(labels("zzz")).toEqual([]);
  });

  it("moves down and up through its results, wrapping around at the ends", () => {
    expect(nextPosition(0, "ArrowDown", 3)).toBe(1);
    expect(nextPosition(2, "ArrowDown", 3)).toBe(0);
    expect(nextPosition(0, "ArrowUp", 3)).toBe(2);
    expect(nextPosition(1, "ArrowUp", 3)).toBe(0);
  });

  it("stays where it is for any other key", () => {
    expect(nextPosition(1, "Tab", 3)).toBe(1);
  });

  it("has a position even without results", () => {
    for (const key of ["ArrowDown", "ArrowUp"]) expect(Math.abs(nextPosition(0, key, 0))).toBe(0);
    expect(Number.isNaN(nextPosition(-1, "ArrowUp", 0))).toBe(false);
  });
});
