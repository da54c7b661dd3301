import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";
import { SourceText } from "../../src/source-text.ts";
import { locate } from "../../src/trace/trace-error.ts";

/** What is suspicious in a file, as `rule line`. */
async function rulesIn(text: string, name = "src/a.js"): Promise<string[]> {
  const { clues } = await locate(parseText("Error: x\n    at f (/srv/b.js:1:1)\n"), null, [
    new SourceText("source_file", name, text),
  ]);
  return clues.flatMap(({ rule, place }) => (rule === undefined ? [] : [`${rule} ${place.line}`]));
}

const url = (password: string): string =>
  ["const u = `redis://$", "{user}:$", `{${password}}@$`, "{host}`;\n"].join("");

describe("suspicious code", () => {
  it.each([
    ["a map that is only filled", "const seen = new Map();\nfunction f(k) {\n  seen.set(k, 1);\n}\n", "only-grows 3"],
    ["a list of an object", "class A {\n  add(x) {\n    this.all.push(x);\n  }\n}\n", "only-grows 3"],
    ["a listener for each call", "function f(bus) {\n  bus.on('x', () => {});\n}\n", "listener-per-call 2"],
    [
      "a second connection while one is held",
      "async function f(pool, log) {\n  const c = await pool.acquire();\n  await note(pool);\n  c.release();\n}\nasync function note(pool) {\n  return pool.acquire();\n}\n",
      "nested-acquire 3",
    ],
    [
      "a loop that does not wait for what it writes to",
      "function f(rows, out) {\n  for (const row of rows) {\n    out.write(row);\n  }\n}\n",
      "ignored-back-pressure 3",
    ],
    [
      "a list of the defaults that is changed in a copy",
      "const base = { tags: [] };\nfunction f(o) {\n  const job = { ...base, ...o };\n  job.tags.push(o.id);\n}\n",
      "shared-default 4",
    ],
    [
      "a day of 24 hours by the local clock",
      "function f(day) {\n  const end = day.getTime() + 24 * 60 * 60 * 1000;\n  return new Date(end).getHours();\n}\n",
      "fixed-day 2",
    ],
    ["a header by a name with capitals", "const id = req.headers['X-Tenant'];\n", "header-case 1"],
    [
      "a token that is kept for good",
      "class A {\n  async f() {\n    this.token ??= await login();\n  }\n}\n",
      "kept-forever 3",
    ],
    [
      "a signature over what was written out again",
      "function f(request, key) {\n  const body = JSON.parse(request.text);\n  verify(JSON.stringify(body), key);\n}\n",
      "signed-anew 3",
    ],
    ["a character set of single bytes", "const t = fs.readFileSync(file, 'latin1');\n", "foreign-charset 1"],
    ["bytes that are taken for UTF-8", "const t = fs.readFileSync(file, 'utf8');\n", "assumed-charset 1"],
    ["a client that nobody connects", "const c = redis.createClient();\n", "never-connected 1"],
    [
      "a method without its object",
      "class A {\n  f() {\n    return this.x;\n  }\n}\nconst a = new A();\nevery(5, a.f);\n",
      "detached-method 7",
    ],
    [
      "a shared pattern with a memory",
      "const code = /x/g;\nfunction f(t) {\n  return p.code.exec(t);\n}\n",
      "pattern-memory 1",
    ],
    ["null taken for an object", "function f(v) {\n  if (typeof v === 'object') return v.a;\n}\n", "null-is-object 2"],
    ["a socket that nobody hears", "function f() {\n  const s = net.connect(1);\n  s.end();\n}\n", "unheard-errors 2"],
    [
      "a stream that is left before it is heard",
      "function f(stream, ok) {\n  if (!ok) return stream.resume();\n  stream.on('error', g);\n}\n",
      "unheard-errors 2",
    ],
    [
      "a handler of rejections that may throw",
      "function f(p, r) {\n  p.then(null, function (e) {\n    r.send(e);\n  });\n}\n",
      "handler-may-throw 3",
    ],
    [
      "state read before and written after a wait",
      "async function f(db, k) {\n  const n = await db.read(k);\n  await db.write(k, n + 1);\n}\n",
      "read-then-write 2",
    ],
    [
      "a counter of an object across a wait",
      "class A {\n  async f() {\n    const n = this.n;\n    await g();\n    this.n = n + 1;\n  }\n}\n",
      "read-then-write 3",
    ],
    [
      "a check before an act",
      "async function f(p) {\n  if (!(await exists(p))) {\n    await mkdir(p);\n  }\n}\n",
      "check-then-act 3",
    ],
    [
      "locks in the order of asking",
      "async function f(a, b) {\n  await l.acquire(a);\n  await l.acquire(b);\n}\n",
      "lock-order 2",
    ],
    [
      "a promise that is never settled",
      "new Promise((resolve) => {\n  if (!x) return;\n  resolve();\n});\n",
      "never-settled 2",
    ],
    ["seconds added to milliseconds", "const end = Date.now() + days * 24 * 3600;\n", "mixed-units 1"],
    ["seconds given as milliseconds", "const o = { timeout: Number(raw.waitSeconds) };\n", "mixed-units 1"],
    [
      "NaN among the numbers",
      "function f(r) {\n  const n = Number(r);\n  if (typeof n !== 'number') throw 1;\n}\n",
      "nan-passes 3",
    ],
    ["a password in a URL", url("password"), "unencoded-part 1"],
    ["a key with its line break", "const key = fs.readFileSync(keyFile, 'utf8');\n", "untrimmed-secret 1"],
    ["text for a truth value", "const tls = Boolean(process.env.USE_TLS);\n", "text-as-flag 1"],
    ["bytes made text piece by piece", "s.on('data', (c) => {\n  text += c;\n});\n", "text-of-chunks 2"],
    ["a mode without the owner's writing", "const o = { mode: 0o440 };\n", "narrow-mode 1"],
    ["a path from anywhere", "const t = fs.readFileSync('templates/a.txt');\n", "relative-path 1"],
    [
      "an answer whatever its status",
      "async function f() {\n  const r = await fetch(u);\n  return r.json();\n}\n",
      "unchecked-status 3",
    ],
    [
      "a failure that nobody hears of",
      "function f() {\n  try {\n    return g();\n  } catch {\n    log();\n  }\n}\n",
      "swallowed-failure 4",
    ],
    ["what every object inherits", "function f(o, k) {\n  if (k in o) return o[k];\n}\n", "inherited-key 2"],
  ])("is found: %s", async (_, text, expected) => {
    expect(await rulesIn(text)).toContain(expected);
  });

  it.each([
    ["a map that is emptied", "const seen = new Map();\nfunction f(k) {\n  seen.set(k, 1);\n  seen.delete(k);\n}\n"],
    ["a list of one call", "function f(x) {\n  const all = [];\n  all.push(x);\n  return all;\n}\n"],
    ["a listener that is taken back", "function f(bus, g) {\n  bus.on('x', g);\n  bus.off('x', g);\n}\n"],
    ["null that is asked for", "function f(v) {\n  if (v && typeof v === 'object') return v.a;\n}\n"],
    ["a socket that is heard", "function f() {\n  const s = net.connect(1);\n  s.on('error', g);\n}\n"],
    [
      "a chain that ends in a catch",
      "function f(p, r) {\n  p.then(null, function (e) {\n    r.send(e);\n  }).catch(g);\n}\n",
    ],
    [
      "another key that is written",
      "async function f(db) {\n  const n = await db.read('a');\n  await db.write('b', n);\n}\n",
    ],
    [
      "folders that may be there",
      "async function f(p) {\n  if (!(await exists(p))) await mkdir(p, { recursive: true });\n}\n",
    ],
    ["milliseconds", "const end = Date.now() + days * 24 * 3600 * 1000;\n"],
    [
      "a number that is asked for",
      "function f(r) {\n  const n = Number(r);\n  if (typeof n !== 'number' || Number.isNaN(n)) throw 1;\n}\n",
    ],
    ["an encoded password", url("encodeURIComponent(password)")],
    ["a trimmed key", "const key = fs.readFileSync(keyFile).toString('utf8').trim();\n"],
    ["text that is compared", "const tls = process.env.USE_TLS === 'true';\n"],
    ["a mode to write with", "const o = { mode: 0o640 };\n"],
    ["an absolute path", "const t = fs.readFileSync(path.join(__dirname, 'a.txt'));\n"],
    [
      "a status that is looked at",
      "async function f() {\n  const r = await fetch(u);\n  if (!r.ok) throw 1;\n  return r.json();\n}\n",
    ],
    [
      "a failure that is passed on",
      "function f() {\n  try {\n    return g();\n  } catch (e) {\n    throw e;\n  }\n}\n",
    ],
    [
      "a second connection when the first was given back",
      "async function f(pool) {\n  const c = await pool.acquire();\n  pool.release(c);\n  await note(pool);\n}\nasync function note(pool) {\n  return pool.acquire();\n}\n",
    ],
    [
      "a loop that waits for drain",
      "async function f(rows, out) {\n  for (const row of rows) {\n    out.write(row);\n    if (full) await once(out, 'drain');\n  }\n}\n",
    ],
    [
      "a list that the copy has of its own",
      "const base = { tags: [] };\nfunction f(o) {\n  const job = { ...base, ...o, tags: [] };\n  job.tags.push(o.id);\n}\n",
    ],
    ["a header in lower case", "const id = req.headers['x-tenant'];\n"],
    ["a header that is set", "res.headers['X-Tenant'] = id;\n"],
    ["a client that is connected", "const c = redis.createClient();\nc.connect();\n"],
    ["a method that is called", "class A {\n  f() {\n    return this.x;\n  }\n}\nevery(5, () => a.f());\n"],
    ["a pattern without a memory", "const code = /x/;\nfunction f(t) {\n  return p.code.exec(t);\n}\n"],
    [
      "a token with its time",
      "class A {\n  async f() {\n    if (!this.token || this.until < Date.now()) this.token = await login();\n  }\n}\n",
    ],
    ["a day of 24 hours in UTC", "function f(day) {\n  return new Date(day.getTime() + 86_400_000).getUTCDate();\n}\n"],
  ])("is not seen in %s", async (_, text) => {
    expect(await rulesIn(text)).toEqual([]);
  });
});
