import { type Browser, chromium } from '@playwright/test'
import { findInPath } from '../scripts/in-path.ts'

/** A Chromium of its own, Debian's. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findInPath('chromium')
  if (!executablePath) throw new Error('there is no chromium in the PATH: scripts/system.ts says how to get it')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}
