import { describe, expect, it } from "vitest";
import { codesInText, codesOf } from "../../src/match/message-codes.ts";
import { parseText } from "../../src/parse/parse.ts";

const spelled = (text: string): string[] => [...codesInText(text).keys()];

function carried(text: string): string[] {
  const [exception] = parseText(text).exceptions;
  return exception ? [...codesOf(exception, 4_000).keys()] : [];
}

describe("a code spelled in a text", () => {
  it.each([
    ["Request failed with status code 429", "HTTP 429"],
    ['"GET /orders HTTP/1.1" 502 157', "HTTP 502"],
    ['http://payments:8080 "POST /charges HTTP/1.1" 401 26', "HTTP 401"],
    ['HTTP Request: GET http://stock/1 "HTTP/1.1 404 Not Found"', "HTTP 404"],
    ['{"error":"Request failed: HTTP 503"}', "HTTP 503"],
    ['err="payment refused: HTTP 503"', "HTTP 503"],
    ['"Upstream answered: HTTP 502"', "HTTP 502"],
    ['"Upstream answered: HTTP/1.1 502"', "HTTP 502"],
    ['msg="Gateway said HTTP error 504"', "HTTP 504"],
    ["503 Service Unavailable", "HTTP 503"],
    ["upstream answered 504", "HTTP 504"],
    ["Unexpected server response: 403", "HTTP 403"],
    ["SQLSTATE 23505", "SQLSTATE 23505"],
    ["SQLSTATE[42S02]: Base table or view not found", "SQLSTATE 42S02"],
    ["ERROR 1045 (28000): Access denied", "MySQL 1045"],
    ["OperationalError: (2006, 'MySQL server has gone away')", "MySQL 2006"],
    ["14 UNAVAILABLE: No connection established", "gRPC UNAVAILABLE"],
    ["rpc error: code = DeadlineExceeded desc = late", "gRPC DEADLINE_EXCEEDED"],
    ["status = StatusCode.NOT_FOUND", "gRPC NOT_FOUND"],
    ["Exit Code: 137", "exit 137"],
    ["app_1 exited with code 139", "exit 139"],
    ["code: 'ECONNREFUSED'", "ECONNREFUSED"],
    ["Reason: Evicted", "Evicted"],
  ])("is read from %j", (text, code) => {
    expect(spelled(text)).toContain(code);
  });

  // Apart from a gateway's, the status in an access log is this server's own answer, not that of a called one.
  it.each([
    '"GET / HTTP/1.1" 404 179',
    '10.0.0.9 - - [30/Nov/2026 05:41:16] "GET /sales HTTP/1.1" 500 -',
    '[29/Nov/2026 23:41:23] "POST /orders/o5/capture HTTP/1.1" 500 145',
  ])("is not read from the request that this server answered: %j", (text) => {
    expect(spelled(text).filter((code) => code.startsWith("HTTP "))).toEqual([]);
  });

  it.each(["took 404 ms", "returned 500 rows", "page=404", "order 23505", "listening on 5000", "200 OK, 503 bytes"])(
    "is not read from %j",
    (text) => {
      expect(spelled(text)).toEqual([]);
    },
  );

  it("is a word with two capitals, a digit, or an underscore, but not an ordinary word", () => {
    expect(spelled("Forbidden things were Throttled by OOMKilled pods")).toEqual(["OOMKilled"]);
  });
});

describe("a code that an error carries", () => {
  it("is its property", () => {
    expect(carried("Error: a\n    at f (/srv/a.js:1:1) {\n  code: 'EPIPE'\n}")).toContain("EPIPE");
  });

  it("is an SQLSTATE when it looks like one", () => {
    expect(carried("error: a\n    at f (/srv/a.js:1:1) {\n  code: '42P01'\n}")).toContain("SQLSTATE 42P01");
  });

  it("is a gRPC status when the error has details", () => {
    const text = "Error: late\n    at f (/srv/a.js:1:1) {\n  code: 4,\n  details: 'Deadline exceeded'\n}";
    expect(carried(text)).toContain("gRPC DEADLINE_EXCEEDED");
  });

  it("isn't an HTTP status if the service created the error for its own client", () => {
    expect(carried("Error: gone\n    at f (/srv/a.js:1:1) {\n  statusCode: 404\n}")).not.toContain("HTTP 404");
  });
});
