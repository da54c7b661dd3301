import { type Dialect, errorNames, words } from "./dialect.ts";

export const python: Dialect = {
  endings: /\.pyi?$/,
  constructors: words("__init__"),
  construction: "call",
  exports: /^(?!_)/,
  undeclared: "imported-unnamed",
  ownModules: "by-folder",
  scopes: "function",
  hasSelfParameter: true,
  columnsBeginOperations: true,
  returnsLast: false,
  endsSilently: true,
  hasImplicitSelf: false,
  readsFieldsByCalls: false,
  outOfRange: "thrown",
  remaindersAreSigned: false,
  readsMethodsAsFields: true,
  hasMethodsOutside: false,
  capitalsAreClasses: false,
  waiting: "await",
  hasEmitters: false,
  givesListToEach: true,
  takesApart: null,
  keepsHandledErrors: true,
  raising: words(""),
  errorMaking: errorNames,
  calls: {
    lookups: words("get pop find first one_or_none scalar search match fetchone getattr"),
    handOn: words(
      "str bytes list tuple set dict sorted reversed strip lower upper split join encode decode format abs min max round sum copy deepcopy enumerate zip filter map iter next items values keys wait_for gather cast",
    ),
    parsing: words("loads load safe_load json parse reader DictReader"),
    serializing: words("dumps dump"),
    bodies: words("json text"),
    requests: words("request"),
    httpClients: words("requests httpx"),
    outside: words("urlopen request read read_text recv fetchall fetchone execute"),
    computing: words("int float bool len ord divmod"),
    each: words("map filter"),
    putting: words("setdefault setattr put set"),
    adding: words("append add insert appendleft push put_nowait"),
    joining: words("update extend extendleft"),
    altering: words("merge delete remove pop popitem popleft clear discard sort reverse rotate store increment incr"),
    optioned: words("enumerate sorted min max sum open print int float str bytes zip range round pow map filter"),
    positioned: words(""),
    finding: words("find rfind"),
    bounding: words("bisect bisect_right"),
  },
  writing: {
    isIndented: true,
    self: "self",
    entry: (name) => `"${name}": ${name}`,
    empty: new Map([
      ["append", "[]"],
      ["add", "set()"],
      ["setdefault", "{}"],
    ]),
    copying: { module: "copy", name: "deepcopy" },
  },
  ignoresCaseOfKeys: false,
  durations: [
    {
      callee: /^(?:requests|httpx|session|client|http)\.\w+$|\burlopen$|\.(?:acquire|join|result|wait|get|put)$/,
      argument: /^timeout$/,
      unit: "seconds",
    },
    { callee: /\.set$/, argument: /^ex$/i, unit: "seconds" },
    { callee: /\.set$/, argument: /^px$/i, unit: "ms" },
    {
      callee: /timedelta$/,
      argument: /^(?:seconds|milliseconds|minutes|hours|days|microseconds)$/,
      unit: "named",
    },
  ],
  defaultsAreShared: true,
  neverAwaited: /coroutine '([\w.<>]{1,200})' was never awaited/,
  copiedCoroutine: /^<coroutine ([\w.<>]{1,200})>$/,
  promiseInMessage: /coroutine/,
  promisedModules: null,
  plainType: /^(?:str|dict|list|int|float)(?: or |$)| or (?:str|dict|list)$/,
  plainDataInMessage: /is not iterable|'(?:str|dict|list|float)'/,
  builtIn: new Map([
    [
      "datetime",
      words(
        "isoformat strftime timestamp date time weekday isoweekday astimezone year month day hour tzinfo total_seconds toordinal",
      ),
    ],
    ["Decimal", words("quantize as_tuple normalize to_integral_value")],
    ["set", words("add discard union intersection difference issubset issuperset")],
  ]),
  dataMethods: new Map(),
  interruption:
    /(?:^|\.)(?:SystemExit|KeyboardInterrupt|(?:Soft)?TimeLimitExceeded|TimeoutError|TimeoutException|Timeout|Failed)$/,
  handler: /^_*(?:sig(?:n(?:al|um|o)\w*)?|frame)$|sig(?:alrm|nal|handler)|alarm|handler/i,
  around: {
    entries: [
      ["_(", ")"],
      ["_({", "})"],
    ],
    statements: [["", ""]],
    entryEnd: /,\s*$/,
  },
  patterns: {
    matching: words("match fullmatch search findall finditer sub subn split"),
    making: words("compile"),
    inJavaScript,
  },
  environment: {
    objects: new Set(["os.environ", "environ"]),
    calls: new Set(["os.environ.get", "environ.get", "os.getenv", "getenv"]),
    isNamedByMember: false,
    required: new Set(["os.environ", "environ"]),
  },
};

/** Rewrites what Python's regular expressions write in another way: names of groups, and the ends of a text. */
function inJavaScript(text: string, written: string): string {
  const isRaw = /^[a-z]?r/i.test(written);
  const pattern = isRaw ? text : text.replace(/\\([\\'"])/g, "$1");
  return pattern
    .replace(/^\(\?[aimsux]{1,6}\)/, "")
    .replaceAll("(?P<", "(?<")
    .replace(/\(\?P=(\w{1,100})\)/g, "\\k<$1>")
    .replaceAll("\\A", "^")
    .replaceAll("\\Z", "$");
}
