import { type Dialect, errorNames, words } from "./dialect.ts";

export const java: Dialect = {
  endings: /\.java$/,
  constructors: words("<init>"),
  construction: "new-operator",
  exports: /^(?!_)/,
  undeclared: "of-folder",
  scopes: "block",
  hasSelfParameter: false,
  returnsLast: false,
  endsSilently: false,
  hasImplicitSelf: true,
  readsFieldsByCalls: true,
  readsMethodsAsFields: false,
  hasMethodsOutside: false,
  capitalsAreClasses: true,
  waiting: "none",
  hasEmitters: false,
  givesListToEach: false,
  keepsHandledErrors: false,
  raising: words(""),
  errorMaking: errorNames,
  calls: {
    lookups: words(
      "get getOrDefault getProperty getParameter getHeader getAttribute getString getInteger getInt getLong getBoolean findFirst findAny findById findOne remove poll peek getFirst",
    ),
    handOn: words(
      "trim strip toLowerCase toUpperCase split substring replace toString valueOf of ofNullable map filter stream collect toList format join concat asList copyOf requireNonNull orElse orElseGet orElseThrow iterator entrySet values keySet",
    ),
    parsing: words("readValue readTree fromJson parse"),
    bodies: words(""),
    outside: words("send execute exchange getForObject executeQuery readString readAllBytes readLine"),
    computing: words("parseInt parseLong parseDouble parseBoolean intValue longValue size length indexOf"),
    each: words("map forEach filter flatMap anyMatch allMatch mapToInt mapToLong removeIf ifPresent"),
    putting: words("put set setAttribute setProperty putIfAbsent header"),
  },
  environment: /^System\.(?:getenv|getProperty)\(\s*"([\w.]{1,100})"/,
};
