import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findInPath } from '../scripts/in-path.ts'
import { openFirefox } from './firefox.ts'
import { noteOpen } from './open-pages.ts'

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
  const browser = await chromium.launch({ executablePath, args })
  browser.on('context', (context) => context.on('page', limitSteps).on('page', noteOpen))
  return browser
}

let ofWorker: Promise<Browser> | undefined

/** Whether the tests of this run open their pages in Firefox. */
const isFirefox = process.env.SVC_TEST_BROWSER === 'firefox'

/** The browser that all test files of a worker share. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await ofWorker)?.isConnected()) ofWorker = isFirefox ? openFirefox() : openBrowser()
  return ofWorker!
}

/** Only a safety net: a busy machine takes ten times as long as a quiet one. */
const stepLimitMs = 60_000
/** Whatever a page is asked to do: the longest is an audit of its accessibility, which takes seconds. */
const evaluationLimitMs = 180_000

/** What Playwright does by an evaluation in the page, and waits for without a limit. */
const evaluations = ['evaluate', 'evaluateHandle', '$eval', '$$eval', 'title', 'content'] as const

/**
 * Lets no step in this page wait for ever: without this, Playwright limits all but what a page evaluates. A test that
 * hangs there would also run on beside its second try.
 */
function limitSteps(page: Page): void {
  page.setDefaultTimeout(stepLimitMs)
  for (const name of evaluations) {
    const evaluate = page[name].bind(page) as (...given: unknown[]) => Promise<unknown>
    Object.assign(page, { [name]: (...given: unknown[]) => inTime(evaluate(...given)) })
  }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const limit = new AbortController()
  const never = setTimeout(evaluationLimitMs, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`The page has not answered within ${evaluationLimitMs / 1000} s what it was asked to evaluate.`)
  })
  try {
    return await Promise.race([answer, never])
  } finally {
    limit.abort()
  }
}
