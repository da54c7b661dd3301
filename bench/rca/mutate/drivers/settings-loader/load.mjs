import dotenvExpand from 'dotenv-expand';
import { flatten, unflatten } from 'flat';
import ini from 'ini';
import json5 from 'json5';
import minimist from 'minimist';
import objectPath from 'object-path';
import { check } from './check.mjs';

const iniText = `; defaults
color = true
[server]
port = 8080
hosts[] = a
hosts[] = b
[server.limits]
body = 1mb
quoted = "x = y"
`;
const jsonText = `{ // comment
  name: 'shop', ratio: .5, big: 0xFF, list: [1, 2, +3,], 'nested': { deep: { value: -Infinity } },
}`;

export function load(argv) {
  const flags = minimist(argv, { alias: { v: 'verbose' }, boolean: ['verbose', 'color'], string: ['tag'], default: { color: true, level: 3 }, '--': true });
  const base = { ...ini.parse(iniText), ...json5.parse(jsonText) };
  const { parsed } = dotenvExpand.expand({ processEnv: {}, parsed: { HOST: 'localhost', PORT: String(flags.port), URL: 'http://${HOST}:${PORT}/${MISSING:-x}', PLAIN: 'a\\$b' } });
  const merged = unflatten({ ...flatten(base, { safe: true }), 'server.port': flags.port, 'server.color': flags.color, 'nested.deep.level': flags.level });
  objectPath.set(merged, 'server.tags', [].concat(flags.tag));
  objectPath.push(merged, 'server.tags', objectPath.get(merged, 'missing.one', 'c'));
  objectPath.ensureExists(merged, 'cache.sizes.0', 10);
  objectPath.del(merged, 'nested.deep.value');
  const settings = { ...merged, url: parsed.URL, command: flags._[0], rest: flags['--'] };
  if (objectPath.coalesce(settings, ['no', 'server.tags.2']) !== 'c' || !objectPath.has(settings, 'cache.sizes')) throw new Error('the tags were lost');
  const again = ini.parse(ini.stringify({ server: settings.server, color: flags.color }, { whitespace: true }));
  if (again.server.hosts.length !== settings.server.hosts.length) throw new Error(`wrote ${settings.server.hosts}, read ${again.server.hosts}`);
  json5.parse(json5.stringify({ ...merged, 'a-b': "it's" }, null, 2));
  return { settings, problems: check(settings) };
}
