import { type Browser, chromium } from '@playwright/test'
import { findInPath } from '../scripts/in-path.ts'

const windowless = 'chromium-headless-shell'
/**
 * A page of a test lives for seconds: it ends before optimized code or a process for its graphics would be of use. This
 * saves a tenth of the processor time.
 */
const forShortPages = ['--in-process-gpu', '--disable-gpu-compositing', '--js-flags=--max-optimized-bytecode-size=0']

/**
 * Starts a new Chromium from the PATH, Debian's. The one without windows has the same engine and takes two thirds of the
 * processor time; benchmarks use the one of users.
 */
export async function openBrowser(wanted = windowless, more: string[] = []): Promise<Browser> {
  const executablePath = findInPath(wanted) ?? findInPath('chromium')
  if (!executablePath)
    throw new Error('Chromium is not in the PATH: run scripts/system.ts, which installs it or says how')
  const args = ['--no-sandbox', '--disable-gpu', ...(wanted === windowless ? forShortPages : []), ...more]
  return chromium.launch({ executablePath, args })
}

let ofWorker: Promise<Browser> | undefined

/** The browser that all test files of a worker share. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await ofWorker)?.isConnected()) ofWorker = openBrowser()
  return ofWorker!
}
