import { isTestFile } from "@whence/protocol";

/** All tests of a small package or of a Django app in one file. */
const onlyTests = /(?:^|\/)(?:(?:tests?|specs?)\.(?:[cm]?[jt]sx?|py)|conftest\.py)$/;

/** Whether a file is of a program's tests, which say what is right. */
export function isOfTests(path: string): boolean {
  return isTestFile(path) || onlyTests.test(path);
}
