import { Readable } from 'node:stream';
import concat from 'concat-stream';
import micromatch from 'micromatch';
import normalize from 'normalize-package-data';
import split from 'split2';
import through from 'through2';

const files = ['lib/index.js', 'lib/a/one.test.js', 'lib/c/two.test.js', 'lib/.hidden.js', 'README.md', 'src/01.ts', 'src/12.ts'];

export function scan(text) {
  return new Promise((resolve, reject) => {
    Readable.from([Buffer.from(text.slice(0, 90)), Buffer.from(text.slice(90))])
      .pipe(split((line) => (line === '' ? undefined : JSON.parse(line))))
      .on('error', reject)
      .pipe(through.obj(function transform(data, _, callback) {
        const warnings = [];
        normalize(data, (warning) => warnings.push(warning));
        this.push({ ...data, warnings, shipped: shipped(data.files ?? ['src/{01..12}.ts', '*.md']) });
        callback();
      }))
      .on('error', reject)
      .pipe(concat({ encoding: 'object' }, resolve));
  });
}

function shipped(patterns) {
  const found = micromatch(files, patterns, { dot: false });
  const [first] = micromatch.capture('lib/*.js', 'lib/index.js');
  const braces = micromatch.braces('{a..e..2}-{1,2}', { expand: true });
  if (found.length === 0 || first !== 'index' || braces.length !== 6) throw new Error(`ships ${found}, ${first}, ${braces}`);
  if (!micromatch.isMatch('src/12.ts', 'src/+([0-9]).ts') || micromatch.not(files, '**/*.{js,ts}', { dot: true })[0] !== 'README.md') throw new Error('patterns do not match');
  return found.map((file) => file.split('/').at(-1));
}
