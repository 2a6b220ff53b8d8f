/**
 * A text that no other call has: 128 random bits. `crypto.randomUUID` is not used because browsers have it only on HTTPS
 * and localhost, and a service can be reached by plain HTTP in a private network.
 */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The header that makes a repeated write a single one. */
export const onlyOnce = (key = randomKey()) => ({ 'idempotency-key': key })
