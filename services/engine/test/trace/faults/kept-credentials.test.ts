import { describe, expect, it } from "vitest";
import { investigated } from "../../investigated.ts";
import { call, eventSubject, exception, frameAt, reportedEvent } from "../../reported-event.ts";
import { type Files, ofKind, traced } from "../signals-in.ts";

/** The credentials that are kept in code whose call was refused with 401, by name and by what obtains them. */
async function keptIn(files: Files): Promise<object[]> {
  const [[file = "", text = ""] = []] = Object.entries(files);
  const line = text.split("\n").findIndex((one) => one.includes("FAILS")) + 1;
  const log = file.endsWith(".py")
    ? `Traceback (most recent call last):\n  File "/srv/${file}", line ${line}, in get\n    check(response)\nLedgerError: 401 Unauthorized\n`
    : `LedgerError: the ledger answered 401\n    at get (/srv/${file}:${line}:9)\n`;
  return ofKind((await traced(log, files)).signals, "kept-credential").map(({ args }) => args);
}

const script = (auth: string): Files => ({
  "ledger.js": `let token;
${auth}
export async function get(path) {
  const response = await fetch(path, { headers: { authorization: await auth() } });
  if (!response.ok) throw new LedgerError(response.status); // FAILS
}
`,
});
const python = (auth: string): Files => ({
  "ledger.py": `token = None

def auth():
    global token
${auth}
    return token

def get(path):
    response = requests.get(path, headers={"authorization": auth()})
    check(response)  # FAILS
`,
});

describe("a credential that is obtained on first use and kept", () => {
  it.each([
    "async function auth() { if (!token) token = await login(); return token }",
    "async function auth() {\n  if (token === undefined) {\n    token = (await login()).access;\n  }\n  return token;\n}",
    "async function auth() { if (token) return token; token = await login(); return token; }",
    "async function auth() { if (token === null || token === undefined) token = await login(); return token; }",
    "async function auth() { return (token ??= await login()); }",
    "async function auth() { token = token || (await login()); return token; }",
    "async function auth() { token || (token = await login()); return token; }",
    "async function auth() { return token ? token : (token = await login()); }",
    "async function auth() { if (!token) token = await login(); return token.trim(); }",
  ])("is found in JavaScript: %s", async (auth) => {
    expect(await keptIn(script(auth))).toEqual([{ name: "token", obtained: "login", how: "first-use" }]);
  });

  it.each([
    "    if not token:\n        token = login()",
    "    if token is None:\n        token = login()['access']",
    "    token = token or login()",
  ])("is found in Python: %j", async (auth) => {
    expect(await keptIn(python(auth))).toEqual([{ name: "token", obtained: "login", how: "first-use" }]);
  });

  it.each([
    "async function auth() { if (!token || token.expires < Date.now()) token = await login(); return token }",
    "async function auth() { token = await login(); return token }",
    "async function auth(isRetry) { if (!token || isRetry) token = await login(); return token }",
    "async function auth(isRetry) { if (token && !isRetry) return token; token = await login(); return token }",
    "async function auth() { if (!token) token = await login(); return token }\nexport function forget() { token = undefined; }",
    "async function auth() { if (!token) token = await login(); return token.request('/') }",
  ])("isn't found where it is renewed, or is a client: %s", async (auth) => {
    expect(await keptIn(script(auth))).toEqual([]);
  });
});

describe("an answer of 401 that the code reads as any other", () => {
  const program = {
    "/srv/payadmin/ledger.js": `let token;
async function auth() { if (!token) token = await login(); return token }
export async function balance(id) {
  const response = await fetch(base + id, { headers: { authorization: await auth() } });
  const { account } = await response.json();
  return account.balance;
}
`,
  };
  const frames = [frameAt(program, "/srv/payadmin/ledger.js", "balance;", "balance")];
  const candidatesAfter = async (status: number): Promise<string> => {
    const failure = exception("TypeError", "Cannot read properties of undefined (reading 'balance')", frames);
    const breadcrumbs = [call(0.02, { method: "GET", url: "http://ledger/7", status_code: status, duration_ms: 3 })];
    const subject = eventSubject(reportedEvent({ exceptions: [failure], breadcrumbs }), "payadmin");
    return (await investigated(subject)).report.candidates.map(({ statement }) => statement).join("\n");
  };

  it("makes the credential that is kept a candidate", async () => {
    expect(await candidatesAfter(401)).toContain("keeps what `login` returned in `token`");
    expect(await candidatesAfter(200)).not.toContain("keeps what");
  });
});
