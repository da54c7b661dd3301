import ts from "typescript";
import { inlineCode } from "../../../../prose.ts";
import { type Binding, findBinding, receiverOf } from "../bindings.ts";
import { plain } from "../expressions.ts";
import { functionAround } from "../functions.ts";
import { type CallNode, lastName, type Program } from "../program.ts";
import { callsNamed, type Find, type Rule } from "./rule.ts";

/** What is called on streams and sockets, and on little else. */
const streamCalls = [
  "end",
  "resume",
  "pipe",
  "destroy",
  "setTimeout",
  "write",
  "pause",
  "on",
  "once",
  "setEncoding",
  "setKeepAlive",
];
/** What makes a stream or a socket. */
const makers: ReadonlySet<string> = new Set(
  "connect createConnection createReadStream createWriteStream request get spawn createServer createGzip createGunzip createInflate createDeflate createClient".split(
    " ",
  ),
);
const names = /(?:stream|socket|sock|conn|connection|client|req|request|res|upstream|pipe|file)$/i;

/** A stream or socket that gets no `error` listener, or gets it only after a way out. */
export const unheardErrors: Rule = {
  name: "unheard-errors",
  find: (program) => {
    const seen = new Set<Binding>();
    return callsNamed(program, ...streamCalls)
      .toSorted((left, right) => left.pos - right.pos)
      .flatMap((call): Find[] => {
        const on = receiverOf(plain(call.expression).node);
        if (!on || !ts.isIdentifier(on)) return [];
        const binding = findBinding(program, on.text, on);
        if (!binding || seen.has(binding) || !isStream(program, binding, on.text)) return [];
        seen.add(binding);
        const heard = listenerOf(program, binding, on.text);
        const exit = heard ? exitBefore(program, binding, on.text, heard) : null;
        if (heard && !exit) return [];
        const name = inlineCode(on.text);
        return [
          {
            node: exit ?? (binding.kind === "variable" && binding.value ? binding.value : call),
            subject: on.text,
            says: heard
              ? `${name} is left here before anybody listens for its errors: an \`error\` event that nobody handles ends the process`
              : `nobody listens for errors of ${name}: an \`error\` event without a handler is unhandled and ends the process`,
            remedy: `Add an \`error\` listener to ${name} as soon as it is there (\`${on.text}.on("error", …)\`).`,
          },
        ];
      });
  },
};

/** Made by what makes streams, or called as one. */
function isStream(program: Program, binding: Binding, name: string): boolean {
  if (binding.kind === "variable" && binding.value && binding.path.length === 0) {
    const made = plain(binding.value).node;
    const maker = ts.isCallExpression(made) || ts.isNewExpression(made) ? lastName(made.expression) : null;
    return maker !== null && (makers.has(maker) || names.test(maker) || names.test(name));
  }
  if (binding.kind !== "parameter" || !names.test(name)) return false;
  const used = streamCalls.filter(
    (method) => method !== "on" && method !== "write" && callsOn(program, binding, name, method).length > 0,
  );
  return used.length > 0 && !/^(?:req|res|request|client)$/i.test(name);
}

function callsOn(program: Program, binding: Binding, name: string, method: string): CallNode[] {
  return callsNamed(program, method).filter((call) => {
    const on = receiverOf(plain(call.expression).node);
    return on && ts.isIdentifier(on) && on.text === name && findBinding(program, name, on) === binding;
  });
}

/** `name.on("error", …)`, or handing it to what cares for its errors. */
function listenerOf(program: Program, binding: Binding, name: string): ts.Node | null {
  const added = ["on", "once", "addListener"].flatMap((method) => callsOn(program, binding, name, method));
  const heard = added.find(
    ({ arguments: given }) => given?.[0] && ts.isStringLiteralLike(given[0]) && given[0].text === "error",
  );
  if (heard) return heard;
  const caring = callsNamed(program, "pipeline", "finished", "onFinished", "eos", "once");
  return caring.find((call) => call.arguments?.some((one) => ts.isIdentifier(one) && one.text === name)) ?? null;
}

/** `return stream.resume()`, in the function that is given the stream, before the listener is added. */
function exitBefore(program: Program, binding: Binding, name: string, heard: ts.Node): ts.Node | null {
  const owner = binding.kind === "parameter" ? binding.owner : functionAround(binding.node);
  if (!owner) return null;
  const leaving = ["resume", "end", "destroy", "pipe"].flatMap((method) => callsOn(program, binding, name, method));
  return (
    leaving.find(
      (call) => call.end < heard.pos && ts.isReturnStatement(call.parent) && functionAround(call) === owner,
    ) ?? null
  );
}

/** What handles a rejection can throw itself, and nobody handles that. */
export const handlerMayThrow: Rule = {
  name: "handler-may-throw",
  find: (program) =>
    callsNamed(program, "then", "catch").flatMap((call): Find[] => {
      if (!ts.isCallExpression(call) || isFollowed(call)) return [];
      const handler = lastName(call.expression) === "then" ? call.arguments[1] : call.arguments[0];
      if (!handler || !ts.isFunctionLike(handler) || !("body" in handler) || !handler.body || !ts.isBlock(handler.body))
        return [];
      const error = handler.parameters[0]?.name.getText();
      const risky = handler.body.statements.find(
        (one) =>
          ts.isExpressionStatement(one) &&
          ts.isCallExpression(one.expression) &&
          isGiven(one.expression, error) &&
          !isLog(one.expression),
      );
      if (!risky) return [];
      return [
        {
          node: risky,
          subject: "the rejection handler",
          says: `the rejection handler calls code that can throw, and there is no try/catch around it: what is thrown here is an unhandled rejection`,
          remedy: "Put the call in a try/catch, or add a last `catch` to the chain.",
        },
      ];
    }),
};

function isFollowed({ parent }: ts.CallExpression): boolean {
  if (ts.isPropertyAccessExpression(parent)) return true;
  return !ts.isExpressionStatement(parent);
}

function isGiven(call: ts.CallExpression, error: string | undefined): boolean {
  return error !== undefined && call.arguments.some((one) => one.getText() === error);
}

function isLog({ expression }: ts.CallExpression): boolean {
  return /^(?:console|log|logger|.*\.log)\b|\.(?:error|warn|info|debug|reject)$|^(?:reject|done|cb|callback|next|resolve)$/.test(
    expression.getText(),
  );
}
