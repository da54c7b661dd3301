export function taxes(table) {
  const byCountry = Object.fromEntries(table.map(({ country, ...rates }) => [country, rates]));
  return (item, country) => {
    const rates = byCountry[country];
    if (!rates) throw new Error(`no tax rates for ${country}`);
    const rate = rates[item.rate ?? 'standard'];
    const net = item.unit * item.quantity;
    return { net, rate, tax: Math.round(net * rate) };
  };
}
