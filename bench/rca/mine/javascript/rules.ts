import type { CrashRules } from "../ecosystem.ts";
import { literally } from "../pattern.ts";

/** Rules for the origin of Node's errors. */
export const rules: CrashRules = {
  notOfTheCode:
    /Cannot find (module|package)|does not provide an export|is not defined by "exports"|EADDRINUSE|EACCES|EPERM|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ETIMEDOUT|MODULE_NOT_FOUND|ERR_REQUIRE_ESM/,
  tooNew: /does not provide an export named|Cannot find module '\.\.?\//,
  subject: (message) => message,
  checkers:
    /^node_modules\/(chai|should|expect|expect\.js|sinon|nock|assert|assert-plus|must|unexpected|referee|proxyquire|power-assert|jest-\w+|@jest\/|@sinonjs|better-assert|mockery|rewire)/,
  complains(line, message, isNew) {
    if (/\bthrow\b|new \w*Error\b|assert|\bfail\(/.test(line)) return true;
    if (/is not (a function|a constructor|defined|iterable)|Class extends value/.test(message)) return true;
    const read = /\((?:reading|setting) '(.+)'\)/.exec(message)?.[1];
    if (read === undefined) return false;
    // A function that is looked up by its name.
    if (/^(apply|call|bind)$/.test(read)) return true;
    const base = new RegExp(`([\\w$]+)(?:\\(.*\\))?\\s*(?:\\.\\s*|\\[["'])${literally(read)}`).exec(line)?.[1];
    return base !== undefined && isNew(base);
  },
  categories: [
    [/^TypeError: Cannot (read|set) propert(y|ies) .*of (undefined|null)/, "null-dereference"],
    [/^TypeError: Cannot convert undefined or null to object/, "null-dereference"],
    [/^TypeError: Cannot destructure property .* as it is (undefined|null)/, "null-dereference"],
    [/^RangeError: Maximum call stack size exceeded/, "infinite-loop"],
    [/^RangeError: (Invalid array length|.*out of range|.*out of bounds)/, "boundary"],
    [/^SyntaxError: .*JSON/, "parse-error"],
    [/^URIError: /, "encoding"],
    [/^TypeError: .* is not (a function|iterable|a constructor)/, "type-mismatch"],
    [/^TypeError( \[ERR_INVALID_ARG_TYPE\])?: .*must be (of type|one of type|an instance of)/, "type-mismatch"],
    [/^Error: (ENOENT|EISDIR|ENOTDIR|EEXIST|ENOTEMPTY)\b/, "filesystem"],
  ],
};
