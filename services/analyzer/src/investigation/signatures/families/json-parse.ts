import type { Signature } from "../../findings.ts";

const url = "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/JSON_bad_parse";

export const jsonParse: readonly Signature[] = [
  {
    id: "json.html",
    category: "upstream-bad-response",
    match: {
      type: ["SyntaxError", ""],
      message: /(?:Unexpected token '?<'?|"<(?:!DOCTYPE|html|!doctype|HTML)|<!doctype html)/,
    },
    meaning:
      "HTML was parsed as JSON: the answer is an error page of a server or proxy, not the body that was asked for.",
    seenIfTrue: "the answer's Content-Type is text/html, mostly with a status of 4xx or 5xx",
    seenIfFalse: "the answer's Content-Type is application/json",
    shortTerm:
      "Look at the status and the first bytes of the answer; the service that was asked, or a proxy before it, is failing.",
    longTerm: "Check status and Content-Type before parsing, and report the status and not the parser's complaint.",
    url,
  },
  {
    id: "json.unexpected-end",
    category: "parse-error",
    match: { type: ["SyntaxError", ""], message: /(?:Unexpected end of JSON input|Unterminated string in JSON)/ },
    meaning: "The text ends before the JSON does: it is empty or was cut.",
    seenIfTrue: "the text's length is 0, or less than its Content-Length",
    seenIfFalse: "the text is complete and has a mistake in the middle",
    shortTerm: "Look at the text: an empty body (204, an error) or a file that was being written.",
    longTerm: "Treat an empty body as a case of its own, and write files to a temporary name and rename them.",
    url,
  },
  {
    id: "json.undefined",
    category: "parse-error",
    match: { type: ["SyntaxError", ""], message: /"(?:undefined|\[object Object\])" is not valid JSON/ },
    meaning: "What was parsed is no text: `undefined`, or an object that is parsed already.",
    seenIfTrue: "the argument of JSON.parse is a missing value or an object",
    seenIfFalse: "the argument is a text",
    shortTerm: "Check the argument before parsing.",
    longTerm: "Parse in one place, at the edge, with a schema.",
    url,
  },
  {
    id: "json.syntax",
    category: "parse-error",
    match: {
      type: ["SyntaxError", ""],
      message:
        /(?:is not valid JSON|in JSON at position|Unexpected token .{1,12} in JSON|JSON\.parse: |Bad control character in string literal|Expected (?:property name|double-quoted property name|',' or))/,
    },
    meaning: "The text is no valid JSON: a trailing comma, a comment, a quote, or another format.",
    seenIfTrue: "a JSON checker refuses the same text at the same position",
    seenIfFalse: "the same text parses",
    shortTerm: "Correct the text at the position that the message names.",
    longTerm: "Check configuration and data files in CI, and say which file was read when parsing fails.",
    url,
  },
  {
    id: "json.circular",
    category: "type-mismatch",
    match: { type: ["TypeError", ""], message: /Converting circular structure to JSON/ },
    meaning: "An object that refers to itself was turned into JSON: a circular structure.",
    seenIfTrue: "the message names the properties that close the circle",
    seenIfFalse: "the value has no reference to itself",
    shortTerm: "Pass the fields that are needed, and not the whole object.",
    longTerm: "Give the logger serializers for requests, sockets and errors.",
    url: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Errors/Cyclic_object_value",
  },
];
