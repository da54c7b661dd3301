import jsonschema from 'jsonschema';
import { array, assert, coerce, create, defaulted, enums, number, object, optional, pattern, record, refine, size, string, StructError, type, union, any } from 'superstruct';

const port = refine(coerce(number(), string(), Number), 'port', (value) => (value > 0 && value < 65536) || `${value} is no port`);
const Settings = type({
  name: size(string(), 1, 20),
  server: type({ port, hosts: array(pattern(string(), /^\w+$/)), tags: optional(array(string())), color: any() }),
  url: string(),
  ratio: union([number(), string()]),
  level: defaulted(enums(['low', 'high']), 'low'),
  cache: record(string(), array(number())),
});

const schema = {
  id: '/Settings',
  type: 'object',
  properties: { server: { $ref: '/Server' }, list: { type: 'array', items: { type: 'number', maximum: 3 }, uniqueItems: true }, name: { enum: ['shop'] }, url: { type: 'string', format: 'uri' } },
  required: ['server', 'name'],
  patternProperties: { '^nes': { type: ['object', 'null'], additionalProperties: { type: 'object' } } },
  dependencies: { name: ['url'] },
};
const validator = new jsonschema.Validator();
validator.addSchema({ id: '/Server', type: 'object', properties: { port: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, hosts: { minItems: 1 } } }, '/Server');

export function check(settings) {
  const created = create(settings, Settings);
  if (created.level !== 'low') throw new Error(`level ${created.level}`);
  try {
    assert({ ...settings, server: { port: 'x', hosts: ['a b'] } }, object({ server: Settings.schema.server, name: string() }));
    throw new Error('a wrong port was accepted');
  } catch (error) {
    if (!(error instanceof StructError) || error.failures().length < 2) throw error;
  }
  const wrong = validator.validate({ ...settings, server: { port: 0, hosts: [] }, list: [4, 4] }, schema);
  if (wrong.errors.length < 3) throw new Error(`only ${wrong.errors.map((each) => each.stack)} are wrong`);
  return validator.validate(settings, schema).errors.map(({ property, message }) => `${property} ${message}`);
}
