import { expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";

it.each([
  ["ERROR reach(kites) PoolTimeout: none of 3 within 60 ms", "PoolTimeout", "none of 3 within 60 ms"],
  ["booth/error: NotFree: strip waited for 120 ms", "NotFree", "strip waited for 120 ms"],
  ["ERROR OrderService: BookingRefused: full", "BookingRefused", "full"],
  ["OrderService started: ClientPool: 3 connections", "Error", "OrderService started: ClientPool: 3 connections"],
])("reads a class that a line above the calls names, behind what a logger adds: %s", (line, type, message) => {
  const { exceptions } = parseText(
    `${line}\n    at take (/app/src/pool.js:16:28)\n    at main (/app/src/main.js:3:1)\n`,
  );
  expect(exceptions).toMatchObject([{ type, message }]);
});
