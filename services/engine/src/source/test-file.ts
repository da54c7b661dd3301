import { posix } from "node:path";
import { isTestFile } from "@whence/protocol";

/** How JUnit, PHPUnit, NUnit, XCTest, minitest, and pytest name the files of their tests: `CartTest.java`, `test_cart.rb`. */
const namedAsTest =
  /[a-z\d](?:Tests?|TestCase|IT|Spec)\.(?:java|kt|groovy|scala|php|cs|swift)$|^test_[^/]*\.rb$|^conftest\.py$|[._-](?:test|spec)s?\.\w+$/;
/** A file in a folder of tests, or one folder further: a whole program may lie below a folder that is called `tests`. */
const besideTests = /(?:^|\/)(?:tests?|__tests__|specs?|testing)\/(?:[^/]+\/)?[^/]+$/;
/** All tests of a small package or of a Django app in one file: `test.js`, `tests.py`. */
const onlyTests = /(?:^|\/)(?:tests?|specs?)\.(?:[cm]?[jt]sx?|py)$/;
/** The folder of the tests in the layout of Maven and Gradle, however deep its packages are. */
const testSources = /(?:^|\/)src\/test\/(?:java|kotlin|groovy|scala)\//;

/**
 * Returns whether a file's own name marks it as a test. A folder called `test` isn't enough, because any program may be
 * in one.
 */
export function isNamedTest(file: string): boolean {
  const name = posix.basename(file);
  return isTestFile(name) || namedAsTest.test(name);
}

/** Returns whether a file on a stack is a test, or a helper of tests. */
export function isTestOnStack(file: string): boolean {
  return isNamedTest(file) || onlyTests.test(file) || besideTests.test(file) || testSources.test(file);
}
