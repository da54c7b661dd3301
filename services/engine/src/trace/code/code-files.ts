import type { Composition } from "../../source/constructs.ts";
import { innermostSpan } from "../../source/source-text.ts";
import type { CodeFile } from "../traced.ts";
import type { Codebase } from "./codebase.ts";
import { compositionOf } from "./composition.ts";
import { declaredFrom, fullName, ownName } from "./functions.ts";
import { type CodeNode, walk } from "./ir.ts";
import { modulesOn, namesOn, passedOn, resultsOn } from "./lines.ts";
import { isExported, specifiersOf } from "./modules.ts";
import { namesSetByParameters, parameterNames } from "./parameters.ts";
import type { Program } from "./program.ts";

const importsMax = 200;

/** Returns every file that was read, with its functions, their calls, and the files that it imports. */
export function codeFiles(codebase: Codebase): CodeFile[] {
  return codebase.all().map((program) => {
    const calls = callsByOwner(program);
    return {
      source: program.source,
      isInstalled: program.isInstalled,
      functions: program.functions.map((node) => ({
        name: fullName(node),
        start: node.start,
        end: node.end,
        declaredFrom: declaredFrom(node),
        isExported: isExported(program, node, ownName(node)),
        parameters: parameterNames(program, node),
        given: namesSetByParameters(node),
        calls: [...(calls.get(node) ?? [])],
      })),
      imports: importsOf(codebase, program),
      composition: compositionOf(walk(program.tree), program.dialect.calls),
      compositionAround: (lines) => compositionAround(program, lines),
      passed: (line, callee) => passedOn(program, line, callee),
      results: (line, callee) => resultsOn(program, line, callee),
      modules: (line) => modulesOn(program, line),
      names: (line) => namesOn(program, line),
    };
  });
}

function compositionAround({ source, functions, dialect }: Program, lines: readonly number[]): Composition {
  const around = new Set(lines.flatMap((line) => innermostSpan(functions, source.codeStart(line)) ?? []));
  return compositionOf(
    [...around].flatMap((node) => [...walk(node)]),
    dialect.calls,
  );
}

function callsByOwner(program: Program): Map<CodeNode, Set<string>> {
  const owners = new Map<CodeNode, Set<string>>();
  for (const [name, calls] of program.calls) {
    for (const { owner } of calls) {
      if (!owner) continue;
      const names = owners.get(owner) ?? new Set();
      owners.set(owner, names.add(name));
    }
  }
  return owners;
}

function importsOf(codebase: Codebase, program: Program): CodeFile["imports"] {
  const specifiers = [...new Set(specifiersOf(program))].slice(0, importsMax);
  const found = specifiers.flatMap((specifier) => codebase.files.imported(program.source.name, specifier));
  return [...new Set(found)].filter((source) => source !== program.source);
}
