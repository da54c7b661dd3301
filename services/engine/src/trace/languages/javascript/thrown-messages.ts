import ts from "typescript";
import type { Clue, LocatedFrame, LogRecord, ParsedException } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import { markAnswerFields } from "../../answer-fields.ts";
import { classFor, methodOf } from "./calls.ts";
import { clueAt } from "./clue-at.ts";
import { fits, type MessageTemplate, templateOf } from "./message-template.ts";
import { type CallNode, lastName, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";
import { raisedAt } from "./throw-site.ts";
import { Trace } from "./trace.ts";
import { within } from "./walk.ts";

/** Fewer written characters than these fit too much. */
const writtenMin = 8;
/** Errors made in one file that are compared. */
const madeMax = 400;
const subjectsMax = 4;
const errorName =
  /(?:Error|Exception|Fault|Failure|Rejection|Problem)$|^(?:createError|httpError|fail|invariant|assert|ok|abort|badRequest|notFound|conflict|unauthorized|forbidden)$/;
const logged = /^(?:error|warn|fatal|critical|log)$/;

/** Where a message was put together. */
interface Made {
  readonly program: Program;
  readonly node: CallNode;
  readonly written: number;
}

/** An error whose stack does not show where it was thrown: the place in the code that words it so. */
export function thrownMessages(
  programs: Programs,
  exception: ParsedException,
  frames: readonly LocatedFrame[],
): Clue[] {
  const innermost = frames.find(({ frame }) => frame.origin !== "runtime");
  if (innermost?.place || exception.message.length < writtenMin) return [];
  const found = bestOf(programs, exception.message, isError);
  return found ? cluesAt(programs, found, exception.type) : [];
}

/** Lines that were logged as errors: where the code logs them. */
export function loggedMessages(programs: Programs, records: readonly LogRecord[]): Clue[] {
  const worst = records.find(({ level }) => level === "error" || level === "fatal");
  const [message = ""] = worst?.message.split("\n", 1) ?? [];
  const found = message.length < writtenMin ? null : bestOf(programs, message, isLogged);
  return found ? cluesAt(programs, found, "the log line") : [];
}

/** The one that has the most of the message written out; none when two have as much. */
function bestOf(programs: Programs, message: string, isMaking: (call: CallNode) => boolean): Made | null {
  const made = programs.all().flatMap((program) => {
    const calls = [...program.calls.values()].flat().filter(isMaking).slice(0, madeMax);
    return calls.flatMap((node): Made[] => {
      const written = Math.max(0, ...templatesOf(programs, program, node).map((template) => fits(template, message)));
      return written >= writtenMin ? [{ program, node, written }] : [];
    });
  });
  const [first, second] = made.toSorted((left, right) => right.written - left.written);
  return first && first.written > (second?.written ?? 0) ? first : null;
}

function isError({ expression, parent }: CallNode): boolean {
  return ts.isThrowStatement(parent) || errorName.test(lastName(expression) ?? "");
}

function isLogged({ expression }: CallNode): boolean {
  return logged.test(lastName(expression) ?? "");
}

/** Of the arguments, and of what the class hands its parent. */
function templatesOf(programs: Programs, program: Program, call: CallNode): MessageTemplate[] {
  const given = (call.arguments ?? []).slice(0, 3).flatMap((one) => templateOf(programs, program, one) ?? []);
  const own = (call.arguments ?? []).slice(0, 3).map((one) => templateOf(programs, program, one));
  const fromClass = ts.isNewExpression(call) ? templateOfClass(programs, program, call) : null;
  return given.length === 0 && !fromClass ? [] : [...own, fromClass].filter((template) => template !== null);
}

/** `super(…)` in the constructor of an error's class. */
function templateOfClass(programs: Programs, program: Program, call: ts.NewExpression): MessageTemplate | null {
  const made = classFor(programs, program, call.expression);
  const maker = made && methodOf(made.node, "constructor");
  if (!made || !maker) return null;
  const [upward] = within(maker.body, ts.isCallExpression).filter(
    ({ expression }) => expression.kind === ts.SyntaxKind.SuperKeyword,
  );
  const [message] = upward?.arguments ?? [];
  return message ? templateOf(programs, made.program, message) : null;
}

function cluesAt(programs: Programs, { program, node }: Made, subject: string): Clue[] {
  const { says, subjects } = raisedAt(program, node, null);
  const words = `${inlineCode(subject)} is worded like this here: ${says}`;
  const site = { ...clueAt(program, node, "thrown-by-code", subject, words), steps: 0, how: null, isEnd: false };
  const followed = subjects
    .slice(0, subjectsMax)
    .flatMap((one) => markAnswerFields(new Trace(programs, []).follow(one)));
  return [site, ...followed];
}
