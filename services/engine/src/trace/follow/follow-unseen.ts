import type { ValueSource } from "../../signals/code/value-sources.ts";
import { argumentsOf, isAwaited, isLiteral, lastName, plain, receiverOf, rootOf } from "../code/expressions.ts";
import { type CodeNode, functionNodesMax, is, isWithin, part, partsOf, walk } from "../code/ir.ts";
import { exportSite, filesOf, importedBy } from "../code/modules.ts";
import { anyKey, type Program } from "../code/program.ts";
import { isNameOfField } from "../code/record-fields.ts";
import { resolve } from "../code/scopes.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { followParsed } from "./follow-data.ts";
import type { FollowedValue, Following } from "./following.ts";
import { isModule } from "./throw-site.ts";
import { anything, argumentOf, isMissing } from "./wanted.ts";

/** Names of the request object in servers. */
const asked = /^(?:req|request|incoming(?:Message)?)$/;
/** Properties of an HTTP response besides its body; they depend on the request. */
const envelope: ReadonlySet<string> = new Set(["ok", "status", "statusCode", "statusText"]);
const collections: ReadonlySet<string> = new Set([
  "Map",
  "Set",
  "WeakMap",
  "WeakSet",
  "Array",
  "dict",
  "list",
  "HashMap",
  "ArrayList",
]);

/** Follows a call whose code wasn't given, by what it is known to do and by its arguments. */
export function followUnseen(tracer: Following, followed: FollowedValue, call: CodeNode): void {
  const { program, path, wanted } = followed;
  const { calls } = program.dialect;
  const name = call.name ?? "";
  const known = kindOf(program, call);
  // `slice` of a list passes on its elements; `slice` of a text makes a new one.
  const how = known === "computed" && path.length > 0 && calls.handOn.has(name) ? "call" : known;
  // A conversion either returns a value, which may be zero or empty, or raises.
  if (how === "computed" && wanted.was === "nothing") return;
  const isEmptied = is(call, "new") && argumentsOf(call).length === 0 && collections.has(name);
  const inner = isEmptied ? followed : tracer.step(followed, call, how, name);
  if (how === "parsed-text") followParsed(tracer, inner, call);
  const isChanged = how === "computed" || how === "parsed-text";
  const isFromOutside = how === "outside-answer" || how === "incoming-body";
  const isAsked = isFromOutside && (path[0] === undefined || envelope.has(path[0]));
  const handed: FollowedValue = {
    ...inner,
    // What takes a promise may wait for it.
    awaits: "all",
    path: isChanged || isAsked ? [] : path,
    wanted: isChanged || isAsked || how === "lookup" ? anything : argumentOf(call, wanted),
  };
  const given = argumentsOf(call).map(({ value }) => value);
  const isHandedOn = calls.handOn.has(name) || isChanged || calls.lookups.has(name) || isAsked;
  const receiver = receiverOf(call);
  const isOpen = how === "call" || how === "awaited-call";
  const isOfReceiver = given.length === 0 || isOpen || calls.handOn.has(name) || how === "computed" || how === "lookup";
  const isValue = receiver && plain(receiver).kind !== "self" && !isModule(program, receiver);
  const attribute = given.length === 0 && receiver ? attributeOf(program, call) : null;
  // What a call gives that reads a field is in the field, whatever else its object is made of.
  const isField = how === "call" && attribute !== null && isNameOfField(tracer.codebase, program, attribute);
  const on = isValue && isOfReceiver && !isFromOutside && !isField ? receiver : null;
  if (isHandedOn)
    tracer.parts(
      handed,
      given.filter(({ kind }) => kind !== "function"),
    );
  if (how === "lookup") for (const predicate of given) followPredicate(tracer, inner, predicate);
  if (on) tracer.value({ ...handed, node: on, path: calls.lookups.has(name) ? [anyKey, ...path] : handed.path });
  if (isOpen && !isHandedOn && !isMissing(wanted))
    tracer.parts(
      { ...handed, path: [], wanted: anything },
      given.flatMap(optionsOf).filter((one) => one.kind !== "function" && !isLiteral(one)),
    );
  if (isOpen) noteImported(tracer, inner, call);
  if (attribute !== null && receiver) tracer.value({ ...inner, node: receiver, path: [attribute, ...path] });
  const member = attribute ?? name;
  if (given.length === 0 && receiver && how === "call")
    tracer.unlessOriginFrom(inner.from, () => tracer.loose(inner, call, member));
}

