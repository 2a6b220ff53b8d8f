import { TOTP } from 'otpauth'
import type { Browser } from './sessions.ts'

/** An authenticator app with the scanned secret. */
export const authenticatorApp = (secret: string) => ({
  codeAt: (time: Date) => new TOTP({ secret }).generate({ timestamp: time.getTime() }),
})

/** Turns on the second factor, as the profile page does. */
export async function switchOnSecondFactor(browser: Browser, now: Date) {
  const begun = await browser.call('POST', '/api/dashboard/me/second-factor')
  const app = authenticatorApp(begun.body.data.secret)
  const confirmed = await browser.call('POST', '/api/dashboard/me/second-factor/confirm', { code: app.codeAt(now) })
  if (confirmed.status !== 200) throw new Error(`second factor: ${confirmed.text}`)
  return { app, secret: begun.body.data.secret as string, recoveryCodes: confirmed.body.data.recoveryCodes as string[] }
}
