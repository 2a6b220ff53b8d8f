import { expect, test } from 'vitest'
import { startTestService } from '../../../../testing/service.ts'
import { givePassword, openBrowser, testPassword } from '../../../../testing/sessions.ts'

test.each([
  ['https://svc.test', /^__Host-svc_session=[\w-]{43}; Max-Age=6047\d\d; Path=\/; HttpOnly; Secure; SameSite=Strict$/],
  [
    'http://127.0.0.1:4000',
    /^__Host-svc_session=[\w-]{43}; Max-Age=6047\d\d; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  ],
  ['http://svc.test', /^svc_session=[\w-]{43}; Max-Age=6047\d\d; Path=\/; HttpOnly; SameSite=Strict$/],
])('the cookie of %s', async (baseUrl, cookie) => {
  const service = await startTestService({ settings: { SVC_BASE_URL: baseUrl } })
  await givePassword(service, 'owner@svc.test')
  const browser = openBrowser(service)
  const credentials = { email: 'owner@svc.test', password: testPassword }
  const answer = await browser.call('POST', '/api/dashboard/sign-in', credentials)
  expect(answer.headers['set-cookie']).toMatch(cookie)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.text).not.toContain(browser.cookie()!.split('=')[1])
  expect((await browser.call('GET', '/api/v1/me')).status).toBe(200)
  await service.close()
})
