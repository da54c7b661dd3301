import ts from "typescript";
import { inlineCode } from "../../../../prose.ts";
import { findBinding } from "../bindings.ts";
import { calleeOf } from "../calls.ts";
import { plain } from "../expressions.ts";
import { lastName, type Program } from "../program.ts";
import type { Programs } from "../programs.ts";
import { textOf } from "../walk.ts";
import { callsNamed, type Find, type Rule } from "./rule.ts";

/** Names under which the headers of a request are kept as a plain object. */
const headersName = /^(?:headers|rawHeaders|reqHeaders|requestHeaders)$/;

/** A header that is looked up by a name with capitals: the runtime keeps them in lower case. */
export const headerCase: Rule = {
  name: "header-case",
  find: (program) =>
    (program.nodes.get(ts.SyntaxKind.ElementAccessExpression) ?? []).flatMap((node): Find[] => {
      if (!ts.isElementAccessExpression(node) || !headersName.test(lastName(node.expression) ?? "")) return [];
      const name = node.argumentExpression;
      if (!ts.isStringLiteralLike(name) || name.text === name.text.toLowerCase() || isWritten(node)) return [];
      return [
        {
          node,
          subject: name.text,
          says: `the header is looked up as ${inlineCode(name.text)}, and the headers of a request are kept in lower case: this is always undefined`,
          remedy: `Read it in lower case: ${inlineCode(name.text.toLowerCase())}.`,
        },
      ];
    }),
};

function isWritten(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

const obtaining = /token|session|credential|login|auth|issue|secret|ticket|grant/i;

/** `this.token ??= await login()`: what was obtained once is used for good, and such things expire. */
export const keptForever: Rule = {
  name: "kept-forever",
  find: (program) =>
    [...(program.nodes.get(ts.SyntaxKind.BinaryExpression) ?? [])].flatMap((node): Find[] => {
      if (!ts.isBinaryExpression(node)) return [];
      const { kind } = node.operatorToken;
      const isKept =
        kind === ts.SyntaxKind.QuestionQuestionEqualsToken ||
        kind === ts.SyntaxKind.BarBarEqualsToken ||
        (kind === ts.SyntaxKind.EqualsToken && isOnlyOnce(node));
      const { node: value } = plain(node.right);
      if (!isKept || !ts.isCallExpression(value) || !obtaining.test(textOf(node, 200))) return [];
      const name = textOf(node.left);
      return [
        {
          node,
          subject: name,
          says: `${inlineCode(name)} is obtained once and kept for as long as the process lives: nobody asks whether it has expired`,
          remedy: `Keep ${inlineCode(name)} together with the time at which it expires, obtain it anew before that, and once more when it is refused.`,
        },
      ];
    }),
};

/** `if (!this.token) this.token = …`, and no time is compared. */
function isOnlyOnce(node: ts.BinaryExpression): boolean {
  for (let at: ts.Node = node; at.parent !== undefined && !ts.isFunctionLike(at); at = at.parent) {
    const { parent } = at;
    if (!ts.isIfStatement(parent) || at === parent.expression) continue;
    return textOf(parent.expression, 200).replace(/\s/g, "") === `!${textOf(node.left, 200)}`;
  }
  return false;
}

const verifying = /verif|sign(?!al|in|up)|hmac|digest|mac$/i;

/** A signature that is checked over what was parsed and written out again: the bytes are not those that were signed. */
export const signedAnew: Rule = {
  name: "signed-anew",
  find: (program, programs) =>
    callsNamed(program, "stringify").flatMap((call): Find[] => {
      const value = call.arguments?.[0];
      if (!value || !ts.isCallExpression(call.parent) || !isVerifying(programs, program, call.parent)) return [];
      if (!isReceived(program, value)) return [];
      return [
        {
          node: call,
          subject: textOf(call),
          says: `the signature is computed over ${inlineCode(textOf(call))}, which is not the body as it was received: the raw bytes differ in spaces, order or numbers`,
          remedy: "Keep the raw body of the request, and verify the signature over its bytes before it is parsed.",
        },
      ];
    }),
};

/** By its name, or by the module of what is called, which computes a signature. */
function isVerifying(programs: Programs, program: Program, call: ts.CallExpression): boolean {
  if (verifying.test(callChain(call))) return true;
  const computed = calleeOf(programs, program, call)?.program.calls;
  return ["createHmac", "createVerify", "timingSafeEqual"].some((name) => computed?.has(name));
}

/** `createHmac(…).update` of `createHmac("sha256", key).update(text)`. */
function callChain({ expression }: ts.CallExpression): string {
  return textOf(expression, 200).replace(/\(.*?\)/g, "");
}

/** Whether a value was handed in or parsed, and not put together here. */
function isReceived(program: Program, value: ts.Expression): boolean {
  const { node } = plain(value);
  if (ts.isPropertyAccessExpression(node)) return /^(?:body|payload|data)$/.test(node.name.text);
  const binding = ts.isIdentifier(node) ? findBinding(program, node.text, node) : null;
  if (binding?.kind === "parameter") return true;
  return binding?.kind === "variable" && binding.value !== null && ts.isCallExpression(plain(binding.value).node);
}

/** Bytes from outside that are taken for UTF-8. */
export const assumedCharset: Rule = {
  name: "assumed-charset",
  find: (program) =>
    callsNamed(program, "readFile", "readFileSync", "createReadStream").flatMap((call): Find[] =>
      call.arguments?.some((one) => /^["'`]utf-?8["'`]$/i.test(textOf(one))) !== true
        ? []
        : [
            {
              node: call,
              subject: "utf8",
              says: "the bytes are decoded as UTF-8 whatever encoding they were written in: what is not valid UTF-8 becomes the replacement character",
              remedy:
                "Decode them in the encoding in which they were written (`new TextDecoder(name, { fatal: true })` refuses others).",
            },
          ],
    ),
};

/** Text that is read in a character set of single bytes. */
export const foreignCharset: Rule = {
  name: "foreign-charset",
  find: (program) =>
    callsNamed(program, "readFile", "readFileSync", "createReadStream", "toString", "TextDecoder").flatMap(
      (call): Find[] => {
        const charset = call.arguments?.map((one) => charsetOf(one)).find((one) => one !== null);
        if (!charset) return [];
        return [
          {
            node: call,
            subject: charset,
            says: `the text is decoded as ${inlineCode(charset)}, a character set of single bytes: what was written as UTF-8 comes out as other characters, and the reverse`,
            remedy: "Decode it in the encoding in which it was written.",
          },
        ];
      },
    ),
};

function charsetOf(argument: ts.Expression): string | null {
  const text = ts.isStringLiteralLike(argument)
    ? argument.text
    : ts.isObjectLiteralExpression(argument)
      ? (/\bencoding:\s*["'`]([\w-]{1,20})/.exec(textOf(argument, 200))?.[1] ?? "")
      : "";
  return /^(?:latin-?1|binary|ascii|iso-8859-\d+|windows-125\d|us-ascii|utf-?16le|ucs-?2)$/i.test(text) ? text : null;
}
