import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";

const key = Buffer.alloc(32, 7).toString("base64");
const fleet = {
  NATS_URL: "nats://whence:hunter2@a:4222,nats://whence:hunter2@b:4222",
  CLICKHOUSE_URL: "http://whence:hunter2@c:8123",
  DATABASE_URL: "postgres://whence:hunter2@d:5432/whence",
  WHENCE_SECRET_KEY: key,
};

describe("the configuration", () => {
  it("is the embedded profile when nothing is set, and when variables are empty", () => {
    expect(readConfig({ NATS_URL: "", DATABASE_URL: "" }, "all")).toMatchObject({
      role: "all",
      nats: undefined,
      clickHouse: undefined,
      postgres: undefined,
      previousSecretKeys: [],
    });
  });

  it("has an application for integrations once all its variables are set", () => {
    const gitlab = { WHENCE_GITLAB_CLIENT_ID: "id", WHENCE_GITLAB_CLIENT_SECRET: "secret" };
    expect(readConfig({ WHENCE_GITLAB_CLIENT_ID: "id", WHENCE_VERCEL_SLUG: "whence" }, "all").applications).toEqual({});
    expect(readConfig(gitlab, "all").applications).toEqual({
      gitlab: { clientId: "id", clientSecret: "secret", url: "https://gitlab.com", scope: "read_api" },
    });
    const own = { ...gitlab, WHENCE_GITLAB_URL: "https://git.example.com/" };
    expect(readConfig(own, "all").applications.gitlab?.url).toBe("https://git.example.com");
    expect(readConfig({ ...gitlab, WHENCE_GITLAB_SCOPE: "api" }, "all").applications.gitlab?.scope).toBe("api");
  });

  it("has Sentry's application for webhooks once its secret is set", () => {
    expect(readConfig({ WHENCE_SENTRY_APP_SECRET: "secret" }, "all").applications).toEqual({
      sentryApp: { clientSecret: "secret" },
    });
  });

  it("accepts a GitHub App's key in one line or several, and doesn't print one that is invalid", () => {
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2_048,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const app = {
      WHENCE_GITHUB_APP_CLIENT_ID: "id",
      WHENCE_GITHUB_APP_CLIENT_SECRET: "secret",
      WHENCE_GITHUB_APP_SLUG: "whence",
    };
    for (const key of [privateKey, privateKey.replaceAll("\n", "\\n")]) {
      const { github } = readConfig({ ...app, WHENCE_GITHUB_APP_PRIVATE_KEY: key }, "all").applications;
      expect(github?.privateKey).toBe(privateKey.trim());
    }
    const broken = { ...app, WHENCE_GITHUB_APP_PRIVATE_KEY: "hunter2" };
    expect(() => readConfig(broken, "all")).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
    );
  });

  it("accepts each server on its own", () => {
    expect(readConfig({ NATS_URL: fleet.NATS_URL, NATS_REPLICAS: "3" }, "all")).toMatchObject({
      nats: { servers: fleet.NATS_URL, replicas: 3 },
      postgres: undefined,
    });
  });

  it.each([
    ["gateway", "NATS_URL"],
    ["gateway", "DATABASE_URL"],
    ["gateway", "WHENCE_SECRET_KEY"],
    ["writer", "NATS_URL"],
    ["writer", "CLICKHOUSE_URL"],
    ["analyzer", "CLICKHOUSE_URL"],
    ["analyzer", "WHENCE_SECRET_KEY"],
    ["api", "NATS_URL"],
    ["api", "DATABASE_URL"],
  ] as const)("rejects the role %s without %s, which it shares with others", (role, missing) => {
    expect(readConfig(fleet, role).role).toBe(role);
    expect(() => readConfig({ ...fleet, [missing]: undefined }, role)).toThrow(
      expect.objectContaining({ code: "WHENCE_ERR_ROLE_NEEDS", message: expect.stringContaining(missing) }),
    );
  });

  it.each([
    ["NATS_URL", "http://whence:hunter2@a:4222"],
    ["CLICKHOUSE_URL", "clickhouse://whence:hunter2@c"],
    ["DATABASE_URL", "mysql://whence:hunter2@d/whence"],
    ["WHENCE_SECRET_KEY_PREVIOUS", `${key},hunter2`],
  ])("names an invalid %s without printing it, since it may contain a password", (name, value) => {
    const refused = expect.objectContaining({
      code: "WHENCE_ERR_CONFIG_INVALID",
      message: expect.stringContaining(name),
    });
    expect(() => readConfig({ [name]: value }, "all")).toThrow(refused);
    expect(() => readConfig({ [name]: value }, "all")).not.toThrow(/hunter2/);
  });

  it("rejects a secret key of zeros, which anyone can guess, and accepts one with a single other bit", () => {
    const zeros = Buffer.alloc(32);
    const given = (bytes: Buffer) => readConfig({ WHENCE_SECRET_KEY: bytes.toString("base64") }, "all").secretKey;
    expect(() => given(zeros)).toThrow(/^WHENCE_SECRET_KEY .* random bytes/);
    expect(given(Buffer.from(zeros).fill(1, 31))?.at(31)).toBe(1);
  });

  it.each(["2", "7", "0"])("rejects %s replicas: JetStream keeps 1, 3, or 5", (replicas) => {
    expect(() => readConfig({ NATS_REPLICAS: replicas }, "all")).toThrow(/1, 3 or 5/);
  });

  it("reads the folders of services' code", () => {
    const { sources } = readConfig({ WHENCE_SOURCES: "@acme/orders=/srv/orders, labs:payments = /srv/a=b" }, "all");
    expect(sources).toEqual([
      { organization: "default", service: "@acme/orders", folder: "/srv/orders" },
      { organization: "labs", service: "payments", folder: "/srv/a=b" },
    ]);
    expect(readConfig({}, "all").sources).toEqual([]);
  });

  it.each([
    "orders",
    "=/srv/orders",
    "orders=",
    "orders=srv/orders",
    "orders=/a,orders=/b",
    "orders=/a,default:orders=/b",
    "orders=/a,",
  ])("rejects %j as the folders of services' code, and says what is accepted", (value) => {
    expect(() => readConfig({ WHENCE_SOURCES: value }, "all")).toThrow(
      `WHENCE_SOURCES is ${JSON.stringify(value)}, but must be service=/absolute/folder or organization:service=/absolute/folder, separated by commas`,
    );
  });

  it("reads former secret keys in order", () => {
    const former = Buffer.alloc(32, 9).toString("base64");
    const { previousSecretKeys } = readConfig({ WHENCE_SECRET_KEY_PREVIOUS: `${former}, ${key}` }, "all");
    expect(previousSecretKeys.map((one) => one[0])).toEqual([9, 7]);
  });
});
