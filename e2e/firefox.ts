import { type Browser, type Frame, firefox } from '@playwright/test'
import { findInPath } from '../scripts/in-path.ts'
import { noteOpen } from './open-pages.ts'

/** Busy machines take ten times as long as quiet ones. */
const startLimitMs = 180_000

interface Session {
  send(method: string, parameters?: object): Promise<unknown>
}

/**
 * Starts the Firefox of the PATH, Debian's, by WebDriver BiDi. It has no patches, so it is what people use.
 *
 * @throws Error if there is none: `node scripts/system.ts firefox` installs it
 */
export async function openFirefox(): Promise<Browser> {
  const executablePath = findInPath('firefox-esr') ?? findInPath('firefox')
  if (!executablePath)
    throw new Error('Firefox is not in the PATH: run scripts/system.ts firefox, which installs it or says how')
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, timeout: startLimitMs })
  leaveOutUnknown(browser)
  browser.on('context', (context) => context.on('page', noteOpen))
  return browser
}

/**
 * Playwright emulates color schemes in each page, also if nobody asks for one, and the release with long support does not
 * know the command yet. The tests in Firefox need none.
 */
function leaveOutUnknown(browser: Browser): void {
  const sessions: Session = Object.getPrototypeOf(sessionOf(browser).session)
  const { send } = sessions
  sessions.send = async function (this: Session, method, parameters) {
    if (method === 'emulation.setMediaFeaturesOverride') return {}
    return send.call(this, method, parameters)
  }
}

/** What speaks WebDriver BiDi with this Firefox, for what Playwright does not do, and the name that it has for a frame. */
export function sessionOf(browser: Browser): { session: Session; idOf(frame: Frame): string } {
  const { _connection } = browser as unknown as {
    _connection: { toImpl(of: object): { _browserSession: Session; _id: string } }
  }
  return { session: _connection.toImpl(browser)._browserSession, idOf: (frame) => _connection.toImpl(frame)._id }
}
