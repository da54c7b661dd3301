export class PaymentsClient {
  constructor(url, { timeoutMs, retries }) {
    this.url = url;
    this.timeoutMs = timeoutMs;
    this.retries = retries;
  }

  async charge(order, card) {
    const body = JSON.stringify({ card, cents: order.price.total, reference: order.id });
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await fetch(this.url, { method: 'POST', body, signal: AbortSignal.timeout(this.timeoutMs) });
        if (!response.ok) throw new Error(`payments answered ${response.status}`);
        return await response.json();
      } catch (error) {
        if (attempt >= this.retries) throw new Error('the charge failed', { cause: error });
      }
    }
  }
}
