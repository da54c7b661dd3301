export const cartHoldSeconds = 30;
export const paymentTimeoutSeconds = 0.6;
export const queueCapacity = 15;
export const refundLimitCents = 25_000;
export const artworkLimitKb = 3;
