import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { remembering, revalidated } from './remember.ts'

const index = () => new Request('http://svc.test/api/v1/projects/shop/index')

it('svc sends the ETag that it has, and a 304 gives the earlier answer', async () => {
  const sent: (string | null)[] = []
  const answers = [
    new Response('one', { headers: { etag: '"1"' } }),
    new Response(null, { status: 304 }),
    new Response('two', { headers: { etag: '"2"' } }),
    new Response(null, { status: 304 }),
  ]
  const send = remembering(async ({ headers }) => {
    sent.push(headers.get('if-none-match'))
    return answers.shift()!
  })
  const read = async () => (await send(index())).text()
  expect([await read(), await read(), await read(), await read()]).toEqual(['one', 'one', 'two', 'two'])
  expect(sent).toEqual([null, '"1"', '"1"', '"2"'])
})

it('svc reads the whole answer if a switch can change it without a new ETag', async () => {
  const sent: (string | null)[] = []
  const send = remembering(async ({ headers }) => {
    sent.push(headers.get('if-none-match'))
    return new Response('{}', { headers: { etag: '"1"' } })
  })
  for (let at = 0; at < 2; at++) await send(new Request('http://svc.test/api/v1/projects/shop/flags/x'))
  expect(sent).toEqual([null, null])
})

it('svc knows exactly the reads that answer 304', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
  for (const [path, { get }] of Object.entries<{ get?: { parameters?: { name: string }[] } }>(paths)) {
    if (!get) continue
    const answers = get.parameters?.some(({ name }) => name === 'if-none-match') ?? false
    expect(
      revalidated.some((pattern) => pattern.test(path)),
      path,
    ).toBe(answers)
  }
})
