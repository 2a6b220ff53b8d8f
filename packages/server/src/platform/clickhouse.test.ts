import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openClickHouse } from './clickhouse.ts'

test.each([
  ['knows them', '{"name":"async_insert"}\n', '0'],
  ['does not', '', null],
])('inserts turn waiting for other inserts off if the server %s', async (_what, known, sent) => {
  const asked: { about: string; asyncInsert: string | null }[] = []
  const server = createServer(async (request, response) => {
    const parameters = new URL(request.url!, 'http://clickhouse').searchParams
    const statement = parameters.get('query') ?? (await text(request))
    asked.push({ about: statement.split(' ')[0]!.toLowerCase(), asyncInsert: parameters.get('async_insert') })
    response.end(statement.startsWith('select') ? known : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const clickHouse = openClickHouse(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => clickHouse.close())
  await clickHouse.insert('svc_events', [{ batch: 1 }])
  await clickHouse.insert('svc_events', [{ batch: 2 }])
  const insert = { about: 'insert', asyncInsert: sent }
  expect(asked).toEqual([{ about: 'select', asyncInsert: null }, insert, insert])
})
