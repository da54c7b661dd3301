const { settings } = require('./settings');

const templates = {
  welcome: {
    en: { subject: 'Welcome, {{user.name}}', text: 'You have {{user.plan.seats}} seats.' },
    de: { subject: 'Willkommen, {{user.name}}', text: 'Sie haben {{user.plan.seats}} Plätze.' },
  },
  invoice: {
    en: { subject: 'Invoice {{number}}', text: '{{#lines}}{{text}}: {{cents|money}}\n{{/lines}}' },
  },
};

const filters = { money: (cents) => (cents / 100).toFixed(2), none: String };

function lookup(data, path) {
  return path.split('.').reduce((value, key) => value[key], data);
}

function fill(text, data) {
  return text
    .replace(/\{\{#(\w+)\}\}([^]*?)\{\{\/\1\}\}/g, (_, name, inner) => lookup(data, name).map((item) => fill(inner, item)).join(''))
    .replace(/\{\{([\w.]+)(?:\|(\w+))?\}\}/g, (_, path, filter) => filters[filter || 'none'](lookup(data, path)));
}

exports.render = function render(name, locale, data) {
  const known = settings.locales.includes(locale) ? locale : settings.locales[0];
  const template = templates[name][known];
  return { subject: fill(template.subject, data), text: fill(template.text, data) + '\n-- \n' + settings.footer(known) };
};
