import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../../testing/service.ts'

const service = await startTestService()
afterAll(() => service.close())

test.each([
  ['svc.js', ['createClient'], ['localStorageStore']],
  ['svc-live.js', ['createClient', 'stream', 'localStorageStore', 'createStore'], []],
  ['svc-commerce.js', ['order'], ['createClient']],
  ['svc-rare.js', ['hashId', 'holdsHash', 'tests'], ['createClient']],
])('/sdk/v1/%s is a module for pages of any site and exports %j', async (name, exported, others) => {
  const { status, headers, text } = await service.call(null, 'GET', `/sdk/v1/${name}`)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
  const names = /export\s*\{([^}]*)\}/.exec(text)?.[1] ?? ''
  for (const each of exported) expect(names).toMatch(new RegExp(`\\b${each}\\b`))
  for (const each of others) expect(names).not.toMatch(new RegExp(`\\b${each}\\b`))
})
