import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { curlOf } from './curl.ts'

it('the call is one command, whatever the visitor contains', () => {
  const body = { context: { targetingKey: `u'17; $(id) \\ "x"\n` } }
  const command = curlOf({
    base: 'http://svc.example',
    project: 'web-shop',
    environment: 'production',
    organization: 7,
    action: 'evaluate',
    body,
  })
  const shell = command.replace(/^curl/, 'printf "%s\\0"')
  const words = execFileSync('sh', ['-c', shell], { encoding: 'utf8', env: { SVC_TOKEN: 'token' } }).split('\0')
  expect(words).toContain('http://svc.example/api/v1/projects/web-shop/environments/production/evaluate')
  expect(words).toContain('Authorization: Bearer token')
  expect(words[words.indexOf('-d') + 1]).toBe(JSON.stringify(body))
})
