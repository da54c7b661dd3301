import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// The client takes what a test runner prints for no failure of a program; its own tests are about programs.
process.argv[1] = import.meta.filename;

// What one test leaves in the spool of the temporary folder, the client of another would send.
const temporary = tmpdir();
const own = mkdtempSync(join(temporary, "whence-node-test-"));
process.env.TMPDIR = own;
afterAll(() => {
  process.env.TMPDIR = temporary;
  rmSync(own, { recursive: true, force: true });
});
