const dayMs = 24 * 60 * 60 * 1000;

export function invoices({ settings, today, books, tax, convert }) {
  const { prefix, digits } = settings.numbering;
  const list = [];

  const numbered = (count) => `${prefix}-${String(count).padStart(digits, '0')}`;

  async function create({ customer, currency, items }) {
    const positions = items.map((item) => ({ ...item, ...tax(item, customer.country) }));
    const net = positions.reduce((sum, position) => sum + position.net, 0);
    const taxed = positions.reduce((sum, position) => sum + position.tax, 0);
    const { cents, date } = await convert(net + taxed, currency);
    const invoice = {
      number: numbered(list.length + 1),
      customer,
      positions,
      net,
      tax: taxed,
      total: cents,
      currency,
      rateOf: date,
      issued: today,
      due: new Date(today.getTime() + settings.dueDays * dayMs),
      payments: [],
    };
    list.push(invoice);
    books.post(invoice.number, [['receivable', net + taxed], ['revenue', -net], ['tax', -taxed]]);
    return invoice;
  }

  function find(number) {
    const invoice = list.find((each) => each.number === number);
    if (!invoice) throw new Error(`no invoice ${number}`);
    return { ...invoice, open: invoice.total - paid(invoice) };
  }

  function pay(number, { cents, on }) {
    const { payments } = find(number);
    payments.push({ cents, on: new Date(on) });
    books.post(number, [['bank', cents], ['receivable', -cents]]);
    return { open: find(number).open, last: payments.at(-1).on.toISOString() };
  }

  const paid = (invoice) => invoice.payments.reduce((sum, payment) => sum + payment.cents, 0);
  const overdue = (on) => list.filter((invoice) => invoice.due < on && paid(invoice) < invoice.total);

  return { create, find, pay, overdue, all: () => [...list] };
}
