import type { Signature } from "../../findings.ts";

export const nullValues: readonly Signature[] = [
  {
    id: "type.nullish-read",
    category: "null-dereference",
    match: {
      message: [
        "Cannot read properties of {value} (reading '{property}')",
        "Cannot read property '{property}' of {value}",
        "Cannot read private member {property} from an object",
        "{value} is not an object (evaluating '{property}')",
        'can\'t access property "{property}", {value} is',
        "Cannot read properties of {value}",
      ],
    },
    meaning: "The property `{property}` was read of {value}: an object was expected and nothing was there.",
    seenIfTrue: "the value is {value} at that line for the failing input only",
    seenIfFalse: "the value is an object at that line, and the property itself is missing",
    shortTerm: "Handle the missing value where it is made, or check it before `{property}` is read.",
    longTerm:
      "Check data where it enters with a schema, and turn on `strictNullChecks` so that the compiler sees that it may be missing.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/Unexpected_type",
  },
  {
    id: "type.nullish-write",
    category: "null-dereference",
    match: {
      message: [
        "Cannot set properties of {value} (setting '{property}')",
        "Cannot set property '{property}' of {value}",
      ],
    },
    meaning: "The property `{property}` of {value} was used: an object was expected and nothing was there.",
    seenIfTrue: "the object is {value} at that line: never made, or made later than it is used",
    seenIfFalse: "the object exists at that line",
    shortTerm: "Make the object before its properties are set.",
    longTerm: "Build objects in one expression, and turn on `strictNullChecks`.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/Unexpected_type",
  },
  {
    id: "type.nullish-destructure",
    category: "null-dereference",
    match: {
      message: [
        "Cannot destructure property '{property}' of '{value}' as it is",
        "Cannot destructure property `{property}` of '{value}' as it is",
        "Cannot destructure '{value}' as it is",
      ],
    },
    meaning: "`{value}` was taken apart and is missing.",
    seenIfTrue: "the value is undefined or null for the failing input only, or the caller passes no argument",
    seenIfFalse: "the value is an object",
    shortTerm: "Give the parameter a default (`= {}`), or handle the missing value where it is made.",
    longTerm: "Check data where it enters with a schema, and turn on `strictNullChecks`.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/Unexpected_type",
  },
  {
    id: "type.nullish-to-object",
    category: "null-dereference",
    match: { message: ["Cannot convert undefined or null to object"] },
    meaning: "A function that takes an object (Object.keys, Object.entries, …) was given null or undefined.",
    seenIfTrue: "the argument is missing for the failing input only",
    seenIfFalse: "the argument is an object",
    shortTerm: "Check the argument before the call (`value ?? {}` where nothing is allowed).",
    longTerm: "Check data where it enters with a schema, and let its type say that it may be null.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Object/keys",
  },
  {
    id: "type.nullish-iteration",
    category: "null-dereference",
    match: {
      message: [
        "{value} is not iterable (cannot read property Symbol(Symbol.iterator))",
        "undefined is not iterable",
        "null is not iterable",
        "Spread syntax requires ...iterable[Symbol.iterator] to be a function",
      ],
    },
    meaning: "Something missing was iterated over or spread: nothing was there where a list was expected.",
    seenIfTrue: "the value is undefined or null for the failing input only",
    seenIfFalse: "the value is a list",
    shortTerm: "Handle the missing list where it is made (`?? []` where nothing is allowed).",
    longTerm: "Check the shape of answers where they enter, and turn on `strictNullChecks`.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/is_not_iterable",
  },
  {
    id: "type.in-operator",
    category: "null-dereference",
    match: { message: ["Cannot use 'in' operator to search for '{property}' in {value}"] },
    meaning: "`{property}` was looked for in {value}, which is no object.",
    seenIfTrue: "the value is missing or a text at that line, often a body that was not parsed",
    seenIfFalse: "the value is an object",
    shortTerm: "Check that the value is an object before `in`.",
    longTerm: "Parse bodies and answers in one place with a schema.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/in_operator_no_object",
  },
];
