import ts from "typescript";
import { inlineCode } from "../../../../prose.ts";
import { findBinding, receiverOf } from "../bindings.ts";
import { isLiteral, plain } from "../expressions.ts";
import { functionAround, nameOf } from "../functions.ts";
import { lastName, nodesIn, type Program } from "../program.ts";
import { textOf, within } from "../walk.ts";
import { callsNamed, type Find, type Rule } from "./rule.ts";

const secondsPerUnit = new Set(["60", "3600", "86400", "24"]);
const millisecondFactors = /\b(?:1000|1e3|1_000|60_000|60000|3600000|3_600_000|86400000|86_400_000)\b/;

function each(program: Program, kinds: readonly ts.SyntaxKind[], look: (node: ts.Node) => void): void {
  for (const kind of kinds) for (const node of program.nodes.get(kind) ?? []) look(node);
}

/** A time in milliseconds to which seconds are added, or a name in seconds handed on as a time-out. */
export const mixedUnits: Rule = {
  name: "mixed-units",
  find: (program) => {
    const finds: Find[] = [];
    each(program, [ts.SyntaxKind.BinaryExpression, ts.SyntaxKind.PropertyAssignment], (node) => {
      if (ts.isBinaryExpression(node) && isSum(node) && isClock(node.left) && isSeconds(node.right)) {
        finds.push(unitsOf(node, textOf(node.right)));
      }
      const isGiven =
        ts.isPropertyAssignment(node) &&
        /^(?:\w*timeout|\w*delay|ttl|\w*(?:timeout|delay|interval|wait)_?ms|ms)$/i.test(node.name.getText());
      if (isGiven && isInSeconds(program, node)) finds.push(unitsOf(node.initializer, textOf(node.initializer)));
    });
    return finds;
  },
};

function unitsOf(node: ts.Node, value: string): Find {
  return {
    node,
    subject: value,
    says: `${inlineCode(value)} is in seconds and is used as milliseconds: the time is a thousand times too short`,
    remedy: `Multiply ${inlineCode(value)} by 1000, and name the unit in the variable.`,
  };
}

function isSum({ operatorToken }: ts.BinaryExpression): boolean {
  return operatorToken.kind === ts.SyntaxKind.PlusToken || operatorToken.kind === ts.SyntaxKind.MinusToken;
}

/** `Date.now()`, `date.getTime()`, `performance.now()`. */
function isClock(node: ts.Expression): boolean {
  const { node: value } = plain(node);
  return ts.isCallExpression(value) && /^(?:now|getTime|valueOf)$/.test(lastName(value.expression) ?? "");
}

/** A product with 60, 3600 or 86400, and nowhere a 1000; or a name that says seconds. */
function isSeconds(node: ts.Expression): boolean {
  const text = textOf(node, 200);
  if (millisecondFactors.test(text)) return false;
  const numbers = text.match(/\b\d+\b/g) ?? [];
  return (
    numbers.some((number) => secondsPerUnit.has(number)) || /(?:seconds|secs|_s|expires_?in|max_?age)\b/i.test(text)
  );
}

/** `timeout: Number(raw.timeoutSeconds)`, or a comment right above that says seconds. */
function isInSeconds({ tree }: Program, node: ts.PropertyAssignment): boolean {
  const text = textOf(node.initializer, 200);
  if (millisecondFactors.test(text) || /ms\b|milli/i.test(text)) return false;
  const comment = tree.text.slice(node.pos, node.getStart(tree));
  return /(?:seconds|secs)\b/i.test(text) || (/\bseconds?\b/i.test(comment) && !/milli/i.test(comment));
}

