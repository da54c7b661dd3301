import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A fresh directory that is removed when the test, or the whole file when asked in no test, is over. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "whence-storage-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
