exports.settings = {
  host: process.env.SMTP_HOST,
  port: Number(process.env.SMTP_PORT),
  from: process.env.MAIL_FROM,
  retries: parseInt(process.env.MAIL_RETRIES, 10),
  pauseMs: 1000 / process.env.MAIL_RATE_PER_SECOND,
  locales: process.env.TEMPLATE_LOCALES.split(','),
  footer: (locale) => process.env['FOOTER_' + locale].trim(),
};
