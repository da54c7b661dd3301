import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";

interface Logged {
  readonly type: string;
  readonly message: string;
  readonly [property: string]: unknown;
}

/** An error as a JSON logger prints it. */
function line(error: Logged, level = 50): string {
  const stack = `${error.type}: ${error.message}\n    at f (/srv/a.js:1:1)`;
  return `${JSON.stringify({ level, time: 1_772_359_200_000, msg: error.message, err: { ...error, stack } })}\n`;
}

function chosen(text: string): { message: string | undefined; reason: string | undefined } {
  const { exceptions, chain, chosenBecause } = parseText(text);
  return { message: exceptions[chain[0] ?? -1]?.message, reason: chosenBecause?.reason };
}

const failed = line({ type: "TypeError", message: "x is not a function" });
const refused: Logged = { type: "NotFoundError", message: "no such page", statusCode: 404 };

describe("an error that only refused a request", () => {
  it.each<Logged>([
    refused,
    { type: "OrderNotFound", message: "no order 7", status: 404 },
    { type: "SyntaxError", message: "Unexpected token } in JSON at position 7", statusCode: 400, expose: true },
    { type: "FastifyError", message: "Unsupported Media Type: text/plain", statusCode: 415 },
    { type: "Error", message: "Route GET:/x not found" },
    { type: "NotFoundException", message: "Cannot GET /x" },
    { type: "NoResourceFoundException", message: "No static resource favicon.ico." },
  ])("isn't investigated: $type: $message", (error) => {
    expect(chosen(line(error) + failed)).toEqual({ message: "x is not a function", reason: "first-unanswered" });
  });

  it("is investigated where nothing but warnings is beside it", () => {
    expect(chosen(line(refused)).message).toBe(refused.message);
    const warning = "WARN slow: Error: tried\n    at f (/srv/a.js:1:1)\n";
    expect(chosen(`${warning}\n${line(refused)}`).message).toBe(refused.message);
  });

  it("is investigated where it was logged as fatal", () => {
    expect(chosen(line(refused, 60) + failed).message).toBe(refused.message);
  });
});

describe("an answer that refused the service's own request", () => {
  it.each<Logged>([
    { type: "AxiosError", message: "Request failed with status code 404", status: 404 },
    { type: "StripeAuthenticationError", message: "Invalid API Key provided: sk_live_***", statusCode: 401 },
    { type: "NotFoundError", message: "404 The model does not exist", status: 404 },
    { type: "ResourceNotFoundException", message: "no such table", statusCode: 400, requestId: "AB7" },
    { type: "RestError", message: "This request is not authorized to perform this operation.", statusCode: 403 },
    { type: "LedgerError", message: "the ledger knows no account 7", status: 404 },
    { type: "Error", message: "Route HAM-BER not found" },
    { type: "Error", message: "No endpoint configured for payments" },
    { type: "Error", message: "No handler found for queue orders" },
  ])("is investigated: $type: $message", (error) => {
    expect(chosen(line(error) + failed).message).toBe(error.message);
  });
});
