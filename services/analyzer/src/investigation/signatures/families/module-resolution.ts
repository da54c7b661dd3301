import type { Signature } from "../../findings.ts";

export const moduleResolution: readonly Signature[] = [
  {
    id: "module.not-found",
    category: "module-resolution",
    match: { message: /Cannot find (?:module|package) '(?<module>[^']{1,200})'/ },
    meaning:
      "The module `{module}` is not where it was looked for: not installed, misspelt, or spelt with other capitals.",
    seenIfTrue: "the file or package is absent at that path on the failing host",
    seenIfFalse: "the module loads in the same image by hand",
    shortTerm: "Correct the path (capitals count on Linux), or install the package as a dependency.",
    longTerm: "Install from the lockfile in the image, build and start it in CI on the operating system of production.",
    url: "https://nodejs.org/api/errors.html#module_not_found",
  },
  {
    id: "module.require-esm",
    category: "module-resolution",
    match: { message: /(?:require\(\) of ES Module|Must use import to load ES Module|ERR_REQUIRE_ASYNC_MODULE)/ },
    meaning: "A package that is an ES module is loaded with require(): mostly after an upgrade that dropped CommonJS.",
    seenIfTrue: 'package.json of the package has "type": "module", and its major version changed recently',
    seenIfFalse: "the package ships CommonJS too",
    shortTerm: "Load it with `await import(…)`, or pin the last version that ships CommonJS.",
    longTerm: "Move this package to ES modules, and read release notes of major upgrades.",
    url: "https://nodejs.org/api/errors.html#err_require_esm",
  },
  {
    id: "module.not-exported",
    category: "module-resolution",
    match: {
      code: [
        "ERR_PACKAGE_PATH_NOT_EXPORTED",
        "ERR_UNSUPPORTED_DIR_IMPORT",
        "ERR_UNKNOWN_FILE_EXTENSION",
        "ERR_INVALID_PACKAGE_TARGET",
        "ERR_UNSUPPORTED_ESM_URL_SCHEME",
      ],
    },
    meaning: "The package does not give out the path that is imported.",
    seenIfTrue: "`exports` in the package's package.json lacks the path",
    seenIfFalse: "the path is listed in `exports`",
    shortTerm: "Import what the package exports.",
    longTerm: "Import packages by their public entry points only.",
    url: "https://nodejs.org/api/packages.html#exports",
  },
  {
    id: "module.missing-export",
    category: "module-resolution",
    match: { type: ["SyntaxError", ""], message: /does not provide an export named '(?<name>[^']{1,100})'/ },
    meaning: "The module has no export `{name}`: misspelt, renamed by an upgrade, or a CommonJS module.",
    seenIfTrue: "the installed version of the module does not export the name",
    seenIfFalse: "the installed version exports it",
    shortTerm: "Import the name that the installed version exports.",
    longTerm: "Type-check against the installed versions in CI.",
    url: "https://nodejs.org/api/esm.html#import-statements",
  },
  {
    id: "module.esm-syntax",
    category: "module-resolution",
    match: {
      message:
        /(?:Cannot use import statement outside a module|(?:require|module|exports|__dirname|__filename) is not defined in ES module scope|Unexpected token 'export')/,
    },
    meaning: "ES module syntax in a CommonJS file, or the reverse: the file's type and its syntax disagree.",
    seenIfTrue: '"type" in the nearest package.json disagrees with the file\'s syntax',
    seenIfFalse: "the type and the syntax agree",
    shortTerm: 'Set "type" in package.json, or use the endings .mjs and .cjs.',
    longTerm: "Keep one module system in a package.",
    url: "https://nodejs.org/api/packages.html#determining-module-system",
  },
  {
    id: "module.native",
    category: "breaking-upgrade",
    match: {
      message:
        /(?:was compiled against a different Node\.js version|invalid ELF header|ERR_DLOPEN_FAILED|NODE_MODULE_VERSION)/,
    },
    meaning: "A native module was built for another Node.js version or another platform.",
    seenIfTrue: "node_modules was copied from another machine, or Node.js was upgraded without a new install",
    seenIfFalse: "the module was installed by this Node.js on this platform",
    shortTerm: "Install again on the platform and Node.js version where it runs.",
    longTerm: "Build the image with the runtime's own base image, and never copy node_modules into it.",
    url: "https://nodejs.org/api/addons.html",
  },
];
