import { expect, test } from 'vitest'
import { refusesRates } from './settings.ts'

const euro = { currency: 'EUR', rates: { USD: '0.92' } }
const none = { currency: null, rates: {} }

test.each([
  [none, euro, true, undefined],
  [none, { currency: null, rates: { USD: '1' } }, true, 'need a reporting currency'],
  [euro, { currency: null, rates: {} }, true, undefined],
  [euro, { currency: null, rates: euro.rates }, false, 'need a reporting currency'],
  [euro, { currency: 'USD', rates: euro.rates }, false, 'still in EUR'],
  [euro, { currency: 'USD', rates: {} }, true, undefined],
  [euro, { currency: 'GBP', rates: { USD: '0.8' } }, true, undefined],
  [euro, { currency: 'EUR', rates: { EUR: '1' } }, true, 'Leave it out'],
  [{ currency: 'EUR', rates: {} }, { currency: 'USD', rates: {} }, false, undefined],
])('%j can become %j (rates given: %s): %s', (before, after, isGiven, message) =>
  expect(refusesRates(before, after, isGiven)?.message).toEqual(message && expect.stringContaining(message)),
)
