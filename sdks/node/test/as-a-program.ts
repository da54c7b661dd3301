import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// The client doesn't treat a test runner's output as a program's failures; its own tests are about programs.
process.argv[1] = import.meta.filename;

// Otherwise the client of one test would send what another one left in the spool.
const temporary = tmpdir();
const own = mkdtempSync(join(temporary, "whence-node-test-"));
process.env.TMPDIR = own;
afterAll(() => {
  process.env.TMPDIR = temporary;
  rmSync(own, { recursive: true, force: true });
});
