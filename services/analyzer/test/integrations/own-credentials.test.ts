import { describe, expect, it } from "vitest";
import { ownCredentials, withoutOwn } from "../../src/integrations/own-credentials.ts";

describe("the credentials of a connection", () => {
  it("are its secret inputs and what the vendor issued, and nothing that is shown", () => {
    const inputs = { api_key: "key-of-acme", application_key: "second-key", region: "eu" };
    expect(ownCredentials("metrics-application-key", inputs)).toEqual(["key-of-acme", "second-key"]);
    const authorized = { access_token: "lin-access", refresh_token: "lin-refresh", expires_at: "2026-03-02T11:59:59Z" };
    expect(ownCredentials("issue-tracker", authorized)).toEqual(["lin-access", "lin-refresh"]);
    expect(ownCredentials("uptime", { api_token: "short" })).toEqual([]);
  });

  it.each(["users: [{ name: ops, user: { token: secret-token } }]", '{"users":[{"user":{"token":"secret-token"}}]}'])(
    "are the tokens of a kubeconfig: %s",
    (kubeconfig) => {
      expect(ownCredentials("kubernetes", { kubeconfig })).toEqual(["secret-token"]);
    },
  );

  it("are removed from a text, in plain form and as in URLs", () => {
    expect(withoutOwn("a+/b=longer and a%2B%2Fb%3Dlonger", ["a+/b=longer"])).toBe("[redacted] and [redacted]");
  });
});
