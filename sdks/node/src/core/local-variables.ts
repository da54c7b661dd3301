import type { Frame } from "@whence/protocol";
import { attachment } from "../runtime/attachment.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { boundedRecord } from "./bounded-data.ts";
import { InertCopier, restName } from "./inert-copy.ts";
import type { Redaction } from "./redact.ts";

/** Values by variable name. */
export type Variables = Readonly<Record<string, unknown>>;

/** A call that was running when an error was thrown. Lines and columns are 1-based. */
export interface RunningCall {
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly column: number;
  /** Whether this call threw the error. */
  readonly isThrower: boolean;
}

/** A call with the values of its variables at the throw. */
export interface CallVariables extends RunningCall {
  readonly variables: Variables;
}

const byError = attachment<readonly CallVariables[]>();

/** Stores an error's variables for as long as the program keeps the error. */
export function keepVariables(error: object, calls: readonly CallVariables[]): void {
  byError.to(error, calls);
}

/** Returns the variables of the calls that were running when an error was first thrown, innermost first. */
export function variablesOf(error: object): readonly CallVariables[] | undefined {
  return byError.of(error);
}

/**
 * Copies the variables of `calls`, innermost first, and of each call's scopes, innermost first. Redacted by name at any
 * depth; all calls share one budget.
 */
export function copyVariables(
  calls: readonly { readonly call: RunningCall; readonly scopes: readonly object[] }[],
  { variables: rules, named }: Redaction,
): CallVariables[] {
  const copier = new InertCopier(rules);
  let characters = sdkLimits.localsCharactersMax;
  const copied: CallVariables[] = [];
  for (const { call, scopes } of calls) {
    if (characters <= 0) break;
    const variables: Record<string, unknown> = Object.create(null);
    const names = namesIn(scopes, call);
    const shown = names.slice(0, sdkLimits.localsPerFrameMax);
    for (const [name, scope] of shown) variables[name] = copier.property(scope, name);
    if (names.length > shown.length) variables[restName] = `${names.length - shown.length} more`;
    const bounded = boundedRecord(variables, characters, named);
    if (bounded === undefined || Object.keys(bounded.data).length === 0) continue;
    characters -= bounded.characters;
    copied.push({ ...call, variables: bounded.data });
  }
  return copied;
}

/** The arguments that Node passes to each CommonJS module. */
const moduleNames = new Set(["exports", "require", "module", "__filename", "__dirname"]);

/** Returns the variables of a call, each with the innermost scope that has it. */
function namesIn(scopes: readonly object[], call: RunningCall): (readonly [name: string, scope: object])[] {
  const found = new Map<string, object>();
  for (const scope of scopes) {
    for (const name of Object.keys(scope)) {
      const isOwn = name !== "arguments" && !(call.function === "" && moduleNames.has(name));
      if (isOwn && !found.has(name)) found.set(name, scope);
    }
  }
  return [...found];
}

/**
 * Adds the variables of each call to the frames of a printed stack. `printed` are the frames as V8 printed them,
 * `frames` the same ones as sent.
 */
export function withVariables(
  frames: readonly Frame[],
  printed: readonly Frame[],
  calls: readonly CallVariables[] | undefined,
): readonly Frame[] {
  const found = calls ? variablesByFrame(printed, calls) : undefined;
  if (!found || found.size === 0) return frames;
  return frames.map((frame, index) => {
    const variables = found.get(index);
    return variables ? { ...frame, vars: variables } : frame;
  });
}

/** Both lists are innermost first, and a call is on the stack once, so matched entries aren't compared again. */
function variablesByFrame(printed: readonly Frame[], calls: readonly CallVariables[]): Map<number, Variables> {
  const found = new Map<number, Variables>();
  let from = 0;
  for (const call of calls) {
    const index = printed.findIndex((frame, at) => at >= from && isSameCall(frame, call));
    if (index === -1) continue;
    found.set(index, call.variables);
    from = index + 1;
  }
  return found;
}

function isSameCall({ file, line, column, function: name = "" }: Frame, call: RunningCall): boolean {
  if (file !== call.file) return false;
  if (line === call.line && column === call.column) return true;
  // A stack is captured where the error was created, which may not be where it was thrown.
  return call.isThrower && isNamed(name, call.function);
}

/** Whether V8's printed name, such as `new Pool`, `Object.run [as go]`, or `Shop.total`, is that of this function. */
function isNamed(printed: string, name: string): boolean {
  const alias = printed.indexOf(" [as ");
  const title = alias === -1 ? printed : printed.slice(0, alias);
  if (name === "") return title === "" || title.endsWith("<anonymous>");
  return title === name || title.endsWith(`.${name}`) || title.endsWith(` ${name}`);
}
