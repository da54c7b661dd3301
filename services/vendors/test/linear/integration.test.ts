import { readFileSync } from "node:fs";
import { buildSchema, graphql } from "graphql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { linear } from "../../src/linear/integration.ts";
import { searchedTexts } from "../../src/linear/search.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";
import { itKeepsRefusals } from "../integrations/refusals.ts";

const inputs = { access_token: "token-of-acme" };
const { signal } = new AbortController();
const schema = buildSchema(readFileSync(new URL("read.graphql", import.meta.url), "utf8"));
const requestSchema = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).optional() });

let vendor: VendorServer;
let connection: VendorConnection;

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = linear.connect(inputs, vendor.context);
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

interface IssuesAsked {
  readonly first: number;
  readonly after: string | null;
  readonly filter: object;
}

const asked: IssuesAsked[] = [];

/** Answers with Linear's schema over some issues. A query that isn't in the schema is answered with its errors. */
function answerWith(issues: readonly object[]): void {
  asked.length = 0;
  const rootValue = {
    organization: { name: "Acme" },
    issues(args: IssuesAsked) {
      asked.push(args);
      const start = Number(args.after ?? 0);
      const end = start + args.first;
      const pageInfo = { hasNextPage: end < issues.length, endCursor: String(end) };
      return { nodes: issues.slice(start, end), pageInfo };
    },
  };
  vendor.answer(({ body }, response) => {
    const { query, variables } = requestSchema.parse(JSON.parse(body));
    void graphql({ schema, source: query, rootValue, variableValues: variables ?? {} }).then((result) => {
      const headers = { "content-type": "application/json" };
      response.writeHead(result.errors ? 400 : 200, headers).end(JSON.stringify(result));
    });
    return undefined;
  });
}

const issue = (number: number, more: object = {}) => ({
  ...{ id: String(number), identifier: `ORD-${number}`, title: "Orders without an amount", description: null },
  ...{ url: `https://linear.app/acme/issue/ORD-${number}`, createdAt: "2026-02-27T09:00:00.000Z" },
  ...{
    updatedAt: "2026-03-01T11:59:00.000Z",
    priorityLabel: "Urgent",
    state: { id: "s", name: "In Progress", type: "started" },
  },
  ...{ assignee: { id: "u", name: "Ada Lovelace", displayName: "ada" }, team: { id: "t", name: "Orders", key: "ORD" } },
  ...more,
});

describe("Linear", () => {
  it("returns issues with the same message or route that changed within 30 days", async () => {
    answerWith([issue(12), issue(9, { assignee: null })]);
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "record", what: "issue", vendor: "Linear", target: "Orders", at: "2026-02-27T09:00:00.000Z" },
        ...{
          title: "ORD-12 Orders without an amount (In Progress, assigned to ada)",
          url: "https://linear.app/acme/issue/ORD-12",
        },
      },
      expect.objectContaining({ title: "ORD-9 Orders without an amount (In Progress)" }),
    ]);
    const contains = { containsIgnoreCase: "Cannot read properties of undefined (reading" };
    expect(asked[0]).toMatchObject({
      first: 50,
      filter: {
        ...{ createdAt: { lte: question.to }, updatedAt: { gte: "2026-01-30T12:00:00.000Z" } },
        or: [{ title: contains }, { description: contains }],
      },
    });
    expect(vendor.requests[0]?.headers.authorization).toBe("Bearer token-of-acme");
  });

  it.each([
    ["card 4111-1111 of ada@example.com was declined by the bank", ["was declined by the bank"]],
    ['tenant "acme" has no plan for this feature', ["has no plan for this feature"]],
    ["timeout", []],
    ["the queue is closed\n    at Queue.push", ["the queue is closed"]],
  ])("searches %j by %j", (message, texts) => {
    expect(searchedTexts({ errors: [{ type: "Error", message }], route: null })).toEqual(texts);
  });

  it("searches by a route that is long enough", () => {
    const errors = [{ type: "Error", message: "timeout" }];
    expect(searchedTexts({ errors, route: "/orders/:id/items" })).toEqual(["/orders/:id/items"]);
    expect(searchedTexts({ errors, route: "/orders/:id" })).toEqual([]);
  });

  it("requests nothing when there is no text to search for", async () => {
    answerWith([issue(1)]);
    const errors = [{ type: "Error", message: "timeout" }];
    expect(await connection.ask({ ...question, errors, route: "/" }, signal)).toEqual([]);
    expect(vendor.requests).toEqual([]);
  });

  it.each([
    [50, 1],
    [51, 2],
    [300, 5],
  ])("reads %d issues in %d pages", async (count, pages) => {
    answerWith(Array.from({ length: count }, (_, index) => issue(index)));
    expect(await connection.ask(question, signal)).toHaveLength(Math.min(count, 250));
    expect(asked).toHaveLength(pages);
  });

  it("returns nothing when there is no such issue", async () => {
    answerWith([]);
    expect(await connection.ask(question, signal)).toEqual([]);
  });

  it("is verified with the organization's name", async () => {
    answerWith([]);
    expect(await connection.verify(signal)).toBe("Acme");
  });

  const noonPlusHour = String(Date.parse("2026-03-01T13:00:00Z"));
  itKeepsRefusals({
    ...{ integration: linear, inputs },
    limited: {
      status: 400,
      headers: { "x-ratelimit-complexity-remaining": "0", "x-ratelimit-complexity-reset": noonPlusHour },
      body: { errors: [{ message: "Rate limit exceeded", extensions: { code: "RATELIMITED" } }] },
    },
  });
});
