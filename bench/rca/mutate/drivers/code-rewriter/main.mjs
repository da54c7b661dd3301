import { rename } from './rename.mjs';
import { instrument } from './instrument.mjs';

const program = `import { a } from './a';
class Store extends Base { #x = 1; static make(...args) { return new Store(...args); } get size() { return this.#x ?? 0; } }
async function load(id, { deep = true, ...rest } = {}) {
  for (const [key, value] of Object.entries(rest)) { if (!value) continue; else console.log(\`\${key}: \${value}\`); }
  try { await a(id); } catch { return null; } finally { a?.close(); }
  switch (id) { case 1: return /x+/g.test(id); default: throw new Error('no ' + id); }
}
export default load;`;

const old = `var total = 0; function add(price, count) { var sum = price * count; total += sum; return sum > 10 ? { big: true, sum: sum } : [sum]; }
for (var i = 0; i < 3; i++) { do { add(i, 2); } while (false); } label: while (true) { break label; }`;

const { code, names, map } = instrument(program);
const renamed = rename(old, { price: 'amount', sum: 'product' });
new Function(renamed)();
if (!names.includes('load')) throw new Error(`functions found: ${names.join(', ')}`);
console.log(code.split('\n').length, map.line, renamed.length, renamed.includes('amount').toString());
