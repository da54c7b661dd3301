import type { CrashRules } from "../ecosystem.ts";

/** Rules for the origin of Python's errors. */
export const rules: CrashRules = {
  notOfTheCode:
    /^(CollectError|ModuleNotFoundError|ImportError|PermissionError|ConnectionError|ConnectionRefusedError|TimeoutError|MemoryError|NotImplementedError|pytest\.|_pytest\.|socket\.\w+|urllib\.error|subprocess\.|ssl\.|pkg_resources\.|importlib\.metadata|hypothesis\.|\w*Warning\b|DeprecationWarning)|fixture '\w+' not found/m,
  tooNew: /^CollectError: .*(cannot import name|No module named|has no attribute)/s,
  subject: (message) => (/\s/.test(message) ? (message.match(/(["'`])[^"'`]+\1/g) ?? []).join(" ") : message),
  checkers:
    /site-packages\/(_?pytest|hypothesis|mock|nose|parameterized|ddt|pretend|freezegun|testfixtures|webtest|unittest2|pluggy|pkg_resources|setuptools|_distutils_hack)\b/,
  complains(line, message, isNew) {
    if (/^\s*(raise|assert)\b|\.(assert\w+|fail)\(|\bpytest\.(fail|raises)/.test(line)) return true;
    if (/positional argument|keyword argument|required argument|is not callable|is not defined/.test(message))
      return true;
    const read = /has no attribute '(\w+)'/.exec(message)?.[1];
    if (read !== undefined && !/^'NoneType'/.test(message)) return true;
    if (read === undefined) return false;
    const base = new RegExp(`(\\w+)(?:\\(.*\\))?\\s*\\.\\s*${read}`).exec(line)?.[1];
    return base !== undefined && isNew(base);
  },
  categories: [
    [/'NoneType' object (has no attribute|is not (subscriptable|iterable|callable))/, "null-dereference"],
    [/^RecursionError/, "infinite-loop"],
    [/^IndexError/, "boundary"],
    [/^(UnicodeDecodeError|UnicodeEncodeError)/, "encoding"],
    [/^(json\.(decoder\.)?JSONDecodeError|\w+\.ParserError|xml\..*ParseError)/, "parse-error"],
    [
      /^TypeError: (.* object is not|unsupported operand|can only concatenate|.*must be (str|int|a string))/,
      "type-mismatch",
    ],
    [/^(FileNotFoundError|IsADirectoryError|NotADirectoryError|FileExistsError)/, "filesystem"],
  ],
};
