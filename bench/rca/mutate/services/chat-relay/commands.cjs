const { format } = require('./format.cjs');

const commands = {
  hello({ person, people }, { name }) {
    if ([...people].some((other) => other.name === name)) throw new Error(name + ' is here already');
    person.name = name.trim();
    return { welcome: person.name };
  },
  join({ person, rooms }, { room }) {
    const joined = rooms.ensure(room);
    joined.members.add(person);
    person.rooms.add(room);
    return { members: joined.members.size };
  },
  say({ person, rooms }, { room, text }) {
    if (!person.rooms.has(room)) throw new Error(person.name + ' is not in ' + room);
    const line = format(text, person, rooms.get(room));
    person.sent += 1;
    return { reached: rooms.get(room).post(line) };
  },
  history({ rooms }, { room }) {
    return { lines: rooms.get(room).history.map(({ text, from, mentions }) => ({ text, from: from.name.toUpperCase(), mentions: mentions.length })) };
  },
  rename({ person }, { name }) {
    const before = person.name;
    person.name = name;
    return { text: `${before} is now ${name.toLowerCase()}` };
  },
  who({ rooms }, { room }) {
    return { names: [...rooms.get(room).members].map((member) => member.name.padEnd(8)).sort() };
  },
  leave({ person, rooms }, { room }) {
    const { members } = rooms.get(room);
    if (!members.delete(person)) throw new Error(person.name + ' was not in ' + room);
    person.rooms.delete(room);
    return { left: members.size };
  },
  stats({ people }) {
    const counts = [...people].map((each) => [each.name.length, each.sent]);
    const total = counts.reduce((sum, [, sent]) => sum + sent, 0);
    return { total: total.toFixed(0), busiest: Math.max(...counts.map(([, sent]) => sent)) };
  },
};

exports.run = function run(type, context, body) {
  const command = commands[type];
  if (!command) throw new TypeError('unknown command ' + type);
  return command(context, body);
};
