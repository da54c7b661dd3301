const { EventEmitter } = require('node:events');
const { settings } = require('./settings');
const { render } = require('./templates');
const { compose, addressOf } = require('./mime');
const { deliver } = require('./smtp-client');

class Mailer extends EventEmitter {
  constructor() {
    super();
    this.queue = [];
    this.busy = false;
    this.sent = [];
  }

  send(mail) {
    this.queue.push({ ...mail, attempts: 0 });
    if (!this.busy) this.next();
  }

  next() {
    const mail = this.queue.shift();
    this.busy = mail !== undefined;
    if (!mail) return setImmediate(() => this.emit('idle'));
    let message;
    try {
      message = compose({ from: settings.from, to: mail.to, attachment: mail.attachment, ...render(mail.template, mail.locale, mail.data) });
    } catch (error) {
      this.emit('failed', mail, error);
      return this.next();
    }
    deliver({ ...settings, to: mail.to, message }, (error, id) => this.delivered(mail, error, id));
  }

  delivered(mail, error, id) {
    if (error && mail.attempts < settings.retries) this.queue.push({ ...mail, attempts: mail.attempts + 1 });
    else if (error) this.emit('failed', mail, error);
    else this.sent.push({ id: Number(id), to: addressOf(mail.to) });
    setTimeout(() => this.next(), settings.pauseMs);
  }

  stats() {
    const domains = new Map();
    for (const { to } of this.sent) {
      const domain = to.split('@')[1];
      domains.set(domain, (domains.get(domain) || 0) + 1);
    }
    return { sent: this.sent.length, last: this.sent[this.sent.length - 1].id.toFixed(), domains: [...domains] };
  }
}

exports.createMailer = () => new Mailer();
