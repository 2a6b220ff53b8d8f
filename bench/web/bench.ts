import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { build } from 'vite'
import { openBrowser } from '../../e2e/chromium.ts'
import { median } from '../program.ts'
import { type Contender, contenders, own, peerFile, type TextChange } from './contenders.ts'
import { type BenchSite, inNewPage, openBenchSite, pageOf, scriptsOf } from './site.ts'

const rounds = 9
const slow = 4

/** Experiments of changes, each of an element of its own. */
const experimentsOf = (experiments: number, changes: number, prefix = 't'): TextChange[][] =>
  Array.from({ length: experiments }, (_, at) =>
    Array.from({ length: changes }, (_each, change) => ({
      selector: `.${prefix}${at}-${change}`,
      text: `New ${at}-${change}`,
    })),
  )

const elementsOf = (experiments: TextChange[][]): string =>
  experiments.flatMap((changes) => changes.map(({ selector }) => `<p class="${selector.slice(1)}">Old</p>`)).join('')

interface Measuring {
  browser: Browser
  site: BenchSite
}

/** A row of the table: what is measured, in which unit, and what each contender took. */
interface Row {
  what: string
  unit: string
  digits: number
  target: string
  measure(contender: Contender, measuring: Measuring): Promise<number>
  /** Default: the rounds of all rows. */
  rounds?: number
}

/**
 * What web experiments cost a page: sizes, the start, frames that show the original, a page that renders against the
 * changes, many new elements, and memory. The limit (a page without a script), the product and the peers run in turn in
 * the same browser.
 */
export async function run(): Promise<void> {
  const all = await contenders()
  const browser = await openBrowser('chromium')
  const site = await openBenchSite()
  try {
    await printSizes(all)
    console.log(
      `\nWeb experiments: ${cpus().length} cores, Chromium ${browser.version()}, load ${loadavg()[0]!.toFixed(1)} before, medians of ${rounds} rounds.`,
    )
    console.log(`| | ${all.map(({ name }) => name).join(' | ')} | Svc / GrowthBook | target |`)
    console.log(`|---|${all.map(() => '---').join('|')}|---|---|`)
    for (const row of rows) await printRow(row, all, { browser, site })
    if (all.length > 2) return
    console.log('\nGrowthBook, PostHog and Mixpanel are not installed. To measure them too:')
    console.log('npm install --prefix bench/web/peers --ignore-scripts --no-package-lock')
  } finally {
    site.close()
    await browser.close()
  }
}

async function printRow(row: Row, all: Contender[], measuring: Measuring): Promise<void> {
  const found = new Map<string, number[]>(all.map(({ name }) => [name, []]))
  for (let round = 0; round < (row.rounds ?? rounds); round += 1)
    for (const contender of all) found.get(contender.name)!.push(await row.measure(contender, measuring))
  const medians = all.map(({ name }) => median(found.get(name)!))
  const [, own, peer] = medians
  const ratio = peer === undefined || peer === 0 ? '' : (own! / peer).toFixed(2)
  console.log(
    `| ${row.what}, ${row.unit} | ${medians.map((each) => each.toFixed(row.digits)).join(' | ')} | ${ratio} | ${row.target} |`,
  )
}

const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length

async function printSizes(all: Contender[]): Promise<void> {
  const [none, ten] = [experimentsOf(0, 0), experimentsOf(10, 10)]
  console.log('\n| bytes, min + gzip -9 | no experiment | 10 experiments of 10 texts |\n|---|---|---|')
  for (const { name, served } of all.slice(1)) {
    const sizeOf = (experiments: TextChange[][]) =>
      Object.values(served(experiments, 'https://flags.example').texts).reduce((sum, text) => sum + gzipped(text), 0)
    console.log(`| ${name} | ${sizeOf(none)} | ${sizeOf(ten)} |`)
  }
  const ownSize = (experiments: TextChange[][], pages?: Parameters<typeof own>[2]) =>
    gzipped(own(experiments, 'https://flags.example', pages))
  const matching = { all: { attribute: 'page.path', operator: 'matches', value: '^/' } } as const
  console.log(`| Svc, on pages that match a pattern (target 14500) | | ${ownSize(ten, matching)} |`)
  const each = (ownSize(experimentsOf(10, 0)) - ownSize(none)) / 10
  console.log(`| Svc, each experiment without its texts (target 120) | | ${Math.round(each)} |`)
  const others = { PostHog: 'posthog-js/dist/array.js', Mixpanel: 'mixpanel-browser/dist/mixpanel.min.js' }
  for (const [name, path] of Object.entries(others)) {
    const text = await peerFile(path)
    if (text !== undefined) console.log(`| ${name}, its script alone | ${gzipped(text)} | |`)
  }
  console.log('| target | 10000 | 12000 |')
}

