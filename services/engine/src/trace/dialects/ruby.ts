import { type Dialect, words } from "./dialect.ts";

export const ruby: Dialect = {
  endings: /\.(?:rb|rake|ru|gemspec)$/,
  constructors: words("initialize"),
  construction: "new-method",
  exports: /^(?!_)/,
  undeclared: "of-any-file",
  scopes: "function",
  hasSelfParameter: false,
  returnsLast: true,
  endsSilently: false,
  hasImplicitSelf: true,
  readsFieldsByCalls: true,
  readsMethodsAsFields: true,
  hasMethodsOutside: false,
  capitalsAreClasses: false,
  waiting: "none",
  hasEmitters: false,
  givesListToEach: false,
  keepsHandledErrors: true,
  raising: words("raise fail"),
  errorMaking: /(?:Error|Exception|Failure)$/,
  calls: {
    lookups: words("fetch dig find find_by detect first last pop shift match get delete key"),
    handOn: words(
      "to_s to_a to_h map select reject sort sort_by compact flatten uniq strip downcase upcase split join dup clone merge transform_keys symbolize_keys values keys each with_indifferent_access freeze then tap String Array Hash",
    ),
    parsing: words("parse load load_file safe_load"),
    bodies: words(""),
    outside: words("get_response read open execute query get post"),
    computing: words("to_i to_f Integer Float size length count"),
    each: words(
      "each map select reject each_with_index flat_map find detect sort_by group_by each_with_object inject sum any? all? collect",
    ),
    putting: words("store set put write"),
  },
  environment: /^ENV\[\s*["'](\w{1,100})["']\s*\]$|^ENV\.(?:fetch|dig|values_at)\(\s*["'](\w{1,100})["']/,
};
