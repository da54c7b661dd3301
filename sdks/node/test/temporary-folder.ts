import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * A temporary folder for one program, removed after the test file. Without one, a program would send what another
 * left in the spool.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "whence-program-"));
  folders.push(folder);
  return folder;
}