/** How long the scripts in the head take until 100 changes wait for their elements. */
const start =
  (slowdown: number) =>
  async (contender: Contender, { browser, site }: Measuring): Promise<number> => {
    const experiments = experimentsOf(10, 10)
    const mark = (name: string) => `<script>performance.mark('${name}')</script>`
    const head = mark('begin') + scriptsOf(contender.inline(experiments)) + mark('end')
    site.content = { texts: { '/': pageOf(head, elementsOf(experiments)) } }
    return inNewPage(browser, slowdown, async (page) => {
      await page.goto(site.address)
      await requireChanged(contender, () =>
        page.evaluate(() => [...document.querySelectorAll('p')].filter((p) => p.textContent!.startsWith('Old')).length),
      )
      return page.evaluate(() => performance.measure('start', 'begin', 'end').duration)
    })
  }

/** A peer that shows no change would look fast. */
async function requireChanged({ name, inline }: Contender, old: () => Promise<number>): Promise<void> {
  if (inline([]).length === 0) return
  for (let tries = 0; tries < 50; tries += 1) if ((await old()) === 0) return
  throw new Error(`${name} has not changed the page.`)
}

/** How many frames show the original if the script, which the page waits for, takes 300 ms. */
async function framesOfOriginal(contender: Contender, { browser, site }: Measuring): Promise<number> {
  const experiments = [[{ selector: 'h1', text: 'New' }]]
  const { tags, texts } = contender.served(experiments, site.address)
  const watch = `<script>
    const frames = globalThis.frames_ = { old: 0, all: 0 }
    const look = () => {
      const found = document.querySelector('h1')
      if (found) { frames.all += 1; if (found.textContent === 'Old' && getComputedStyle(found).visibility === 'visible') frames.old += 1 }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  </script>`
  site.content = {
    texts: { ...texts, '/': pageOf(watch + tags, '<h1>Old</h1>') },
    delaysMs: { '/script.js': 300 },
  }
  return inNewPage(browser, slow, async (page) => {
    await page.goto(site.address)
    await page.waitForFunction(
      () => (globalThis as unknown as { frames_: { all: number } }).frames_.all >= 60,
      undefined,
      { polling: 100 },
    )
    await requireChanged(contender, () => page.locator('h1', { hasText: 'Old' }).count())
    return page.evaluate(() => (globalThis as unknown as { frames_: { old: number } }).frames_.old)
  })
}

/** How many requests a page makes before its first change. */
async function requestsBefore(contender: Contender, { browser, site }: Measuring): Promise<number> {
  const { tags, texts } = contender.served([[{ selector: 'h1', text: 'New' }]], site.address)
  site.content = { texts: { ...texts, '/': pageOf(tags, '<h1>Old</h1>') } }
  site.asked.length = 0
  return inNewPage(browser, 1, async (page) => {
    await page.goto(site.address)
    await requireChanged(contender, () => page.locator('h1', { hasText: 'Old' }).count())
    return new Set(site.asked.filter((path) => Object.hasOwn(texts, path))).size
  })
}

/** How long the main thread is busy with 10,000 new elements, while 100 changes wait for elements that do not come. */
async function insertion(contender: Contender, { browser, site }: Measuring): Promise<number> {
  const head = scriptsOf(contender.inline(experimentsOf(10, 10, 'absent')))
  site.content = { texts: { '/': pageOf(head, '<main></main>') } }
  return inNewPage(browser, 1, async (page) => {
    await page.goto(site.address)
    return page.evaluate(async () => {
      const added = document.createDocumentFragment()
      for (let index = 0; index < 10_000; index += 1) {
        const row = document.createElement('div')
        row.className = `row r${index}`
        row.textContent = `Row ${index}`
        added.append(row)
      }
      const began = performance.now()
      document.querySelector('main')!.append(added)
      // Observers of mutations are told in a microtask, and they all come before this one.
      await Promise.resolve()
      return performance.now() - began
    })
  })
}

let reactPage: Promise<string> | undefined

