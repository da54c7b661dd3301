import moo from 'moo';
import nearley from 'nearley';

const lexer = moo.compile({ space: { match: /\s+/, lineBreaks: true }, open: '(', close: ')', word: { match: /[\w.+-]+/, type: moo.keywords({ or: 'OR', and: 'AND', with: 'WITH' }) } });
const next = lexer.next.bind(lexer);
lexer.next = () => {
  let token = next();
  while (token?.type === 'space') token = next();
  return token;
};

const is = (type) => (lexer.has(type) ? { type } : type);
const grammar = nearley.Grammar.fromCompiled({
  Lexer: lexer,
  ParserRules: [
    { name: 'any', symbols: ['all'], postprocess: ([only]) => only },
    { name: 'any', symbols: ['any', { type: 'or' }, 'all'], postprocess: ([left, , right]) => [...left, ...right] },
    { name: 'all', symbols: ['one'], postprocess: ([only]) => only },
    { name: 'all', symbols: ['all', { type: 'and' }, 'one'], postprocess: ([left, , right]) => left.flatMap((a) => right.map((b) => `${a}+${b}`)) },
    { name: 'one', symbols: [is('word')], postprocess: ([token]) => [token.value] },
    { name: 'one', symbols: [is('open'), 'any', is('close')], postprocess: ([, inner]) => inner },
  ],
  ParserStart: 'any',
});

export function satisfiable(license) {
  const parser = new nearley.Parser(grammar, { keepHistory: true });
  parser.feed(license);
  parser.feed(' OR (BSD AND Zlib)');
  const [choices, second] = parser.results;
  if (second !== undefined || choices.length < 2) throw new SyntaxError(`${parser.results.length} readings of ${license} in JSON`);
  try {
    new nearley.Parser(grammar).feed('MIT OR )');
    throw new Error('a broken expression was accepted');
  } catch (error) {
    if (!/close/.test(error.message)) throw error;
  }
  return choices[0].toLowerCase();
}
