const consideredUnits = 2_000;

/**
 * Patterns of what varies between two occurrences of one message, with their placeholders. Each pattern runs in linear
 * time: repetitions are bounded, or match in one way only. Larger patterns come before the parts they contain.
 */
const linked: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'`<>()]{1,500}/gi, "<url>"],
  [/[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi, "<email>"],
];
const varying: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<time>"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, "<address>"],
  [/(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w{1,16})?(?![\w:])/gi, "<address>"],
  [/\b(?:localhost|(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}):\d{1,5}\b/gi, "<address>"],
  [/\b0x[0-9a-f]{1,64}\b/gi, "<hex>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,128}\b/gi, "<hex>"],
  [/(?<![\w$])(?:[a-z]{1,12}[_-])?(?=[A-Za-z]*\d)(?=\w*[A-Z])[A-Za-z0-9]{12,128}(?![\w$])/g, "<id>"],
  [/(?<![\w/\\])(?:[A-Za-z]:)?(?:[\\/][\w.@+-]{1,100}){2,30}/g, "<path>"],
  [/[-+]?\d[\d.,'’\u00a0\u202f]*(?:e[+-]?\d{1,3})?/gi, "<n>"],
];

/** Units, so that a quantity is the same in whatever unit it was printed. */
const unit =
  /<n> ?(?:ns|µs|us|ms|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|days?|b|bytes|[kmgt]i?b|%|€|\$|£)(?![\w])/gi;

/** Quoted text in the quotation marks of several languages. An apostrophe within a word opens no quote. */
const quoted =
  /(?<![A-Za-z])'([^'\n]{0,400})'(?![A-Za-z])|"([^"\n]{0,400})"|`([^`\n]{0,400})`|«([^»\n]{0,400})»|„([^“”\n]{0,400})[“”]|“([^”\n]{0,400})”|‘([^’\n]{0,400})’/g;
/** Input that a parser quotes, whatever it looks like. */
const parsed: readonly (readonly [RegExp, string])[] = [
  [/\b(unexpected (?:token|character|non-whitespace character)) [^\s,]{1,60}/gi, "$1 <text>"],
  [/(?:\.{3})?"[^"\n]{0,400}"(?:\.{3})? is not valid JSON/g, "<text> is not valid JSON"],
];
const assigned = /\b([A-Za-z_][\w.-]{0,40})=(?!<)([^\s,;&)\]}"'`]{1,200})/g;

/**
 * Returns text with everything that varies between two occurrences replaced: ids, numbers, times, addresses, paths, and
 * quoted text. Quoted names from the code (a column, a property, an error code) stay, since they distinguish failures.
 */
export function messageTemplate(text: string): string {
  let result = text.slice(0, consideredUnits);
  for (const [pattern, placeholder] of parsed) result = result.replace(pattern, placeholder);
  result = result.replace(quoted, keepNames);
  for (const [pattern, placeholder] of linked) result = result.replace(pattern, placeholder);
  result = result.replace(assigned, keepCodes);
  for (const [pattern, placeholder] of varying) result = result.replace(pattern, placeholder);
  return result
    .replace(unit, "<n>")
    .replace(/<n>(?:\s?<n>)+/g, "<n>")
    .replace(/\s+/g, " ")
    .trim();
}

/** A name from the code, such as `user_id`, `orders.total`, `readFile`, `ECONNREFUSED`; not a person's name. */
const codeName = /^(?:[a-z]+(?:[_.$-][a-z]+)+|[A-Za-z_$]*[a-z][A-Z][A-Za-z_$.]*|[A-Z]+(?:_[A-Z]+)*[A-Z])$/;
const plainWord = /^[a-z]{2,}$/;
const nameLengthMax = 60;
const nounsAround =
  "relation|table|column|field|property|properties|key|attribute|module|package|function|method|class|type|index|constraint|parameter|argument|variable|option|database|schema|role|header|command|operator|reading|setting|identifier|object|extension|topic|queue|collection|bucket|exchange|enum|alias|selector|element|node|import|export|directive|plugin|service";
const nounBefore = new RegExp(`\\b(?:${nounsAround})s?[ :=(]{0,3}$`, "i");
const nounAfter = new RegExp(`^ ?(?:${nounsAround})s?\\b`, "i");
const contextUnits = 40;

function keepNames(whole: string, ...rest: readonly unknown[]): string {
  const text = String(rest.at(-1));
  const offset = Number(rest.at(-2));
  const inner = whole.slice(1, -1);
  if (inner.length > nameLengthMax) return "<text>";
  const isName =
    codeName.test(inner) ||
    (plainWord.test(inner) &&
      (nounBefore.test(text.slice(Math.max(0, offset - contextUnits), offset)) ||
        nounAfter.test(text.slice(offset + whole.length, offset + whole.length + contextUnits))));
  return isName ? `'${inner}'` : "<text>";
}

function keepCodes(_whole: string, name: string, value: string): string {
  return codeName.test(value) && value === value.toUpperCase() ? `${name}=${value}` : `${name}=<value>`;
}
