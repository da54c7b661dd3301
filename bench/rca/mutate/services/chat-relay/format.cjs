const action = /^\/me (.+)$/;

exports.format = function format(text, person, room) {
  const match = action.exec(text);
  const plain = match ? `* ${person.name} ${match[1]}` : text;
  const names = (plain.match(/@\w+/g) || []).map((name) => name.slice(1));
  const mentions = names.map((name) => [...room.members].find((member) => member.name === name)).filter(Boolean);
  if (names.length > 0 && mentions.length === 0) throw new Error('nobody in ' + room.name + ' is called ' + names[0]);
  return { from: person, text: plain.replace(/\*(\w+)\*/g, '<b>$1</b>'), mentions };
};
