const nothingWasRead =
  /Cannot (read|set) propert|is not iterable|Cannot convert undefined or null|Cannot destructure|'NoneType' object|of (undefined|null)\b/;
const wrongType =
  /is not a function|is not a constructor|TypeError|unsupported operand|has no attribute|must be (a|an|of type)/;

/** Returns the category of a failure where the mistake and the error leave no doubt. */
export function categoryOf(operator: string, error: string): string | undefined {
  switch (operator) {
    case "answer-field":
      return "schema-drift";
    case "missing-setting":
    case "wrong-setting":
      return "bad-config";
    case "missing-release":
      return /timed? ?out|exhausted|too many|limit|in use|closed|locked|busy/i.test(error)
        ? "resource-exhaustion"
        : undefined;
    case "drop-await":
      return "missing-await/unhandled-rejection";
    case "off-by-one":
      return /RangeError|IndexError|out of range|undefined/.test(error) ? "off-by-one/boundary" : undefined;
    case "missing-export":
    case "wrong-import":
      return "missing-dependency/module-resolution";
    case "wrong-encoding":
      return /decode|encod|codec|malformed|utf|base64|hex/i.test(error) ? "encoding" : undefined;
    case "wrong-type":
    case "similar-method":
      return wrongType.test(error) && !nothingWasRead.test(error) ? "type-mismatch" : undefined;
    default:
      if (/Maximum call stack|RecursionError/.test(error)) return "recursion/infinite-loop";
      return nothingWasRead.test(error) ? "null-dereference" : undefined;
  }
}
