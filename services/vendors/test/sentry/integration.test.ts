import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { sentry } from "../../src/sentry/integration.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";
import { itKeepsRefusals } from "../integrations/refusals.ts";

const inputs = { bearer_token: "sntryu_token-of-acme", organization_slug: "acme" };
const { signal } = new AbortController();

let vendor: VendorServer;
let connection: VendorConnection;
let documented: string[];

beforeEach(async () => {
  vendor = await startVendorServer();
  documented = [];
  const addressOf = (address: string): string => {
    documented.push(address);
    return vendor.url + new URL(address).pathname;
  };
  connection = sentry.connect(inputs, { ...vendor.context, addressOf });
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

/** As https://docs.sentry.io/api/events/list-an-organizations-issues/ shows one. */
const listed = (id: string, value: string, slug = "orders") => ({
  ...{ id, shortId: `ORDERS-${id}`, title: `TypeError: ${value}`, culprit: "orders.js in total", count: "1" },
  ...{ project: { id: "2", name: slug, slug }, metadata: { type: "TypeError", value }, firstSeen: null },
});

/** As https://docs.sentry.io/api/events/retrieve-an-issue/ shows it. */
const issue = {
  ...listed("1", "Cannot read properties of undefined (reading 'amount')"),
  ...{ permalink: "https://acme.sentry.io/issues/1/", count: "150", firstSeen: "2026-03-01T11:50:00Z" },
  firstRelease: {
    ...{ version: "orders@2.0.0", shortVersion: "2.0.0", ref: null, url: null },
    ...{ dateCreated: "2026-03-01T11:45:00Z", dateReleased: null },
  },
  tags: [
    { key: "server_name", name: "Server", totalValues: 150 },
    { key: "environment", name: "Environment", totalValues: 150 },
    { key: "user", name: "User", totalValues: 150 },
  ],
};

const commit = {
  id: "abcdef0123456789",
  message: "Read the amount from the total\n\nIt moved.",
  author: { name: "Ada" },
};

interface Account {
  readonly region?: string;
  readonly issues?: readonly object[];
  readonly link?: string;
  readonly issue?: VendorAnswerOf;
  readonly rest?: VendorAnswerOf;
}

function answerWith({ region = "https://us.sentry.io", issues = [], link, issue: whole, rest }: Account): void {
  vendor.answer(({ url: { pathname } }) => {
    const path = pathname.replace("/api/0/organizations/acme", "");
    if (path === "/")
      return { body: { name: "Acme", slug: "acme", links: { regionUrl: region, organizationUrl: "" } } };
    if (path === "/issues/") return { body: issues, headers: link === undefined ? {} : { link } };
    if (/^\/issues\/\d+\/$/.test(path)) return whole ?? { body: issue };
    if (rest) return rest;
    if (path === "/issues/1/tags/server_name/")
      return {
        body: {
          totalValues: 150,
          topValues: [
            { value: "web-1", count: 13 },
            { value: "web-3", count: 137 },
          ],
        },
      };
    if (path === "/issues/1/tags/environment/")
      return { body: { totalValues: 150, topValues: [{ value: "prod", count: 119 }] } };
    if (path === "/releases/orders%402.0.0/commits/") return { body: [commit] };
    return { status: 404 };
  });
}

const searches = () => vendor.requests.filter(({ url }) => url.pathname.endsWith("/acme/issues/"));

describe("Sentry", () => {
  it("returns the issue of the same error, its first release with its commits, and the tags that dominate", async () => {
    answerWith({ issues: [listed("7", "x is not a function"), issue] });
    expect(await connection.ask(question, signal)).toEqual([
      {
        ...{ kind: "record", what: "error-group", vendor: "Sentry", target: "orders", at: "2026-03-01T11:50:00Z" },
        title:
          "ORDERS-1 TypeError: Cannot read properties of undefined (reading 'amount') (150 events, first in 2.0.0, 91% server_name web-3)",
        url: "https://acme.sentry.io/issues/1/",
      },
      {
        ...{ kind: "change-event", what: "release", vendor: "Sentry", target: "orders", failed: null, url: null },
        ...{ title: "2.0.0: abcdef0 Read the amount from the total", at: "2026-03-01T11:45:00Z", by: "Ada" },
      },
    ]);
  });

  it("searches by type within the span, and sends no message", async () => {
    answerWith({});
    await connection.ask({ ...question, errors: [{ type: 'Odd"Error*', message: "card 4111" }] }, signal);
    expect(Object.fromEntries(searches()[0]?.url.searchParams ?? [])).toMatchObject({
      ...{ query: 'error.type:"OddError"', project: "-1", start: question.from, end: question.to },
    });
    expect(JSON.stringify(vendor.requests)).not.toContain("4111");
  });

  it("finds an issue whose message differs only in numbers, or else those of the service's project", async () => {
    const errors = [{ type: "Error", message: "order 7 not found\nat shop" }];
    answerWith({ issues: [listed("1", "order 12 not found", "other")] });
    expect(await connection.ask({ ...question, errors }, signal)).toHaveLength(2);
    answerWith({ issues: [listed("1", "else", "other"), listed("2", "else", "orders")] });
    await connection.ask({ ...question, errors }, signal);
    expect(vendor.requests.filter(({ url }) => /\/issues\/2\/$/.test(url.pathname))).toHaveLength(1);
    expect(await connection.ask({ ...question, errors, service: "none" }, signal)).toEqual([]);
  });

  it("queries the organization's region, and no address that isn't Sentry's", async () => {
    answerWith({ region: "https://de.sentry.io" });
    await connection.ask(question, signal);
    expect(documented).toEqual(["https://sentry.io/api/0", "https://de.sentry.io/api/0"]);
    for (const region of ["https://sentry.io.evil.example", "http://us.sentry.io", "nowhere"]) {
      answerWith({ region });
      await connection.ask(question, signal);
    }
    expect(documented).toHaveLength(2);
  });

  it("reads five pages and no sixth", async () => {
    const link =
      '<https://us.sentry.io/x>; rel="previous"; results="false"; cursor="0:0:1", <https://us.sentry.io/y>; rel="next"; results="true"; cursor="0:100:0"';
    answerWith({ link });
    await connection.ask(question, signal);
    expect(searches().map(({ url }) => url.searchParams.get("cursor"))).toEqual([null, ...Array(4).fill("0:100:0")]);
    answerWith({ link: link.replace('results="true"', 'results="false"') });
    await connection.ask(question, signal);
    expect(searches()).toHaveLength(6);
  });

  it("returns the issue even when the token may not read tags and releases", async () => {
    answerWith({ issues: [issue], rest: { status: 403 } });
    expect(await connection.ask(question, signal)).toMatchObject([
      { kind: "record", title: expect.stringMatching(/\(150 events, first in 2\.0\.0\)$/) },
      { kind: "change-event", title: "2.0.0", by: null },
    ]);
  });

  it("returns an issue of an error without a known release", async () => {
    answerWith({ issues: [issue], issue: { body: { ...issue, firstRelease: null, tags: [], count: "1" } } });
    expect(await connection.ask(question, signal)).toMatchObject([{ title: expect.stringMatching(/\(1 event\)$/) }]);
  });

  it("is verified with the organization's name", async () => {
    answerWith({});
    expect(await connection.verify(signal)).toBe("Acme");
    expect(vendor.requests[0]?.headers.authorization).toBe("Bearer sntryu_token-of-acme");
  });

  it("of your own is asked at its address alone, whatever region it names", async () => {
    answerWith({ region: "https://de.sentry.io", issues: [issue] });
    const own = sentry.connect({ ...inputs, instance_url: vendor.url }, vendor.context);
    expect(await own.verify(signal)).toBe("Acme");
    expect(await own.ask(question, signal)).not.toEqual([]);
    await own.close();
    expect(vendor.requests.length).toBeGreaterThan(2);
  });

  const hourLater = String(Date.parse("2026-03-01T13:00:00Z") / 1_000);
  itKeepsRefusals({
    ...{ integration: sentry, inputs: { ...inputs, organization_slug: "acme-of-test" } },
    limited: { status: 429, headers: { "x-sentry-rate-limit-reset": hourLater } },
  });
});