/** Returns the values of an argument that is an object literal, or the argument itself. */
function optionsOf(given: CodeNode): CodeNode[] {
  const node = plain(given);
  if (node.kind !== "object") return [given];
  return node.children.flatMap((one) => part(one, "value") ?? []);
}

/** Follows what the elements are compared with in `find((one) => one.id === id)`. */
function followPredicate(tracer: Following, followed: FollowedValue, predicate: CodeNode): void {
  const body = predicate.kind === "function" ? part(predicate, "body") : null;
  if (!body) return;
  const compared = [...walk(body, functionNodesMax)].filter(
    ({ kind, name }) => kind === "binary" && /^(?:[<>]=?|[=!]==?)$/.test(name ?? ""),
  );
  const isFree = (node: CodeNode): boolean => {
    const root = rootOf(node);
    const binding = root.kind === "name" ? resolve(followed.program, root.name ?? "", root) : null;
    return root.kind === "name" && !isLiteral(node) && (!binding || !isWithin(binding.node, predicate));
  };
  const free = compared.flatMap((node) => partsOf(node, "left").concat(partsOf(node, "right"))).filter(isFree);
  tracer.parts({ ...followed, path: [], wanted: anything }, free.slice(0, comparedMax));
}

const comparedMax = 3;

/** Notes the imported module that a call leads to: the value is created there, although the code doesn't show how. */
function noteImported(tracer: Following, followed: FollowedValue, call: CodeNode): void {
  const { program } = followed;
  const root = rootOf(call);
  const binding = root.kind === "name" ? resolve(program, root.name ?? "", root) : null;
  const imported = binding && importedBy(binding);
  const [module, ...others] = imported ? filesOf(tracer.codebase, program, imported.specifier) : [];
  if (!imported || !module || others.length > 0 || module === program) return;
  const name = imported.path.at(-1) ?? call.name ?? "";
  tracer.step({ ...followed, program: module }, exportSite(module, name), "import", name, { isDefined: true });
}

function kindOf(program: Program, call: CodeNode): ValueSource {
  const { calls, waiting } = program.dialect;
  const name = call.name ?? "";
  const on = receiverOf(call);
  if (waiting === "promises" && calls.bodies.has(name) && isAwaited(call)) {
    const of = argumentsOf(call)[0]?.value ?? on;
    return of && asked.test(lastName(of) ?? "") ? "incoming-body" : "outside-answer";
  }
  if (isOutside(calls, name, waiting === "promises", call)) return "outside-answer";
  if (calls.parsing.has(name)) return name === "load" && !on ? "call" : "parsed-text";
  if (calls.lookups.has(name)) return "lookup";
  if (calls.computing.has(name)) return "computed";
  return isAwaited(call) ? "awaited-call" : "call";
}

function isOutside({ outside }: Dialect["calls"], name: string, isPromised: boolean, call: CodeNode): boolean {
  return outside.has(name) && (!isPromised || isAwaited(call) || name.endsWith("Sync") || name === "fetch");
}

/**
 * Returns the field that a call without arguments may read: `order.total` in Ruby, `order.getTotal()`, `order.total()`
 * of a record.
 */
function attributeOf({ dialect }: Program, call: CodeNode): string | null {
  const name = call.name ?? "";
  if (!dialect.readsFieldsByCalls) return null;
  const getter = /^(?:get|is)([A-Z]\w*)$/.exec(name)?.[1];
  return getter ? getter.charAt(0).toLowerCase() + getter.slice(1) : name;
}
