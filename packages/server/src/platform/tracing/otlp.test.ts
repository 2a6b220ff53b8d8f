import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../testing/processes/port.ts'
import { startCollector } from '../../../testing/vendors/collector.ts'
import { type CollectorSettings, openTracing } from './otlp.ts'

afterEach(() => void vi.useRealTimers())

const settings = { headers: {}, sampler: 'always_on', ratio: 1, version: '1.2.3' } as const

function opened(url: string, more: Partial<CollectorSettings> = {}) {
  const lines: { msg: string; level: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { lines, tracing: openTracing({ url, ...settings, ...more }, log) }
}

describe('a collector that refuses', () => {
  test('gets one line in the log, and no more spans wait than the limit', async () => {
    const collector = await startCollector(() => 400)
    const { tracing, lines } = opened(collector.url)
    for (let count = 0; count < 10_000; count += 1) tracing.begin('span', {}).end()
    await tracing.close()
    expect(lines).toMatchObject([{ msg: 'the trace collector does not accept spans' }])
    expect(collector.requests.length).toBeLessThanOrEqual(Math.ceil(2_048 / 512))
    await collector.close()
  })
})

test('the stop waits two seconds for a collector that does not answer', async () => {
  const collector = await startCollector(() => 'never')
  const { tracing } = opened(collector.url)
  tracing.begin('span', {}).end()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isClosed = false
  const closing = tracing.close().then(() => {
    isClosed = true
  })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(isClosed).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await closing
  vi.useRealTimers()
  await collector.close()
})

test('the program works while the collector is missing', async () => {
  const { tracing } = opened(`http://127.0.0.1:${await freePort()}`)
  tracing.begin('span', {}).end()
  await expect(tracing.close()).resolves.toBeUndefined()
})

test('a span that never ends is not sent, and a parent that cannot be read begins a trace', async () => {
  const collector = await startCollector()
  const { tracing } = opened(collector.url)
  tracing.begin('dropped', {})
  const parents = ['', 'x', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, `01-${'1'.repeat(32)}-${'1'.repeat(16)}-01`]
  for (const parent of parents) tracing.begin('sent', {}, { parent }).end()
  await tracing.close()
  expect(collector.spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(parents.map(() => ['sent', '']))
  await collector.close()
})

test('the share of a ratio is that of its traces', async () => {
  const collector = await startCollector()
  const { tracing } = opened(collector.url, { sampler: 'traceidratio', ratio: 0.25 })
  for (let count = 0; count < 1_000; count += 1) tracing.begin('span', {}).end()
  await tracing.close()
  // Ten standard deviations.
  expect(Math.abs(collector.spans.length - 250)).toBeLessThan(137)
  await collector.close()
})
