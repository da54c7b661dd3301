import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventSubject, exception, investigated, reportedEvent } from "@whence/engine/testing";
import { hasRepositoryPaths, verifyReport } from "@whence/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openCheckout } from "../../src/sources/checkout.ts";
import { withCode } from "../../src/sources/service-sources.ts";
import { silent } from "../test-service.ts";

const orders = `import { loadLines } from "./lines.js";

export async function totalOf(order) {
  const lines = loadLines(order);
  return lines.map((line) => line.price).length;
}
`;
const lines = "export async function loadLines(order) {\n  return order.lines;\n}\n";

let folder: string;
let repository: string;
const git = (cwd: string, args: readonly string[], input = ""): string =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
    ...{ cwd, input, encoding: "utf8" },
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-patch-paths-"));
  repository = join(folder, "orders");
  await mkdir(join(repository, "src"), { recursive: true });
  await writeFile(join(repository, "src/orders.js"), orders);
  await writeFile(join(repository, "src/lines.js"), lines);
  git(repository, ["init", "--quiet"]);
  git(repository, ["add", "."]);
  git(repository, ["commit", "--quiet", "-m", "Orders"]);
  git(repository, ["tag", "1.0.0"]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each(["/app", "/work/deploy/shop"])("a patch of a program in %s is applied by git in a clone", async (runsIn) => {
  const frame = (file: string, line: number, name: string) => ({
    ...{ file: `${runsIn}/src/${file}`, line, column: 16, function: name, in_app: true },
  });
  const thrown = exception("TypeError", "lines.map is not a function", [frame("orders.js", 5, "totalOf")]);
  const subject = eventSubject(reportedEvent({ exceptions: [thrown] }));
  const sources = { open: () => openCheckout(repository, { name: "1.0.0", commit: null }) };
  const { report } = await investigated(await withCode(subject, "org_1", { sources, logger: silent }));
  const { patch = expect.fail("the report has no patch") } = report;
  expect(patch.files).toMatchObject([{ file: `${runsIn}/src/orders.js`, path: "src/orders.js" }]);
  expect([hasRepositoryPaths(patch), verifyReport(report)]).toEqual([true, []]);

  git(folder, ["clone", "--quiet", repository, "clone"]);
  const clone = join(folder, "clone");
  git(clone, ["apply"], patch.diff);
  expect(await readFile(join(clone, "src/orders.js"), "utf8")).toBe(orders.replace("= loadLines", "= await loadLines"));
});
