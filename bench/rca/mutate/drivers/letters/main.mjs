import { customers } from './customers.mjs';
import { render } from './engines.mjs';

for (const customer of customers) {
  for (const engine of ['nunjucks', 'mustache', 'ejs', 'liquid']) {
    const letter = await render(engine, customer);
    const [greeting, ...lines] = letter.trim().split('\n').filter((line) => line.trim() !== '');
    const total = /Total: ([\d.]+)/.exec(letter)[1];
    if (Number(total) !== customer.total) throw new Error(`${engine} wrote a total of ${total} for ${customer.name}`);
    console.log(greeting.toUpperCase(), lines.length);
  }
}
