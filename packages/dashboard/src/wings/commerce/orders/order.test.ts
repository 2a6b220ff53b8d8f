import { expect, test } from 'vitest'
import { gapsIn, metricsOfOrders } from './order.ts'

const none = { unattributed: 0, unconverted: 0, withoutMargin: 0, unconfirmed: 0 }
const total = {
  orders: 9,
  revenue: '1.00',
  margin: '0.00',
  averageOrder: null,
  refunded: '0.00',
  cancelled: 0,
  ...none,
}

test.each<[Partial<typeof none>, RegExp[]]>([
  [{}, []],
  [{ unattributed: 1 }, [/^1 order without a visitor: no test counts it\./]],
  [{ unconverted: 2 }, [/^2 orders in a currency without a rate: they count, but not as money\./]],
  [{ withoutMargin: 3 }, [/^3 orders without a margin/]],
  [{ withoutMargin: 9 }, [/^No order has a margin/]],
  [{ unconfirmed: 1 }, [/^1 order that no import has confirmed, so results do not count it\.$/]],
])('the gaps %j are told in sentences', (gaps, sentences) => {
  expect(gapsIn({ ...total, ...gaps })).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
})

test('the metrics of orders have keys of their own, and count what orders give', () => {
  const metrics = metricsOfOrders('EUR')
  expect(new Set(metrics.map(({ key }) => key)).size).toBe(metrics.length)
  for (const { eventKey } of metrics) expect(eventKey).toMatch(/^order(\.(margin|items|refund))?$/)
})
