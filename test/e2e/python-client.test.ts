import { join } from "node:path";
import { type Incident, incidentPageSchema, incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommand } from "../../services/web/src/features/services/programs.ts";
import { pythonPrograms } from "../../services/web/src/features/services/python-programs.ts";
import { fencesIn } from "../markdown.ts";
import { readRepositoryFile, root } from "../repository-files.ts";
import { type Reader, startReader } from "../servers/reader.ts";
import { bootstrapKey, eventually } from "../servers/server-process.ts";
import { pythonShop } from "./python-shop.ts";

const failing = 'from shop.orders import total_of\n\ntotal_of([{"sku": "SALE-1"}])\n';

let reader: Reader;
let folder: string;

beforeAll(async () => {
  reader = await startReader(join(root, "sdks/protocol/src/index.ts"), []);
  folder = await reader.folder(pythonShop);
  await reader.follow("python3 -m venv .venv", folder);
});
afterAll(() => reader?.leave());

function inEnvironment(commands: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return reader.follow(
    `set -e\nexport PATH="$PWD/.venv/bin:$PATH" WHENCE_API_KEY=${bootstrapKey}\n${commands}`,
    folder,
  );
}

/** Returns a block of the README about instrumenting a Python service. */
function shown(language: string): string {
  const [, section = ""] = readRepositoryFile("README.md").split("\n## Instrument a service\n");
  const blocks = fencesIn(section.split("\n## ", 1)[0] ?? "").filter((fence) => fence.language === language);
  const [block] = blocks.filter(({ text }) => /\bpip |import whence/.test(text));
  if (block === undefined) throw new Error(`README.md has no block of ${language} for Python`);
  return reader.atServer(block.text);
}

/** Returns the first block of a page. */
function blockOf(page: string, language: string): string {
  const block = fencesIn(readRepositoryFile(page)).find((fence) => fence.language === language);
  return reader.atServer(block?.text ?? "");
}

async function read(path: string): Promise<unknown> {
  const answer = await fetch(`${reader.server.url}${path}`, { headers: { "x-api-key": bootstrapKey } });
  return answer.json();
}

async function incidentOf(service: string): Promise<Incident> {
  return eventually(`the report on ${service}`, async () => {
    const page = incidentPageSchema.parse(await read(`/api/incidents?service=${service}&status=completed`));
    const [listed] = page.incidents;
    return listed && incidentSchema.parse(await read(`/api/incidents/${listed.id}`));
  });
}

describe("the Python client", () => {
  it("is installed by pip as the README says, with its checksum", async () => {
    await inEnvironment(shown("sh"));
    const { stdout } = await inEnvironment("pip show --files whence && pip check");
    expect(stdout).toContain("whence/py.typed");
    expect(stdout).toContain("No broken requirements found.");
  });

  it("has files that didn't change on the way", async () => {
    const check = `curl -fsS ${reader.server.url}/sdk/checksums.txt | grep whence- | tee sums
for file in $(cut -c67- sums); do curl -fsSO ${reader.server.url}/sdk/$file; done; sha256sum --check sums
python -m zipfile --test whence-*.whl`;
    const { stdout } = await inEnvironment(check);
    expect(stdout.match(/: OK/g)).toHaveLength(2);
  });

  it("reports what ends its program, and the report names the line and the missing value", async () => {
    const program = `${shown("py")}\n${failing}`;
    await inEnvironment(`cat > main.py <<'END'\n${program}END`);
    await expect(inEnvironment("python main.py")).rejects.toThrow("'NoneType' object is not subscriptable");
    const { title, trigger, report } = await incidentOf("orders");
    expect(title).toBe("TypeError: 'NoneType' object is not subscriptable");
    expect(trigger).toMatchObject({ kind: "event", mechanism: "sys.excepthook", handled: false });
    expect(report?.root_cause).toMatchObject({
      category: "null-dereference",
      location: { file: join(folder, "shop/orders.py"), line: 8, function: "total_of" },
    });
    expect(report?.root_cause_summary).toContain("reads an element of `price`, which is `None`");
  });

  it("is started without code as the first-run page says", async () => {
    const values = { key: bootstrapKey, service: "kiosk", endpoint: reader.server.url };
    await inEnvironment(`cat > app.py <<'END'\n${failing}END`);
    await inEnvironment(pythonPrograms.python.install(values));
    await expect(inEnvironment(startCommand(pythonPrograms.python, values))).rejects.toThrow("not subscriptable");
    expect((await incidentOf("kiosk")).report?.root_cause?.location).toMatchObject({ line: 8, function: "total_of" });
  });

  it.each(["flask", "fastapi", "django"] as const)("has code for %s that compiles", async (kind) => {
    const code = pythonPrograms[kind].code({ key: bootstrapKey, service: "the 'shop'", endpoint: reader.server.url });
    await inEnvironment(`cat > ${kind}_app.py <<'END'\n${code}\nEND\npython -m py_compile ${kind}_app.py`);
  });

  it("has a doctor, which its page shows", async () => {
    const doctor = blockOf("docs/sdk/python/doctor.md", "sh");
    const program = `${shown("py")}\nimport time; time.sleep(60)\n`;
    await inEnvironment(`cat > app.py <<'END'\n${program}END`);
    const { stdout } = await inEnvironment(`export WHENCE_RELEASE=1.0.0\n${doctor}`);
    expect(stdout).toContain("✓ key: accepted by the server");
  });
});