/** The page of `react-page.ts` as one script. */
async function builtReactPage(): Promise<string> {
  const entry = fileURLToPath(new URL('react-page.ts', import.meta.url))
  const built = await build({
    ...{ configFile: false, logLevel: 'error' },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'esnext', rolldownOptions: { input: entry } },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('nothing was built')
  return output.output[0].code
}

const fightMs = 4_000

interface Fight {
  /** The share of the main thread that was busy, in percent. */
  busy: number
  /** The share of frames that showed all changes, in percent. */
  shown: number
  uncaught: number
}

/** A page of React that renders 20 changed elements 20 times a second, for four seconds. */
async function fight(contender: Contender, { browser, site }: Measuring): Promise<Fight> {
  reactPage ??= builtReactPage()
  const changes = experimentsOf(1, 20)
  site.content = {
    texts: {
      '/page.js': await reactPage,
      '/': pageOf(
        scriptsOf(contender.inline(changes)),
        '<div id="root" data-elements="20"></div><script type="module" src="/page.js"></script>',
      ),
    },
  }
  return inNewPage(browser, 1, async (page, devtools) => {
    let uncaught = 0
    page.on('pageerror', () => {
      uncaught += 1
    })
    await page.goto(site.address)
    await page.waitForSelector('p')
    await devtools.send('Performance.enable')
    const taskSeconds = async () =>
      (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value
    const before = await taskSeconds()
    const shown = await page.evaluate(framesChanged, fightMs)
    return { busy: ((await taskSeconds()) - before) / (fightMs / 100_000), shown, uncaught }
  })
}

/**
 * The share of frames, in percent, that show all changes. It looks where the size of an element is observed: after all
 * callbacks of the frame, and right before it is painted.
 */
async function framesChanged(ms: number): Promise<number> {
  const resized = document.body.appendChild(document.createElement('i'))
  resized.style.display = 'block'
  let [frames, changed] = [0, 0]
  new ResizeObserver(() => {
    frames += 1
    if ([...document.querySelectorAll('p')].every((p) => p.textContent!.startsWith('New'))) changed += 1
  }).observe(resized)
  const ends = performance.now() + ms
  while (performance.now() < ends) {
    await new Promise(requestAnimationFrame)
    resized.style.height = `${1 + (frames % 2)}px`
  }
  return (100 * changed) / frames
}

const fights = new Map<string, Promise<Fight>>()

/** One fight of each contender serves three rows. */
const ofFight = (of: keyof Fight) => async (contender: Contender, measuring: Measuring) => {
  const found = fights.get(contender.name) ?? fight(contender, measuring)
  fights.set(contender.name, found)
  return (await found)[of]
}

/** What 20 experiments of 10 changes keep in the memory of the page, above the same script without an experiment. */
async function heap(contender: Contender, measuring: Measuring): Promise<number> {
  const experiments = experimentsOf(20, 10)
  const [full, empty] = [await heapWith(contender, measuring, experiments), await heapWith(contender, measuring, [])]
  return full - empty
}

async function heapWith(
  contender: Contender,
  { browser, site }: Measuring,
  experiments: TextChange[][],
): Promise<number> {
  const { tags, texts } = contender.served(experiments, site.address)
  site.content = { texts: { ...texts, '/': pageOf(tags, elementsOf(experimentsOf(20, 10))) } }
  return inNewPage(browser, 1, async (page, devtools) => {
    await page.goto(site.address)
    for (let times = 0; times < 3; times += 1) await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    // Not earlier, because it brings a program of its own into the page.
    if (experiments.length > 0) await requireChanged(contender, () => page.locator('p', { hasText: 'Old' }).count())
    return usedSize / 1024
  })
}

const rows: Row[] = [
  { what: 'start to 100 changes armed', unit: 'ms', digits: 1, target: '4', measure: start(1) },
  { what: `the same, processor slowed ${slow} times`, unit: 'ms', digits: 1, target: '30', measure: start(slow) },
  {
    what: 'requests before the first change',
    unit: 'count',
    digits: 0,
    target: '1',
    measure: requestsBefore,
    rounds: 1,
  },
  {
    ...{ what: `script 300 ms late, processor slowed ${slow} times: frames of the original`, unit: 'count' },
    ...{ digits: 0, target: '0', measure: framesOfOriginal, rounds: 5 },
  },
  { what: '10,000 elements inserted, 100 changes waiting', unit: 'ms', digits: 1, target: '30', measure: insertion },
  {
    ...{ what: 'React renders 20 changed elements 20 times a second: main thread', unit: '%' },
    ...{ digits: 1, target: '5 above the bare page', measure: ofFight('busy'), rounds: 1 },
  },
  { what: 'frames with all changes', unit: '%', digits: 1, target: '99', measure: ofFight('shown'), rounds: 1 },
  { what: 'uncaught errors', unit: 'count', digits: 0, target: '0', measure: ofFight('uncaught'), rounds: 1 },
  {
    what: 'heap of 20 experiments of 10 changes, above none',
    unit: 'KB',
    digits: 0,
    target: '300',
    measure: heap,
    rounds: 3,
  },
]
