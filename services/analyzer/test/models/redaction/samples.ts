/** A text with what must not leave it. Values are made up, and put together so that no scanner takes them for real. */
export interface Sample {
  readonly what: string;
  readonly text: string;
  /** The values that must be replaced. */
  readonly hidden: readonly string[];
}

const hex = "9f86d081884c7d659a2feaa0c55ad015";
const base62 = "Zx8Qm2Lr7TnB4vKd1Ws6YpHc3GfJ9aEu";
const jwt = [
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
  "eyJzdWIiOiIxMjM0NTY3ODkwIn0",
  "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
].join(".");
const pem = [
  "-----BEGIN RSA PRIVATE KEY-----",
  "MIIEpAIBAAKCAQEA7bq0".repeat(3),
  "x9Kq2Lm4Pz8Rt1Vw".repeat(4),
  "-----END RSA PRIVATE KEY-----",
];

function sample(what: string, before: string, value: string, after = ""): Sample {
  return { what, text: before + value + after, hidden: [value] };
}

/** Secrets by the form that their issuer gives them. */
const issued: readonly Sample[] = [
  sample("a GitHub token", "remote: bad credentials for ", `ghp_${base62}abcd`),
  sample("a fine-grained GitHub token", "GH ", `github_pat_${base62}${base62}`),
  sample("a GitLab token", "401 with ", `glpat-${base62.slice(0, 20)}`),
  sample("a Slack token", "token is ", ["xoxb", "123456789012", "1234567890123", base62.slice(0, 24)].join("-")),
  sample("a Stripe key", "No such customer; key ", `sk_live_${base62}`),
  sample("a Stripe test key", "using ", `sk_test_${base62}`),
  sample("an AWS access key", "InvalidAccessKeyId: ", "AKIAQ3EGMVN7RJHT5WKD"),
  sample("an AWS secret key", "AWS_SECRET_ACCESS_KEY=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz9KEq3Lm2"),
  sample("a Google API key", "API key not valid: ", `AIza${base62}abc`),
  sample("an npm token", "//registry.example.com/:_authToken=", `npm_${base62}abcd`),
  sample("an Anthropic key", "invalid x-api-key ", `sk-ant-api03-${base62}${base62}${base62}AA`),
  sample("an OpenAI key", "Incorrect API key provided: ", `sk-proj-${base62}${base62}`),
  sample("a SendGrid key", "mail ", `SG.${base62.slice(0, 22)}.${base62}${base62.slice(0, 11)}`),
  sample("a Hugging Face token", "hub: ", `hf_${"aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH"}`),
  sample("a Grafana token", "grafana: ", `glsa_${base62}_1a2b3c4d`),
  sample("a Vault token", "vault: ", `hvs.${base62.repeat(3)}`),
  sample("a Databricks token", "spark: ", `dapi${hex}`),
  sample("a Shopify token", "shop: ", `shpat_${hex}`),
  sample("a Linear key", "linear: ", `lin_api_${base62}`),
  sample("a Tailscale key", "tailscale up --authkey ", `tskey-auth-${base62.slice(0, 12)}-${base62}`),
  sample("a Whence key", "401 Unauthorized for ", `whk_${base62}${base62.slice(0, 17)}`),
  sample("a Whence agent's key", "401 Unauthorized for ", `wha_${base62}${base62.slice(0, 17)}`),
  sample("a JSON Web Token", "jwt malformed: ", jwt),
  { what: "a private key", text: pem.join("\n"), hidden: pem.slice(1, 3) },
  { what: "a private key in a string", text: `const key = "${pem.join("\\n")}";`, hidden: pem.slice(1, 3) },
  sample(
    "the signature of a link to S3",
    "GET https://b.s3.amazonaws.com/k?X-Amz-Date=20260101T000000Z&X-Amz-Signature=",
    `${hex}${hex}`,
  ),
  sample(
    "the signature of a link to Azure",
    "https://a.blob.core.windows.net/c/k?sv=2024-11-04&sig=",
    "q8Yx2Rk%2BJw7Lz0Pm4Tn%3D",
  ),
];

/** Secrets by what stands before them. */
const named: readonly Sample[] = [
  sample("a password in a URL", "connect ECONNREFUSED postgres://app:", "s3cr3t-pw", "@db.internal:5432/shop"),
  sample("a password in a URL of Redis", "redis://:", "hunter2hunter2", "@cache:6379/0"),
  sample("a password in a connection string", "Server=db;User Id=app;Password=", "P@ssw0rd!", ";Encrypt=true"),
  sample("a bearer token", "Authorization: Bearer ", "k9-22-opaque-7Z"),
  sample("basic authentication", "authorization: Basic ", "YXBwOnMzY3IzdC1wdw=="),
  sample("a header in JSON", '{"headers":{"authorization":"Bearer ', "abc123def456", '"}}'),
  sample("a header in JSON in JSON", '"{\\"authorization\\":\\"Bearer ', "abc123def456", '\\"}"'),
  sample("a header of an API key", "x-api-key: ", "7f3c-11aa-live"),
  sample("a bearer token without a header", 'curl -H "Bearer ', "abcdef0123456789", '"'),
  sample("cookies", "Cookie: ", "sid=s%3Aj2Kd; theme=dark; remember=1"),
  sample("a cookie that is set", "set-cookie: ", "sid=8d7f; Path=/; HttpOnly"),
  sample("cookies in JSON", '{"cookie":"', "sid=8d7f; theme=dark", '"}'),
  sample("a password in a form", "POST /login body=user=ada&password=", "correcthorse", "&remember=1"),
  sample("a token in a query", "GET /cb?code=1&access_token=", "ya29.a0AfH6", "&state=2"),
  sample("a password in JSON", '{"user":"ada","password":"', "correct horse battery", '"}'),
  sample("a password in logfmt", "level=info user=ada password=", "correcthorse", " ok=true"),
  sample("a password in YAML", "db:\n  password: ", "correcthorse", "\n"),
  sample("a password in an environment file", "DB_PASSWORD=", "correct-horse-1", "\n"),
  sample("a password in a call", "connect(host, password='", "letmein", "')"),
  sample("a password on a command line", "mysql --password=", "letmein9", " -h db"),
  sample("a client secret", "client_secret: '", "Gx-7q", "'"),
  sample("a social security number", '"ssn": "', "078-05-1120", '"'),
  sample("a session in an object", "{ session: '", "s-81f2", "' }"),
  sample("a hash of a password", '"password": "', "$2b$10$N9qo8uLOickgx2ZMRZoMye", '"'),
];

