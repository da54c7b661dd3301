import ts from "typescript";
import type { Clue, LocatedFrame, ParsedException } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import { findBinding, receiverOf } from "./bindings.ts";
import { specifierOf } from "./calls.ts";
import { clueAt } from "./clue-at.ts";
import { exportedNames, findExport } from "./modules.ts";
import { lastName, type Program } from "./program.ts";
import type { Programs } from "./programs.ts";
import { visit } from "./walk.ts";

const notCallable = /^(?:\(0 , )?([\w$.]{1,200})\)? is not a (?:function|constructor)/;
const notExported = /^The requested module '([^']{1,200})' does not provide an export named '([^']{1,200})'/;

/** What the code asks of a module that the module, as it was given, does not have. */
export function missingExports(
  programs: Programs,
  { message }: ParsedException,
  frames: readonly LocatedFrame[],
): Clue[] {
  const [, specifier, exported] = notExported.exec(message) ?? [];
  if (specifier !== undefined && exported !== undefined) return importsOf(programs, specifier, exported);
  const name = notCallable.exec(message)?.[1]?.split(".").at(-1);
  const place = frames.find((frame) => frame.place !== null)?.place;
  const program = place && programs.of(place.source);
  if (name === undefined || !program || !place) return [];
  const { start, end } = place.source.lines(place.line, place.line);
  const clues: Clue[] = [];
  visit(program.tree, (node) => {
    if (node.getStart(program.tree) < start || node.pos > end || clues.length > 0) return;
    const module =
      ts.isPropertyAccessExpression(node) && lastName(node) === name ? moduleOf(program, receiverOf(node)) : null;
    if (module !== null && isGone(programs, program, module, name))
      clues.push(...sayMissing(program, node, module, name));
  });
  return clues;
}

function importsOf(programs: Programs, specifier: string, exported: string): Clue[] {
  return programs.own().flatMap((program) =>
    program.tree.statements.flatMap((statement): Clue[] => {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
      const isIt = statement.moduleSpecifier.text === specifier && statement.getText().includes(exported);
      return isIt ? sayMissing(program, statement, specifier, exported) : [];
    }),
  );
}

function moduleOf(program: Program, receiver: ts.Expression | null): string | null {
  if (!receiver || !ts.isIdentifier(receiver)) return null;
  const binding = findBinding(program, receiver.text, receiver);
  return (binding && specifierOf(binding)?.from) ?? null;
}

function isGone(programs: Programs, program: Program, specifier: string, name: string): boolean {
  const source = programs.files.resolve(program.source.name, specifier);
  if (!source) return !specifier.startsWith(".") && !specifier.startsWith("node:");
  const target = programs.files.isWindow(source) ? null : programs.of(source);
  if (!target) return false;
  const known = exportedNames(target);
  return known !== null && !known.has(name) && findExport(programs, program, specifier, name) === null;
}

function sayMissing(program: Program, node: ts.Node, specifier: string, name: string): Clue[] {
  const module = inlineCode(specifier);
  const says = `${inlineCode(name)} is expected of ${module}, and the version that is installed exports no such name (it was removed, renamed or moved)`;
  const remedy = specifier.startsWith(".")
    ? `Export ${inlineCode(name)} from ${module}, or correct the name.`
    : `Use what this version of ${module} exports, or install the version that still has ${inlineCode(name)}.`;
  return [{ ...clueAt(program, node, "suspicious-code", name, says), rule: "missing-export", remedy }];
}
