import { sql } from 'kysely'
import { secrets } from './secrets.ts'
import type { Answer, TestService } from './service.ts'

export const testPassword = 'violet lantern over 42 harbours'

/** A separate browser that keeps its cookie and sends requests like the dashboard. */
export interface Browser {
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** The session cookie as the browser would send it; undefined if there is none. */
  cookie(): string | undefined
  ip: string
}

let browsers = 0

/** Each browser has its own address, so that no test uses up the sign-ins of another. */
export function openBrowser(service: TestService): Browser {
  browsers += 1
  const ip = `10.${(browsers >> 16) & 255}.${(browsers >> 8) & 255}.${browsers & 255}`
  const jar = new Map<string, string>()
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    ip,
    cookie: () => cookies() || undefined,
    async call(method, path, body, headers = {}) {
      const response = await service.app.inject({
        method,
        url: path,
        remoteAddress: ip,
        headers: {
          'sec-fetch-site': 'same-origin',
          'user-agent': 'test browser',
          ...(jar.size > 0 && { cookie: cookies() }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      for (const { name, value, maxAge } of response.cookies)
        if (value === '' || maxAge === 0) jar.delete(name)
        else jar.set(name, value)
      const text = response.body
      const isJson = String(response.headers['content-type']).startsWith('application/json')
      const parsed = isJson && text ? JSON.parse(text) : undefined
      for (const { value } of response.cookies) secrets.note(value)
      if (response.statusCode < 300) secrets.noteBodies(body, parsed)
      return { status: response.statusCode, headers: response.headers, text, body: parsed }
    },
  }
}

/**
 * The hash of `testPassword`, with a thousandth of the usual work: the service takes the parameters from the hash, and
 * several hundred sign-ins would take 30 ms of processor time each.
 */
const hash = '$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiB0aGUgdGVzdA$wl4+p7O5RZby30hRweOD8GUD7+pNos+nw71umfPCavI'

/** Gives a provisioned person the password of all tests. */
export async function givePassword(service: TestService, email: string): Promise<void> {
  await sql`update users set password_hash = ${hash} where email = ${email}`.execute(service.db)
}

/** Signs in a person who was provisioned or invited. A person without a password gets that of the tests. */
export async function signIn(service: TestService, email: string, password?: string): Promise<Browser> {
  if (password === undefined) await givePassword(service, email)
  const browser = openBrowser(service)
  const answer = await browser.call('POST', '/api/dashboard/sign-in', { email, password: password ?? testPassword })
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.text}`)
  return browser
}
