import { expect, it } from "vitest";
import { thrownText } from "../../src/words/thrown.ts";

it.each([
  ["TypeError", "x is undefined", "TypeError: x is undefined"],
  ["Error", "boom", "boom"],
  ["KeyError", "", "KeyError"],
  ["Unhealthy", "Unhealthy: Liveness probe failed", "Unhealthy: Liveness probe failed"],
])("an error is written with its type once: %s, %j", (type, message, text) => {
  expect(thrownText({ type, message })).toBe(text);
});
