import type { Signature } from "../../findings.ts";

export const moduleResolution: readonly Signature[] = [
  {
    id: "module.native-version",
    category: "breaking-upgrade",
    match: { message: ["was compiled against a different Node.js version", "NODE_MODULE_VERSION {abi}"] },
    meaning: "A native module was built for another version of Node.js than the one that loads it.",
    seenIfTrue: "Node.js was upgraded, or node_modules was copied, without a new install",
    seenIfFalse: "the module was installed by this very Node.js",
    shortTerm: "Run `npm rebuild` (or a clean install) with the Node.js version that runs the service.",
    longTerm: "Pin the Node.js version in `engines` and in the base image, and install inside the image that runs.",
    url: "https://nodejs.org/api/addons.html",
  },
  {
    id: "module.native-platform",
    category: "breaking-upgrade",
    match: {
      code: ["ERR_DLOPEN_FAILED"],
      message: [
        "invalid ELF header",
        "wrong ELF class",
        "Error loading shared library {library}:",
        "cannot open shared object file",
        "version `GLIBC_{glibc}' not found",
        "incompatible architecture",
      ],
    },
    meaning:
      "A native module cannot be loaded here: it was built for another platform, or a system library that it needs is missing.",
    seenIfTrue: "`ldd` on the .node file names a missing library, or `file` names another architecture than `uname -m`",
    seenIfFalse: "`ldd` resolves every library and the architecture is that of the host",
    shortTerm:
      "Install on the platform that runs the service, and add the missing system library to the image (Alpine images lack glibc).",
    longTerm:
      "Build the image for each target platform with `docker buildx --platform`, and never copy node_modules into it.",
    url: "https://nodejs.org/api/errors.html#err_dlopen_failed",
  },
  {
    id: "module.missing-binding",
    category: "module-resolution",
    match: {
      message: [
        "Could not locate the bindings file",
        "No native build was found for",
        'Could not load the "{module}" module using the {platform} runtime',
        "Cannot find module '@rollup/rollup-{platform}'",
        'Something went wrong installing the "{module}" module',
      ],
    },
    meaning:
      "The compiled part of a native package is missing for this platform: its install script did not run, or optional dependencies were left out.",
    seenIfTrue: "the package's prebuilt folder or `@scope/name-<platform>` package is absent in node_modules",
    seenIfFalse: "the binary is there and is refused when it is loaded",
    shortTerm:
      "Reinstall on this platform with optional dependencies and install scripts (`npm ci --include=optional`, without `--ignore-scripts`).",
    longTerm: "Make the lockfile hold every platform that is deployed, and load the package once in the image's build.",
    url: "https://docs.npmjs.com/cli/v11/commands/npm-install",
  },
  {
    id: "module.require-esm-package",
    category: "breaking-upgrade",
    match: {
      message: [
        "require() of ES Module {folder}/node_modules/{package}/",
        "require() of ES Module {folder}\\node_modules\\{package}\\",
      ],
    },
    meaning:
      "The installed version of `{package}` is an ES module and is loaded with require(): an upgrade dropped CommonJS.",
    seenIfTrue:
      'package.json of the package has `"type": "module"` and its major version changed in the lockfile recently',
    seenIfFalse: "the installed version ships CommonJS too, and another copy of it is loaded",
    shortTerm: "Pin the last version that ships CommonJS, or load it with `await import(…)`.",
    longTerm:
      "Move to ES modules or to a Node.js version that can require them (22.12 and later), and read release notes of major upgrades.",
    url: "https://nodejs.org/api/errors.html#err_require_esm",
  },
  {
    id: "module.require-esm",
    category: "module-resolution",
    match: { code: ["ERR_REQUIRE_ESM", "ERR_REQUIRE_ASYNC_MODULE"] },
    meaning: "A file that is an ES module is loaded with require().",
    seenIfTrue: 'the file ends in .mjs, or the nearest package.json has `"type": "module"`',
    seenIfFalse: "the file is CommonJS, and something else of that name is found first",
    shortTerm: "Load it with `await import(…)`, or rename it to .cjs.",
    longTerm: "Keep one module system in a package, and build for it.",
    url: "https://nodejs.org/api/errors.html#err_require_esm",
  },
  {
    id: "module.require-cycle",
    category: "module-resolution",
    match: { code: ["ERR_REQUIRE_CYCLE_MODULE"] },
    meaning: "A module is required while it is still being imported: a cycle between ES modules and CommonJS.",
    seenIfTrue: "the import graph leads from the module back to itself through a require()",
    seenIfFalse: "no file that it loads requires it",
    shortTerm: "Move what both sides need into a third file.",
    longTerm: "Let the linter refuse import cycles.",
    url: "https://nodejs.org/api/errors.html#err_require_cycle_module",
  },
  {
    id: "module.not-exported",
    category: "module-resolution",
    match: {
      code: ["ERR_PACKAGE_PATH_NOT_EXPORTED", "ERR_INVALID_PACKAGE_TARGET", "ERR_PACKAGE_IMPORT_NOT_DEFINED"],
      message: [
        "Package subpath '{path}' is not defined",
        'No "exports" main defined',
        "is not exported under the condition",
        'is not defined by "exports"',
        'Missing "{path}" specifier in',
      ],
    },
    meaning: "The package does not give out the path that is imported.",
    seenIfTrue: "`exports` in the installed package.json lacks the path, or lacks it for `require` or `import`",
    seenIfFalse: "the path is listed in `exports` under the condition that is used",
    shortTerm: "Import a path that the installed version lists in `exports`, or pin the version that listed this one.",
    longTerm: "Import packages by their public entry points only.",
    url: "https://nodejs.org/api/packages.html#exports",
  },
  {
    id: "module.directory-import",
    category: "module-resolution",
    match: { code: ["ERR_UNSUPPORTED_DIR_IMPORT"] },
    meaning: "An ES module imports a folder: unlike require(), import does not look for index.js.",
    seenIfTrue: "the specifier ends at a folder that holds an index.js",
    seenIfFalse: "the specifier names a file",
    shortTerm: "Write the file name with its ending in the import (`./lib/index.js`).",
    longTerm: 'Use `"moduleResolution": "nodenext"` in tsconfig.json, so that the compiler refuses such imports.',
    url: "https://nodejs.org/api/errors.html#err_unsupported_dir_import",
  },
  {
    id: "module.unknown-extension",
    category: "module-resolution",
    match: {
      code: ["ERR_UNKNOWN_FILE_EXTENSION", "ERR_UNKNOWN_MODULE_FORMAT"],
      message: ['Unknown file extension "{extension}"', "Unknown module format"],
    },
    meaning: "Node.js was asked to load a file of a kind that it cannot run ({extension}).",
    seenIfTrue: "the started file is TypeScript, JSX or an asset, without a loader that compiles it",
    seenIfFalse: "the file ends in .js, .mjs or .cjs",
    shortTerm: "Start the compiled file, or give Node.js the loader that compiles it (`--import tsx`).",
    longTerm: "Build before the image is made, and start the build's output in CI.",
    url: "https://nodejs.org/api/errors.html#err_unknown_file_extension",
  },
  {
    id: "module.url-scheme",
    category: "module-resolution",
    match: {
      code: ["ERR_UNSUPPORTED_ESM_URL_SCHEME", "ERR_INVALID_MODULE_SPECIFIER", "ERR_UNSUPPORTED_RESOLVE_REQUEST"],
    },
    meaning: "What is imported is no path that the loader takes: a Windows path, another scheme or a malformed name.",
    seenIfTrue: "the specifier begins with a drive letter or holds an escaped slash",
    seenIfFalse: "the specifier is relative, or the name of a package",
    shortTerm: "Convert absolute paths with `pathToFileURL` before `import()`.",
    longTerm: "Import by relative paths or package names, and run CI on Windows if it is supported.",
    url: "https://nodejs.org/api/errors.html#err_unsupported_esm_url_scheme",
  },
  {
    id: "module.missing-export",
    category: "module-resolution",
    match: {
      message: [
        "does not provide an export named '{name}'",
        'does not provide an export named "{name}"',
        "Named export '{name}' not found",
        '"{name}" is not exported by "{module}"',
        'No matching export in "{module}" for import "{name}"',
      ],
    },
    meaning:
      "The module has no export `{name}`: misspelt, renamed by an upgrade, or a CommonJS module whose names are not seen.",
    seenIfTrue: "the installed version of the module does not export the name",
    seenIfFalse: "the installed version exports it",
    shortTerm: "Import the name that the installed version exports (of a CommonJS module its default).",
    longTerm: "Type-check against the installed versions in CI.",
    url: "https://nodejs.org/api/esm.html#commonjs-namespaces",
  },
  {
    id: "module.esm-syntax",
    category: "module-resolution",
    match: {
      message: [
        "Cannot use import statement outside a module",
        "is not defined in ES module scope",
        "Unexpected token 'export'",
        "Cannot use 'import.meta' outside a module",
        "await is only valid in async functions and the top level bodies of modules",
      ],
    },
    meaning: "ES module syntax in a CommonJS file, or the reverse: the file's type and its syntax disagree.",
    seenIfTrue:
      '`"type"` in the nearest package.json disagrees with the file\'s syntax, or a dependency is not compiled (Jest: `transformIgnorePatterns`)',
    seenIfFalse: "the type and the syntax agree",
    shortTerm: 'Set `"type": "module"` in package.json, or use the endings .mjs and .cjs.',
    longTerm: "Keep one module system in a package, and start the built output in CI.",
    url: "https://nodejs.org/api/packages.html#determining-module-system",
  },
  {
    id: "module.bundler",
    category: "module-resolution",
    match: {
      message: [
        "Module not found: Error: Can't resolve '{module}'",
        "Module not found: Can't resolve '{module}'",
        'Could not resolve "{module}"',
        'Rollup failed to resolve import "{module}"',
        'Failed to resolve import "{module}"',
      ],
    },
    meaning:
      "The bundler cannot find `{module}`: not installed, misspelt, an alias that it does not know, or a Node.js built-in in a browser build.",
    seenIfTrue: "the name is missing in node_modules and in the bundler's aliases (`resolve.alias`, `paths`)",
    seenIfFalse: "the bundler resolves it in a clean checkout",
    shortTerm: "Install the package or correct the path (capitals count on Linux).",
    longTerm: "Keep aliases in one place (tsconfig `paths` read by the bundler), and build from the lockfile in CI.",
    url: "https://webpack.js.org/configuration/resolve/",
  },
  {
    id: "module.chunk-load",
    category: "deploy-regression",
    match: {
      message: [
        "ChunkLoadError",
        "Loading chunk {chunk} failed",
        "Loading CSS chunk {chunk} failed",
        "Failed to fetch dynamically imported module: {chunk}",
        "error loading dynamically imported module",
        "Importing a module script failed",
      ],
    },
    meaning:
      "A page asked for a piece of the front end ({chunk}) that the server no longer has: it was replaced by a deploy.",
    seenIfTrue: "the failures begin with a deploy and come from pages that were opened before it",
    seenIfFalse: "the file is served with 200 at that address",
    shortTerm:
      "Put the files of the previous build back beside the new ones, and reload the page when a chunk is missing.",
    longTerm: "Keep the assets of the last builds on the CDN, and serve index.html with `Cache-Control: no-cache`.",
    url: "https://vite.dev/guide/build#load-error-handling",
  },
  {
    id: "module.not-found",
    category: "module-resolution",
    match: {
      message: [
        "Cannot find module '{module}'",
        "Cannot find package '{module}'",
        'Cannot find module "{module}"',
        "Cannot find module {module}",
      ],
    },
    meaning:
      "The module `{module}` is not where it was looked for: not installed, misspelt, or spelt with other capitals.",
    seenIfTrue: "the file or package is absent at that path on the failing host",
    seenIfFalse: "the module loads in the same image by hand",
    shortTerm:
      "Correct the path (capitals count on Linux), or install the package under `dependencies` and not `devDependencies`.",
    longTerm:
      "Install with `npm ci` from the lockfile in the image, and start it in CI on the operating system of production.",
    url: "https://nodejs.org/api/errors.html#module_not_found",
  },
  {
    id: "module.unresolved",
    category: "module-resolution",
    match: { code: ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"] },
    meaning: "A module that the code loads is not installed or not where its path says.",
    seenIfTrue: "the file or package is absent at that path on the failing host",
    seenIfFalse: "the module loads in the same image by hand",
    shortTerm: "Install the package, or correct the path that is loaded.",
    longTerm: "Install from the lockfile in the image, and start it in CI on the operating system of production.",
    url: "https://nodejs.org/api/errors.html#module_not_found",
  },
  {
    id: "module.package-config",
    category: "parse-error",
    match: { code: ["ERR_INVALID_PACKAGE_CONFIG"] },
    meaning: "A package.json on the way to the module cannot be read: it is no valid JSON.",
    seenIfTrue: "`node -p \"require('./package.json')\"` in that folder fails",
    seenIfFalse: "the file parses",
    shortTerm: "Correct the package.json that the message names.",
    longTerm: "Check package.json in CI, and do not edit files in node_modules.",
    url: "https://nodejs.org/api/errors.html#err_invalid_package_config",
  },
];
