import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutWithoutCredentials } from "../../src/telemetry/credential-patterns.ts";
import { credentialIn, withoutCredentials } from "../../src/telemetry/file-credentials.ts";

// Assembled here, so that no scanner mistakes them for real ones.
const key = (...parts: readonly string[]): string => parts.join("");
const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7";
const privateKey = `${key("-----BEGIN ", "PRIVATE KEY-----")}\n${body}\n${key("-----END ", "PRIVATE KEY-----")}`;
const jwt = key("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P");

const tokens: readonly (readonly [string, string])[] = [
  ["an AWS access key", key("AKIA", "ABCDEFGHIJKLMNOP")],
  ["a GitHub token", key("gh", "p_", "a".repeat(36))],
  ["a GitLab token", key("gl", "pat-", "a".repeat(20))],
  ["a Slack token", key("xo", "xb-", "1".repeat(24))],
  ["a Stripe key", key("sk_", "live_", "a".repeat(24))],
  ["a Google API key", key("AI", "za", "a".repeat(35))],
  ["an npm token", key("np", "m_", "a".repeat(36))],
  ["an Anthropic key", key("sk-", "ant-", "a".repeat(40))],
  ["a Whence key", key("wh", "k_", "a".repeat(49))],
  ["a Whence key", key("wh", "a_", "a".repeat(49))],
  ["a JSON Web Token", jwt],
];

/** A line with a credential, and the credential. */
const placed: readonly (readonly [string, string, string])[] = [
  ["a password in a URL", 'connect("postgres://app:hunter2@db:5432/shop");', "hunter2"],
  ["a password in a URL", "redis://:s3cr3t@cache:6379", "s3cr3t"],
  ["a password in a URL", "const url = `https://${user}:pa$s@proxy`;", "pa$s"],
  ["a password in a connection string", '"Server=db;User Id=app;Password=hunter2;"', "hunter2"],
  ["an assigned credential", 'password = "hunter2"', "hunter2"],
  ["an assigned credential", "const dbPassword: string = 'hunter2';", "hunter2"],
  ["an assigned credential", '{ "client_secret": "my_own_secret" }', "my_own_secret"],
  ["an assigned credential", "connect(password='hunter2')", "hunter2"],
  ["an assigned credential", "apiKey: `hunter2`,", "hunter2"],
  ["an assigned credential", 'API_KEY := "hunter2"', "hunter2"],
  ["an assigned credential", ':password => "hunter2"', "hunter2"],
  ["an assigned credential", String.raw`token = "a\"b\\"`, String.raw`a\"b\\`],
  ["an assigned credential in JSON", String.raw`{"sourcesContent":["password = \"hunter2\""]}`, "hunter2"],
  ["an assigned credential in the environment", "export DB_PASSWORD=hunter2", "hunter2"],
];

const harmless: readonly string[] = [
  ...["const AKIA = 1;", "task-runner", "whk_short", key("-----BEGIN ", "PUBLIC KEY-----"), "sk-learn"],
  ...["password = process.env.DB_PASSWORD", 'password = os.environ["DB_PASSWORD"]', "const token = nextToken();"],
  ...['secret: "DB_PASSWORD"', "password: `${prefix}-x`", 'password = "${DB_PASSWORD}"', "password = '<password>'"],
  ...['password = "%s"', 'password = ""', 'password: "must have eight characters"', 'type="password" name="x"'],
  ...["https://host:8080/a@b", "postgres://${user}:${password}@db", "postgres://app:%s@db", "git@github.com:a/b.git"],
  ...["DB_PASSWORD=$(cat secret)", "PASSWORD=os.environ['A']", "eyJhbGciOi.short.x"],
];

/** A line of a file of settings, whose values need no quotes. */
const settings: readonly (readonly [path: string, line: string, secret: string])[] = [
  ["config/app.yaml", "  password: hunter2", "hunter2"],
  ["config/app.yml", "- db_password:   hunter#2", "hunter#2"],
  ["application.properties", "spring.datasource.password=hunter2", "hunter2"],
  [".env.example", "stripe_secret=hunter2", "hunter2"],
  ["app.ini", "token = hunter2", "hunter2"],
  ["web.xml", "<db.password>hunter2</db.password>", "hunter2"],
];

