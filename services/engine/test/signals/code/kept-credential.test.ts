import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../testing.ts";

const client = (body: string): Record<string, string> => ({
  "src/warehouse.mjs":
    "import { accessToken } from './access.mjs';\nexport async function stockOf(sku) {\n  const response = await fetch(`https://wh.example/${sku}`, { headers: { authorization: await accessToken() } });\n  if (!response.ok) throw new Error(`stock of ${sku}: ${response.status} token expired`);\n  return response.json();\n}\n",
  "src/access.mjs": `import { logIn } from './log-in.mjs';\nlet kept;\nexport async function accessToken() {\n${body}\n  return kept.token;\n}\n`,
  "src/log-in.mjs":
    "export async function logIn() {\n  const response = await fetch('https://wh.example/login', { method: 'POST' });\n  return response.json();\n}\n",
});
const log = `Error: stock of a-1: 401 token expired
    at stockOf (file:///srv/src/warehouse.mjs:4:27)
`;

describe("a credential that is obtained once", () => {
  it("is named where it is kept, with the call that obtained it", async () => {
    for (const body of ["  kept ??= await logIn();", "  if (kept === undefined) kept = await logIn();"]) {
      const { report } = await investigated(textSubject(log, client(body)));
      expect(report.root_cause).toMatchObject({
        category: "auth",
        location: { file: "src/access.mjs", line: 4, function: "accessToken" },
        statement: expect.stringContaining("keeps what `logIn` returned in `kept` on first use, and nothing renews it"),
      });
    }
  });

  it("isn't named when its age is checked, or when it is dropped after it was refused", async () => {
    const aged = "  if (!kept || kept.until < Date.now()) kept = await logIn();";
    const dropped = "  kept ??= await logIn();\n  if (!(await works(kept))) kept = undefined;";
    for (const body of [aged, dropped]) {
      const { report } = await investigated(textSubject(log, client(body)));
      expect(report.root_cause.statement).not.toContain("nothing renews it");
    }
  });

  it.each([
    ["const verifyToken = promisify(jwt.verify);", "await verifyToken(sku);"],
    ["const authRouter = express.Router();", "authRouter.use(sku);"],
    ["const passwordSchema = z.object({});", "check(passwordSchema);"],
    ["const authors = load();", "check(authors);"],
    ["const session = openSession();", "await session.get(sku);"],
  ])("isn't named where only a name is like that of one: %s", async (declared, used) => {
    const files = {
      "src/warehouse.mjs": `${declared}\nexport async function stockOf(sku) {\n  ${used}\n  throw new Error(\`stock of ${"${sku}"}: 401 token expired\`);\n}\n`,
    };
    const { report } = await investigated(textSubject(log, files));
    expect(JSON.stringify(report)).not.toContain("nothing renews it");
  });

  it("isn't named when the error is about something else", async () => {
    const other = log.replace("401 token expired", "503 overloaded");
    const { report } = await investigated(textSubject(other, client("  kept ??= await logIn();")));
    expect(report.root_cause.statement).not.toContain("nothing renews it");
  });

  it("is named in Python, too, where the module obtains it as it is loaded", async () => {
    const text = `Traceback (most recent call last):
  File "/srv/mailer/send.py", line 6, in send
    raise Refused(f"mail to {to}: {answer.status_code} Unauthorized")
mailer.send.Refused: mail to ada@example.org: 401 Unauthorized
`;
    const files = {
      "mailer/send.py":
        'from mailer.login import API_KEY\nfrom mailer.wire import post\n\ndef send(to):\n    answer = post(to, API_KEY)\n    raise Refused(f"mail to {to}: {answer.status_code} Unauthorized")\n\nclass Refused(Exception):\n    pass\n',
      "mailer/login.py": "from mailer.vault import read_key\n\nAPI_KEY = read_key('mailer')\n",
    };
    const { report } = await investigated(textSubject(text, files));
    expect(report.root_cause).toMatchObject({
      location: { file: "mailer/login.py", line: 3 },
      statement: expect.stringContaining("keeps what `read_key` returned in `API_KEY` when the module is loaded"),
    });
  });
});
