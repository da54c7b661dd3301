/** In settings of sections, a name counts only in the section about the package. */
const sectionName =
  /^\[(?:project|tool\.poetry|tool\.flit\.module|metadata)\][^\n]*(?:\n(?!\[)[^\n]*){0,80}?\nname[ \t]*=[ \t]*["']?([\w.-]+)/gm;
const assignedName = /\bname[ \t]*=[ \t]*["']([\w.-]+)["']/;
const constantAsName = /\bname[ \t]*=[ \t]*([A-Za-z_]\w{0,100})/g;
const constant = /^(\w{1,100})[ \t]*=[ \t]*["']([\w.-]+)["']/gm;

/** What a distribution installs, which may be named otherwise: a list, or lines of `setup.cfg`. */
const listedPackages =
  /(?:^|[\s(,])(?:packages|py[_-]modules|include)[ \t]*=[ \t]*(\[[^[\]]{0,2000}\])|^(?:packages|py_modules)[ \t]*=(?!\s*find)((?:[ \t]*[\w.-]+|\n[ \t]+[\w.-]+){1,100})/gm;

/** What lists of packages and files name besides packages: folders, and the formats in which Poetry includes a package. */
const beside = /^(?:src|lib|tests?|docs?|examples?|scripts?|sdist|wheel)$/i;

/** Where a manifest points into its own packages, whatever the distribution is called. */
const pointers = [
  // What a command runs: `books = ledger.cli:main`.
  /(?<![=!<>])=[ \t]*["']?([A-Za-z_]\w{0,100})(?:\.\w{1,100}){0,20}:[A-Za-z_]/g,
  // Where the version is: `ledger/version.py`, or `"ledger", "__init__.py"`.
  /(?<!\w)(\w{1,100})(?:\/|["'],\s{0,20}["'])_{0,2}(?:init|version|about|release)_{0,2}\.py\b/g,
  /\battr[ \t]*[:=][ \t]*["']?([A-Za-z_]\w*)\./g,
  /\bpackage_data[ \t]*=[ \t]*\{\s{0,200}["'](\w+)["']/g,
];

/** Returns the names that `pyproject.toml` or `setup.cfg` gives what a Python distribution installs. */
export function namesInSettings(text: string): string[] {
  return [...[...text.matchAll(sectionName)].flatMap(([, name]) => importedAs(name)), ...importNames(text)];
}

/** Returns the names that `setup.py` gives what a Python distribution installs. */
export function namesInSetup(text: string): string[] {
  const name = assignedName.exec(text)?.[1] ?? nameByConstant(text);
  return [...importedAs(name), ...importNames(text)];
}

/** Returns the name of a distribution that is given as a constant: `NAME = "ledger"`, and further on, `name=NAME`. */
function nameByConstant(text: string): string | undefined {
  const values = new Map(Array.from(text.matchAll(constant), ([, key = "", value]) => [key, value] as const));
  return [...text.matchAll(constantAsName)].flatMap(([, key = ""]) => values.get(key) ?? [])[0];
}

/** Returns what a distribution may be imported as: `PyLedger` as `ledger`, and `acme.ledger` as `acme_ledger`. */
function importedAs(name: string | undefined): string[] {
  if (name === undefined) return [];
  const plain = name.replace(/^py(?:thon)?[-_]?(?=\w{3})/i, "");
  const words = name.replaceAll(/[-_.]/g, "");
  return [name, plain, words, `lib${plain}`, name.replaceAll(".", "_"), name.replaceAll(".", "/")];
}

/** Returns the names under which a distribution is imported: `ledger` for `src/ledger` and `ledger.rows`. */
function importNames(text: string): string[] {
  const listed = [...text.matchAll(listedPackages)].flatMap(([, list, lines = ""]) => {
    const items = list?.match(/["'][\w./-]+\*?["']/g) ?? lines.trim().split(/\s+/);
    return items.flatMap((item) => /^["']?(?:\.\/)?(?:(?:src|lib)\/)?(\w+)/.exec(item)?.[1] ?? []);
  });
  const pointed = pointers.flatMap((pointer) => Array.from(text.matchAll(pointer), ([, name = ""]) => name));
  return [...listed, ...pointed].filter((name) => !beside.test(name));
}
