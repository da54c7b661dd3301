import type { Category } from "@whence/protocol";

/** Messages that leave no doubt about the kind of root cause; all others are left without a category. */
const clear: readonly (readonly [RegExp, Category])[] = [
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
];

/** The category of an error by its message; undefined when the message alone does not say. */
export function categoryOf(log: string): Category | undefined {
  return clear.find(([pattern]) => pattern.test(log))?.[1];
}
