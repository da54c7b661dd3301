import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";

const variables = {
  WHENCE_OIDC_ISSUER: "https://login.example.com/realms/acme",
  WHENCE_OIDC_CLIENT_ID: "whence",
  WHENCE_OIDC_CLIENT_SECRET: "hunter2",
};

describe("the OpenID provider", () => {
  it("isn't there by default", () => {
    expect(readConfig({}, "all").providers).toEqual({});
  });

  it("is there with its three variables, and has a name for its button", () => {
    const oidc = { issuer: variables.WHENCE_OIDC_ISSUER, clientId: "whence", clientSecret: "hunter2" };
    expect(readConfig(variables, "all").providers.oidc).toEqual({ ...oidc, name: "single sign-on" });
    const named = { ...variables, WHENCE_OIDC_NAME: "Acme SSO" };
    expect(readConfig(named, "all").providers.oidc?.name).toBe("Acme SSO");
  });

  it.each(["WHENCE_OIDC_ISSUER", "WHENCE_OIDC_CLIENT_ID", "WHENCE_OIDC_CLIENT_SECRET"])(
    "needs %s once another one is set, and prints no secret",
    (missing) => {
      const incomplete = { ...variables, [missing]: undefined };
      expect(() => readConfig(incomplete, "all")).toThrow(new RegExp(`^${missing} .*nothing`));
      expect(() => readConfig(incomplete, "all")).not.toThrow(/hunter2/);
    },
  );

  it.each(["http://login.example.com", "http://127.0.0.1.example.com", "login.example.com", "ftp://127.0.0.1"])(
    "isn't asked without TLS, except on the same machine: %s",
    (issuer) => {
      expect(() => readConfig({ ...variables, WHENCE_OIDC_ISSUER: issuer }, "all")).toThrow(/^WHENCE_OIDC_ISSUER/);
    },
  );

  it.each(["http://127.0.0.1:9000", "http://localhost:9000/realms/acme", "http://[::1]:9000"])(
    "may be on the same machine without TLS: %s",
    (issuer) => {
      expect(readConfig({ ...variables, WHENCE_OIDC_ISSUER: issuer }, "all").providers.oidc?.issuer).toBe(issuer);
    },
  );
});