/** Data about people, by form and checksum. */
const personal: readonly Sample[] = [
  sample("an email", "No account for ", "ada.lovelace+shop@example.co.uk", "."),
  sample("an email in a URL", "GET /users?email=", "ada%40example.com", "&x=1"),
  sample("an email beyond ASCII", "von ", "jörg@müller-straße.de", " an"),
  sample("an email in brackets", "From: Ada <", "ada@example.com", ">"),
  sample("an international phone number", "SMS to ", "+44 20 7946 0958", " failed"),
  sample("a phone number in one piece", "SMS to ", "+4915112345678", " failed"),
  sample("a phone number of North America", "call ", "(555) 010-4477", " now"),
  sample("a number that is called a phone's", '{"phone":"', "0170 1234567", '"}'),
  sample("a card in groups", "declined: ", "4111 1111 1111 1111"),
  sample("a card in one piece", "pan=", "5555555555554444", "&exp=1"),
  sample("an American Express card", "declined: ", "3782-822463-10005"),
  sample("an IBAN", "transfer from ", "DE89370400440532013000", " failed"),
  sample("an IBAN in groups", "transfer from ", "GB29 NWBK 6016 1331 9268 19", " failed"),
  sample("a public IPv4 address", "client ", "81.2.69.142", " closed"),
  sample("a public IPv4 address in a URL", "GET http://", "81.2.69.142", ":8080/x"),
  sample("a public IPv6 address", "client ", "2a02:6b8:b010:9020:1::2", " closed"),
];

/** Secrets that only look random. */
const random: readonly Sample[] = [
  sample("a random string", "license check failed for ", base62),
  sample("a random string of base64", "hmac key ", "p8Vt3/kQz1Wn+R5yLx0Jb7uFhC2mEaTd"),
  sample("a random string of base64url", "state ", "Q7-xK2_vN9bT4mZ8cR1wYd5L"),
];

/** What a redactor must replace. */
export const secretSamples: readonly Sample[] = [...issued, ...named, ...personal, ...random];

/** What an investigation needs, and a careless pattern would take. */
export const harmlessTexts: readonly string[] = [
  "trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7",
  "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "request 550e8400-e29b-41d4-a716-446655440000 failed",
  "commit 5fb5a2318c1c0b0f5f2c1b1d6f3f0a9c0d4e7b21",
  `sha256:${hex}${hex}`,
  "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
  "at Object.<anonymous> (/srv/app/node_modules/@scope/package2Name/dist/index.js:10:15)",
  "at async Promise.all (index 0) file:///srv/app/src/getServerSideProps2WithRetries.ts",
  "inc_01jd9y6e2k4v7w8x9z0a1b2c3d agt_0193652a6f3d7c4e8a8bb5e2d6f1c0aa",
  "npm ERR! 404 lodash@4.17.21 @types/node@26.6.6 icon@2x.png git@github.com:acme/shop.git",
  "java.lang.Object@1b6d3586 com.example.Order$$Lambda$14/0x0000000800c0a000",
  "connect ECONNREFUSED 127.0.0.1:5433 10.2.3.4:80 192.168.1.7 ::1 fe80::1 169.254.169.254",
  "Mozilla/5.0 Chrome/99.0.0.0 Safari/537.36 Version=4.0.0.0, Culture=neutral",
  "SyntaxError: Unexpected token: } in JSON at position 12",
  "const token = tokens[index]; this.password = options.password; auth = require('auth');",
  "function login(user: string, password: string, token?: string): Session {",
  "password: z.string().min(8), secret: process.env.APP_SECRET, apiKey: this.#apiKey,",
  "connect(host=host, password=password, token=settings.TOKEN)",
  "createdAt 1764180000000 1764180000000000 1764180000000000000 2026-11-26T17:00:00.123Z",
  "order 1234567890123456 weighs 4000000000000001 grams",
  "@@ -101,7 +101,9 @@\n+12345678901\n-12345678901",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  "_ZN3std2rt19lang_start_internal17h5c1b9a8e7d6f4321E",
  "systemd[1]: getty@tty1.service: Failed; return@forEach.done",
  "// biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's",
  "password must be at least 8 characters; token expired; session not found",
];