describe("a credential in a text", () => {
  it.each(settings)("is masked without quotes in %s: %s", (path, line, secret) => {
    const shown = line.replace(secret, "*".repeat(secret.length));
    expect(withoutCredentials(`first\n${line}\nlast`, path)).toBe(`first\n${shown}\nlast`);
    expect(credentialIn(line, path)).not.toBeNull();
    expect(credentialIn(shown, path)).toBeNull();
  });

  it.each([
    ...["password: ${DB_PASSWORD}", "password: DB_PASSWORD", "password: !vault x", "secret: true", "token:"],
    ...["max_tokens: 10", "secretName: shop", "password: |", "# no password here: ever"],
  ])("is not seen in a line of settings: %s", (line) => {
    expect(withoutCredentials(line, "app.yaml")).toBe(line);
  });

  it("is not seen without quotes in code", () => {
    const line = "  password: user.password";
    expect(withoutCredentials(line, "src/login.ts")).toBe(line);
  });

  it.each(tokens)("is recognized and masked: %s", (kind, secret) => {
    expect(credentialIn(`before ${secret} after`)).toBe(kind);
    const mask = "*".repeat(secret.length);
    expect(withoutCredentials(`before ${secret}, ${secret} after`)).toBe(`before ${mask}, ${mask} after`);
  });

  it.each(placed)("is recognized by its place and masked there: %s in %s", (kind, line, secret) => {
    expect(credentialIn(line)).toBe(kind);
    const shown = line.replace(secret, "*".repeat(secret.length));
    expect(withoutCredentials(line)).toBe(shown);
    expect(credentialIn(shown)).toBeNull();
  });

  it("is masked completely and line by line when it is a private key", () => {
    expect(credentialIn(privateKey)).toBe("a private key");
    expect(withoutCredentials(privateKey)).toBe(privateKey.replace(body, body.replace(/\S/g, "*")));
    const cut = privateKey.slice(0, privateKey.indexOf("-----END")).replace("\nBKcw", "BKcw");
    expect(withoutCredentials(cut)).not.toMatch(/MIIE|BKcw/);
  });

  it("leaves the code around a private key unchanged", () => {
    const lines = privateKey.split("\n").map((line) => `  ${JSON.stringify(`${line}\n`)}`);
    const program = `const key = [\n${lines.join(",\n")},\n];`;
    const shown = withoutCredentials(program);
    expect(shown).not.toMatch(/MIIE|BKcw/);
    expect(() => new Function(shown)).not.toThrow();
    const text = JSON.stringify({ sourcesContent: [program, `x = ${JSON.stringify(privateKey)}`] });
    expect(JSON.stringify(JSON.parse(withoutCredentials(text)))).not.toMatch(/MIIE|BKcw/);
  });

  it.each(harmless)("isn't recognized in %s", (text) => {
    expect(credentialIn(text)).toBeNull();
    expect(withoutCredentials(text)).toBe(text);
  });

  it("keeps every line and column when masked, and masking twice changes nothing", () => {
    const pieces = [...tokens.map(([, token]) => token), ...placed.map(([, line]) => line), privateKey, ...harmless];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.constantFrom("\n", "\r\n", '"', "'", "`", "\\", "@"), fc.string()))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (whole) => {
        const shown = withoutCredentials(whole);
        const lengths = (all: string) => all.split("\n").map((line) => line.length);
        expect(lengths(shown)).toEqual(lengths(whole));
        expect(withoutCredentials(shown)).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ...["-sk-", "eyJ-", "a:b@", "://a:b", "token='", 'password="', "-----BEGIN PRIVATE KEY-----", "\\\\", "A_"],
    ...["PASSWORD=", "a.b+c-d", "eyJaaaaaaaa.", "xoxb-", ' "'],
  ])("is looked for in linear time in many %s", (piece) => {
    const took = (bytes: number): number => {
      const text = piece.repeat(bytes / piece.length);
      const started = performance.now();
      withoutCredentials(text);
      return performance.now() - started;
    };
    took(100_000);
    expect(took(1_000_000)).toBeLessThan(2_000);
  });
});

describe("a text that was cut", () => {
  const jwt = ["ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"].join(
    "",
  );

  it.each([
    ["in the claims of a token", `'Bearer ${jwt.slice(0, 35)}…`, /^'Bearer \*+…$/],
    ["within its quotes", `["${jwt.slice(0, 35)}…"]`, /^\["\*+…"\]$/],
    ["in a key", `'${["gh", "p_"].join("")}abcdef…`, /^'\*+…$/],
    ["in a password of a URL", `"postgres://app:hunt…`, /^"postgres:\/\/app:\*+…$/],
    ["in an assigned value", `{"dbPassword": "hunter2…`, /^\{"dbPassword": "\*+$/],
    ["in an assigned value of Python", `{'dbPassword': 'hunter2"…`, /^\{'dbPassword': '\*+$/],
  ])("has no beginning of a credential: %s", (_, text, expected) => {
    expect(cutWithoutCredentials(text)).toMatch(expected);
    expect(cutWithoutCredentials(text)).toHaveLength(text.length);
  });

  it.each(["{'id': 'p9', … 3 more}", '"a long text th…', '"task-list…', "[… 2 more]"])(
    "keeps what is none: %s",
    (text) => {
      expect(cutWithoutCredentials(text)).toBe(text);
    },
  );
});
