const path = require('node:path');

process.loadEnvFile(path.join(__dirname, '.env'));
const { startFakeSmtp } = require('./fake-smtp');

startFakeSmtp((smtp) => {
  process.env.SMTP_PORT = String(smtp.port);
  const { createMailer } = require('./lib/mailer');
  const mailer = createMailer();
  mailer.on('failed', (mail, error) => console.error(`mail to ${mail.to} failed:`, error));
  mailer.send({ template: 'welcome', locale: 'en', to: 'ada@example.org', data: { user: { name: 'Ada', plan: { seats: 3 } } } });
  mailer.send({ template: 'welcome', locale: 'de', to: 'bo@example.org', data: { user: { name: 'Bö', plan: { seats: 1 } } } });
  mailer.send({ template: 'invoice', locale: 'en', to: 'ada@example.org', data: { number: 'R-7', lines: [{ text: 'Seat', cents: 1200 }, { text: 'Tax', cents: 228 }] }, attachment: Buffer.from('PDF content') });
  mailer.once('idle', () => {
    const [, german, invoice] = smtp.received.sort((a, b) => a.order - b.order);
    if (smtp.received.length === 3 && (!german.subject || !invoice.subject)) console.error(new Error(`sent without a subject: ${JSON.stringify(smtp.received.map((m) => m.subject))}`));
    const stats = mailer.stats();
    console.log(stats.sent, stats.domains.map(([domain, count]) => domain.toUpperCase() + count).join());
    smtp.close();
  });
});