/** A check for the type of a number that NaN passes too. */
export const nanPasses: Rule = {
  name: "nan-passes",
  find: (program) =>
    program.functions.flatMap((owner): Find[] => {
      const tests = nodesIn(program, owner, ts.isTypeOfExpression).filter(
        ({ parent }) => ts.isBinaryExpression(parent) && /["']number["']/.test(textOf(parent)),
      );
      return tests.flatMap((test): Find[] => {
        const name = textOf(test.expression);
        const made = ts.isIdentifier(test.expression) ? findBinding(program, name, test) : null;
        const isConverted =
          made?.kind === "variable" &&
          made.value !== null &&
          /^(?:Number|parseInt|parseFloat|\+)/.test(textOf(made.value));
        if (!isConverted || /isNaN|isFinite|isInteger|isSafeInteger/.test(owner.body.getText())) return [];
        return [
          {
            node: test.parent,
            subject: name,
            says: `${inlineCode(name)} comes out of a conversion, and the check only asks for its type: NaN is a number too and passes the validation`,
            remedy: `Check ${inlineCode(name)} with \`Number.isInteger\` or \`Number.isFinite\`, and for its range.`,
          },
        ];
      });
    }),
};

/** A user name or password that is put into a URL as it is. */
export const unencodedPart: Rule = {
  name: "unencoded-part",
  find: (program) => {
    const finds: Find[] = [];
    each(program, [ts.SyntaxKind.TemplateExpression], (node) => {
      if (!ts.isTemplateExpression(node)) return;
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      const isUrl = /:\/\/$/.test(parts[0] ?? "") || parts.some((part) => part.includes("://"));
      const credential = node.templateSpans.find(
        ({ expression, literal }, index) =>
          literal.text.startsWith("@") && (parts[index] ?? "") === ":" && !/encode/i.test(textOf(expression)),
      );
      if (!isUrl || !credential) return;
      const name = textOf(credential.expression);
      finds.push({
        node,
        subject: name,
        says: `${inlineCode(name)} is put into the URL as it is: a special character in it (such as % or @) is decoded or cut, and another value arrives`,
        remedy: `Encode it: \`encodeURIComponent(${name})\`.`,
      });
    });
    return finds;
  },
};

/** The text of a secret file with the line break at its end. */
export const untrimmedSecret: Rule = {
  name: "untrimmed-secret",
  find: (program) =>
    callsNamed(program, "readFileSync", "readFile").flatMap((call): Find[] => {
      const context = `${textOf(call, 300)} ${nameOfAround(call)} ${declaredAs(call)}`;
      const isText = /utf-?8|ascii|toString/i.test(textOf(call, 300)) || (call.arguments?.length ?? 0) > 1;
      const isSecret =
        /key|secret|token|password|credential|pepper|salt/i.test(context) &&
        !/\.pem|\.crt|cert|ca\b|json/i.test(textOf(call, 300));
      if (!isText || !isSecret || isTrimmed(call)) return [];
      return [
        {
          node: call,
          subject: textOf(call),
          says: `the secret is read from a file as it is: the line break (newline) at the end of the file becomes part of the key`,
          remedy: "Trim what was read: `.trim()`.",
        },
      ];
    }),
};

function nameOfAround(node: ts.Node): string {
  const owner = functionAround(node);
  return owner ? (nameOf(owner) ?? "") : "";
}

function declaredAs({ parent }: ts.Node): string {
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : "";
}

function isTrimmed(node: ts.Node): boolean {
  for (let at = node; !ts.isStatement(at) && at.parent !== undefined; at = at.parent) {
    if (/\.(?:trim|trimEnd|replace)\(/.test(at.getText())) return true;
  }
  return false;
}

/** A setting of the environment taken for a truth value: every text is true, "false" and "0" as well. */
export const textAsFlag: Rule = {
  name: "text-as-flag",
  find: (program) => {
    const finds: Find[] = [];
    const add = (node: ts.Node, name: string): void => {
      finds.push({
        node,
        subject: name,
        says: `${inlineCode(name)} is text from the environment and is taken for true or false: every text is truthy, the string "false" as well`,
        remedy: `Compare the text: \`${name} === "true"\`.`,
      });
    };
    for (const call of program.calls.get("Boolean") ?? []) {
      const [value] = call.arguments ?? [];
      if (value && isEnvironment(value)) add(call, textOf(value));
    }
    each(program, [ts.SyntaxKind.PrefixUnaryExpression], (node) => {
      if (!ts.isPrefixUnaryExpression(node) || node.operator !== ts.SyntaxKind.ExclamationToken) return;
      const inner = plain(node.operand).node;
      if (ts.isPrefixUnaryExpression(inner) && isEnvironment(inner.operand)) add(node, textOf(inner.operand));
    });
    return finds;
  },
};

function isEnvironment(node: ts.Expression): boolean {
  return /^(?:process\.)?env\.\w+$/.test(textOf(node)) || /^[\w.]*env\.[A-Z][A-Z0-9_]+$/.test(textOf(node));
}

/** Pieces of a stream put together as text: a character that is split between two pieces is lost. */
export const textOfChunks: Rule = {
  name: "text-of-chunks",
  find: (program) =>
    callsNamed(program, "on", "addListener").flatMap((call): Find[] => {
      const [event, handler] = call.arguments ?? [];
      if (!event || !ts.isStringLiteralLike(event) || event.text !== "data" || !handler || !ts.isFunctionLike(handler))
        return [];
      const chunk = handler.parameters[0]?.name.getText();
      const body = "body" in handler ? handler.body : undefined;
      if (chunk === undefined || !body || (program.calls.get("setEncoding") ?? []).length > 0) return [];
      const joins = within(body, ts.isBinaryExpression).find(
        ({ operatorToken, right }) =>
          operatorToken.kind === ts.SyntaxKind.PlusEqualsToken && textOf(right).startsWith(chunk),
      );
      if (!joins || /decoder|write\(/i.test(textOf(joins.right))) return [];
      return [
        {
          node: joins,
          subject: chunk,
          says: `each chunk of bytes is made a string by itself: a character of several bytes (UTF-8) that is cut between two chunks is damaged`,
          remedy: "Collect the chunks and decode them together (`Buffer.concat`), or call `setEncoding` on the stream.",
        },
      ];
    }),
};

/** A file mode that leaves out what the owner needs to write. */
export const narrowMode: Rule = {
  name: "narrow-mode",
  find: (program) => {
    const finds: Find[] = [];
    each(program, [ts.SyntaxKind.NumericLiteral], (node) => {
      if (!ts.isNumericLiteral(node)) return;
      const written = node.getText();
      if (!/^0o?[0-7]{3,4}$/i.test(written) || (Number.parseInt(written.replace(/^0o?/i, ""), 8) & 0o200) !== 0) return;
      if (/^0o?7777?$/.test(written) || !isMode(node)) return;
      finds.push({
        node,
        subject: written,
        says: `the mode ${inlineCode(written)} has no write permission for the owner: nothing can be created or written there afterwards`,
        remedy: `Add the owner's write bit to ${inlineCode(written)}.`,
      });
    });
    return finds;
  },
};

function isMode({ parent }: ts.Node): boolean {
  if (ts.isPropertyAssignment(parent)) return /mode|perm|umask/i.test(parent.name.getText());
  if (ts.isVariableDeclaration(parent)) return /mode|perm|umask/i.test(parent.name.getText());
  return ts.isCallExpression(parent) && /chmod|mkdir|open|writeFile/i.test(lastName(parent.expression) ?? "");
}

/** A path that depends on the folder in which the process happens to be started. */
export const relativePath: Rule = {
  name: "relative-path",
  find: (program) => {
    const finds: Find[] = [];
    const paths = [
      "join",
      "resolve",
      "readFileSync",
      "readFile",
      "createReadStream",
      "readdirSync",
      "existsSync",
      "open",
      "openSync",
    ];
    for (const call of callsNamed(program, ...paths)) {
      const [first] = call.arguments ?? [];
      if (
        !first ||
        !ts.isStringLiteralLike(first) ||
        !/^(?:\.{0,2}\/)?[\w-]+/.test(first.text) ||
        first.text.startsWith("/")
      )
        continue;
      const on = receiverOf(plain(call.expression).node);
      if (lastName(call.expression) === "join" && on && !/path/i.test(textOf(on))) continue;
      finds.push({
        node: call,
        subject: first.text,
        says: `the path ${inlineCode(first.text)} is relative to the working directory (cwd), not to this file: it is only found when the process is started in one folder`,
        remedy: "Make it absolute: `path.join(__dirname, …)`, or `new URL(…, import.meta.url)`.",
      });
    }
    return finds;
  },
};

/** An answer is read without a look at its status. */
export const uncheckedStatus: Rule = {
  name: "unchecked-status",
  find: (program) =>
    program.functions.flatMap((owner): Find[] => {
      const calls = nodesIn(program, owner, ts.isCallExpression);
      const ask = calls.find(
        ({ expression }) =>
          /^(?:fetch|got|axios|request)$/.test(lastName(expression) ?? "") && ts.isIdentifier(expression),
      );
      const read =
        ask && calls.find((call) => call.pos >= ask.pos && /^(?:json|text)$/.test(lastName(call.expression) ?? ""));
      if (!ask || !read || /\.(?:ok|status|statusCode)\b/.test(owner.body.getText())) return [];
      const on = receiverOf(read.expression);
      return [
        {
          node: read,
          subject: on ? textOf(on) : "the answer",
          says: `the body of the response is read without checking its status (\`ok\`): an error answer of the upstream, an empty one or an HTML page is taken for the expected JSON`,
          remedy: "Check `response.ok` (and the Content-Type) before the body is read, and fail with the status.",
        },
      ];
    }),
};

/** A failure is caught, nothing is returned and nothing thrown: the caller goes on with nothing. */
export const swallowedFailure: Rule = {
  name: "swallowed-failure",
  find: (program) =>
    program.functions.flatMap((owner): Find[] => {
      const clauses = nodesIn(program, owner, ts.isCatchClause);
      const returns = nodesIn(program, owner, ts.isReturnStatement).filter(
        ({ expression }) => expression !== undefined,
      );
      const swallowing = clauses.find(({ block }) => !leaves(block) && returns.some((one) => one.pos < block.pos));
      if (!swallowing) return [];
      const name = nameOf(owner) ?? "the function";
      return [
        {
          node: swallowing,
          subject: name,
          says: `the \`catch\` swallows the failure: ${inlineCode(name)} then returns nothing (undefined), and its caller cannot tell`,
          remedy: "Let the failure through, or return a value that the caller can use.",
        },
      ];
    }),
};

function leaves(block: ts.Block): boolean {
  return (
    within(
      block,
      (node): node is ts.Statement =>
        ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node),
    ).length > 0 || /\b(?:reject|next|exit|abort|done|callback|cb)\(/.test(block.getText())
  );
}

/** A name that is looked up on a plain object with a key from outside: what every object inherits is found too. */
export const inheritedKey: Rule = {
  name: "inherited-key",
  find: (program) => {
    const finds: Find[] = [];
    each(program, [ts.SyntaxKind.BinaryExpression], (node) => {
      if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.InKeyword) return;
      if (isLiteral(plain(node.left).node) || ts.isForInStatement(node.parent) || ts.isPrivateIdentifier(node.left))
        return;
      const [key, object] = [textOf(node.left), textOf(node.right)];
      finds.push({
        node,
        subject: key,
        says: `${inlineCode(`${key} in ${object}`)} is true for names that every object inherits from its prototype ("constructor", "toString") as well`,
        remedy: `Use a Map, \`Object.create(null)\`, or \`Object.hasOwn(${object}, ${key})\`.`,
      });
    });
    return finds;
  },
};
