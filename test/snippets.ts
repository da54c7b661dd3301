import { join } from "node:path";
import ts from "typescript";
import { root } from "./repository-files.ts";

/** Where snippets are compiled: a package that has installed what a reader of the documents would install. */
const home = "examples/frameworks";

/** Returns the compiler's errors in the snippets. Each snippet is a named module. */
export function compileSnippets(snippets: ReadonlyMap<string, string>): string[] {
  const files = new Map([...snippets].map(([name, text]) => [pathOf(name), `${text}\nexport {};\n`]));
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, target, ...rest) => {
    const text = files.get(path);
    return text === undefined
      ? getSourceFile(path, target, ...rest)
      : ts.createSourceFile(path, text, typeof target === "object" ? target : { languageVersion: target });
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map((diagnostic) => describe(path, diagnostic));
  });
}

function pathOf(name: string): string {
  return join(root, home, `${name.replace(/[^a-z0-9-]+/gi, "_")}.ts`);
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return { ...options, composite: false, declaration: false, emitDeclarationOnly: false, noEmit: true };
}

function describe(path: string, { file, start, messageText }: ts.Diagnostic): string {
  const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  return `${path.split("/").at(-1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
}
