import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { takeDataDirectory } from "../src/data-directory.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

it("refuses a directory that this process already holds, and takes it once it is released", () => {
  const path = join(temporaryDirectory(), "data");
  const first = takeDataDirectory(path);
  expect(() => takeDataDirectory(path)).toThrow(`${path} is in use by process ${process.pid}`);
  first.release();
  takeDataDirectory(path).release();
});

it("takes a directory whose process died, even when another process has its ID now", () => {
  const path = temporaryDirectory();
  writeFileSync(join(path, "whence.pid"), "1\n");
  const directory = takeDataDirectory(path);
  expect(readFileSync(join(path, "whence.pid"), "utf8")).toBe(`${process.pid}\n`);
  directory.release();
});

it("makes a directory that others could read private, along with its files", () => {
  const path = temporaryDirectory();
  writeFileSync(join(path, "control.sqlite"), "", { mode: 0o644 });
  chmodSync(path, 0o755);
  const directory = takeDataDirectory(path);
  const modeOf = (file: string): number => statSync(file).mode & 0o777;
  expect(modeOf(path)).toBe(0o700);
  expect(readdirSync(path).filter((name) => modeOf(join(path, name)) !== 0o600)).toEqual([]);
  directory.release();
});
