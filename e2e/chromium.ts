import { type Browser, chromium } from '@playwright/test'
import { findInPath } from '../scripts/in-path.ts'

/**
 * Starts a new Chromium from the PATH, Debian's. The one without windows has the same engine and takes two thirds of the
 * processor time; benchmarks use the one of users.
 */
export async function openBrowser(wanted = 'chromium-headless-shell'): Promise<Browser> {
  const executablePath = findInPath(wanted) ?? findInPath('chromium')
  if (!executablePath)
    throw new Error('Chromium is not in the PATH: run scripts/system.ts, which installs it or says how')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

let ofWorker: Promise<Browser> | undefined

/** The browser that all test files of a worker share. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await ofWorker)?.isConnected()) ofWorker = openBrowser()
  return ofWorker!
}
