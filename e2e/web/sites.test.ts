// Web experiments on pages that nobody here wrote, with a real service.
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visitor } from '../dashboard/browser.ts'
import { callInPage, prepare } from '../dashboard/calls.ts'
import { ada } from '../dashboard/people.ts'
import { openSite } from '../dashboard/site.ts'
import { frameOf } from './editing.ts'
import { foreignSites, serveForeignSites } from './foreign-sites.ts'
import { newVisitor } from './page.ts'
import type { SiteChange } from './site-changes.ts'

/** Installing and building take minutes, and ten times as long on a busy machine. */
const buildLimitMs = 5_400_000

const site = openSite()
let owner: Visitor
let sites: Awaited<ReturnType<typeof serveForeignSites>>
let project: string
let orgId: string

const send = (method: string, path: string, body?: object) => prepare(site.service.url, method, path, body)

beforeAll(async () => {
  owner = await site.visit(ada)
  const { id, organizationId } = await send('POST', '/api/v1/projects', { name: 'Sites', type: 'WEB' })
  project = `projects/${id}`
  orgId = organizationId ?? (await send('GET', '/api/v1/organization')).id
  const hosts = Object.keys(foreignSites).map((name) => `${name}.localhost`)
  await send('PUT', `/api/v1/${project}/web-settings`, { hosts })
  const environments = await send('GET', `/api/v1/${project}/environments`)
  const { sdkKey } = environments.find(({ key }: { key: string }) => key === 'production')
  sites = await serveForeignSites(`${site.service.url}/sdk/v1/web/${sdkKey}.js`)
}, buildLimitMs)
afterAll(() => sites?.close())

/** Everybody gets the variation of the experiment on this site, but for one place of it. */
async function experimentOn(name: string): Promise<string> {
  const { away } = foreignSites[name]!
  const { hostname, pathname } = new URL(away, sites.addressOf(name))
  const attribute = away.startsWith('#') ? 'page.hash' : 'page.path'
  const value = away.startsWith('#') ? away : pathname
  const conditions = {
    all: [
      { attribute: 'page.host', operator: 'equals', value: hostname },
      { attribute, operator: 'notEquals', value },
    ],
  }
  const { id } = await send('POST', `/api/v1/${project}/experiments`, {
    name,
    pages: [{ key: 'start', name: 'Start', url: sites.addressOf(name), conditions }],
    variations: [
      { key: 'original', weight: 0 },
      { key: 'other', weight: 10_000 },
    ],
  })
  return `${project}/experiments/${id}`
}

/** Which of these changes the page shows: `new`, `old` or, where there is nothing to change, neither. */
const shown = (changes: SiteChange[]): string[] => {
  const stateOf = (change: SiteChange): boolean | undefined => {
    const element = document.querySelector<HTMLElement>(change.selector)
    if (!element) return undefined
    switch (change.type) {
      case 'TEXT':
        return element.textContent.trim() ? element.textContent.includes(change.value) : undefined
      case 'STYLE':
        return Object.entries(change.value).every(
          ([name, value]) => getComputedStyle(element).getPropertyValue(name) === value,
        )
      case 'HIDE':
        return getComputedStyle(element).display === 'none'
      case 'IMAGE':
        return element.getAttribute('src') === change.value
      case 'INSERT':
        return element.nextElementSibling?.className === 'our-note'
      case 'MOVE': {
        const target = document.querySelector(change.to)
        if (!target) return undefined
        const side = change.position === 'BEFORE' ? 'nextElementSibling' : 'previousElementSibling'
        let beside = element[side]
        while (beside && beside !== target && beside.className === 'our-note') beside = beside[side]
        return beside === target
      }
    }
  }
  return changes.map((change) => {
    const state = stateOf(change)
    return `${change.type} ${change.selector}: ${state === undefined ? 'nothing' : state ? 'new' : 'old'}`
  })
}

/** Notes what each frame of the page shows before its first one. */
const noteFrames = (page: Page, changes: SiteChange[]) =>
  page.addInitScript(`(() => {
    const seen = globalThis.seen_ = new Set()
    const shown = ${shown}
    const look = () => { for (const each of shown(${JSON.stringify(changes)})) seen.add(each); requestAnimationFrame(look) }
    requestAnimationFrame(look)
  })()`)

/** The page as its scripts have made it, when they rest. Ids that React draws at random are left out. */
const settled = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const done = () => {
          observer.disconnect()
          resolve(document.body.innerHTML.replaceAll(/ data-reactid="[^"]*"/g, ''))
        }
        let timer = setTimeout(done, 500)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(done, 500)
        })
        observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
      }),
  )

interface Walk {
  /** What is shown at first, at the other place, and back at the first. */
  states: string[][]
  /** The page at these three. */
  bodies: string[]
  /** What some frame at the first place showed. */
  frames: string[]
  faults: string[]
}

/** A new visitor opens the site, does something, goes to another place without a load, and comes back. */
async function walk(name: string): Promise<Walk> {
  const { changes, act, away, ready, pages, link = pages && `a[href="${away}"]` } = foreignSites[name]!
  const context = await newVisitor()
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await context.route(isElsewhere, (route) => route.fulfill({ body: '' }))
  await noteFrames(page, changes)
  const result: Walk = { states: [], bodies: [], frames: [], faults }
  const look = async () => {
    result.bodies.push(await settled(page))
    result.states.push(await page.evaluate(shown, changes))
  }
  try {
    await page.goto(sites.addressOf(name))
    await act?.(page)
    await look()
    result.frames = await page.evaluate(() => [...(globalThis as unknown as { seen_: Set<string> }).seen_])
    if (away.startsWith('#')) await page.evaluate((hash) => location.assign(hash), away)
    else if (link) await page.click(link)
    else await page.goto(new URL(away, sites.addressOf(name)).href)
    if (ready) await page.locator(ready).waitFor()
    await look()
    await page.goBack()
    await look()
    return result
  } finally {
    await context.close()
  }
}

/** Where an element stands among those of its parent. */
const placeOf = (element: Element): number => [...element.parentElement!.children].indexOf(element)

/** What a new visitor of the site reads in an element. */
async function textFor(name: string, selector: string): Promise<string | null> {
  const context = await newVisitor()
  try {
    await context.route(isElsewhere, (route) => route.fulfill({ body: '' }))
    const page = await context.newPage()
    await page.goto(sites.addressOf(name))
    await foreignSites[name]!.act?.(page)
    await settled(page)
    return await page.locator(selector).first().textContent()
  } finally {
    await context.close()
  }
}

const isElsewhere = ({ hostname }: URL): boolean => !/localhost$|^127\./.test(hostname)

const statesOf = (changes: readonly SiteChange[], state: 'new' | 'old') =>
  changes.map(({ type, selector }) => `${type} ${selector}: ${state}`)

describe.each(Object.entries(foreignSites))('on %s', (name, { changes, edit, isBuilt }) => {
  let experiment: string
  beforeAll(async () => {
    experiment = await experimentOn(name)
  })
  const path = () => `/api/v1/${experiment}/variations/other/changes`

  if (edit)
    it('a person opens the editor, picks, edits and moves an element, undoes that, saves and publishes', async () => {
      const { selector, was } = edit
      const opened = await callInPage(owner.page, orgId, 'POST', `/api/dashboard/${experiment}/editor-sessions`, {
        ...{ variationKey: 'other', url: sites.addressOf(name) },
      })
      expect(opened.status).toBe(201)
      const context = await site.browser.newContext({ viewport: { width: 1280, height: 800 } })
      try {
        const page = await context.newPage()
        page.setDefaultTimeout(15_000)
        await context.route('https://**', (route) => route.fulfill({ body: '' }))
        await page.goto(opened.body.data.url)
        const frame = await frameOf(page, name)
        await page.locator(selector).first().click()
        await frame.getByLabel('Text', { exact: true }).fill('Edited')
        await expect.poll(() => page.locator(selector).first().textContent()).toContain('Edited')
        const before = await page.locator(selector).first().evaluate(placeOf)
        // An element without neighbours has nowhere to go.
        const moves = frame
          .getByRole('group', { name: 'Move' })
          .getByRole('button', { name: /^(Up|Down)$/, disabled: false })
        if ((await moves.count()) > 0) {
          await moves.first().click()
          await frame
            .getByRole('status')
            .filter({ hasText: /^Move / })
            .waitFor()
          await expect.poll(() => page.locator(selector).first().evaluate(placeOf)).not.toBe(before)
          await frame.getByRole('button', { name: 'Undo (Ctrl Z)' }).click()
          await expect.poll(() => page.locator(selector).first().evaluate(placeOf)).toBe(before)
        }
        await frame.getByRole('button', { name: 'Save', exact: true }).click()
        await frame.getByRole('button', { name: 'Saved', exact: true }).waitFor()
        const saved = await send('GET', path())
        expect(saved.changes).toMatchObject([{ type: 'TEXT', value: 'Edited', was }])
        await send('POST', `/api/v1/${experiment}/launch`)
        expect(await textFor(name, selector)).toContain('Edited')
        await frame.getByLabel('Text', { exact: true }).fill('Edited again')
        await frame.getByRole('button', { name: 'Save', exact: true }).click()
        await frame.getByRole('button', { name: 'Saved', exact: true }).waitFor()
        await send('POST', `/api/v1/${experiment}/publish`)
        expect(await textFor(name, selector)).toContain('Edited again')
        await send('POST', `/api/v1/${experiment}/pause`)
        await frame.getByLabel('Variation', { exact: true }).selectOption('original')
        await expect.poll(() => page.locator(selector).first().textContent()).toBe(was)
      } finally {
        await context.close()
      }
    })

  it('each frame shows the changes, another place is left as it is, and after a pause the page is as it was', async () => {
    const before = await walk(name)
    expect(before.states[0]).toEqual(statesOf(changes, 'old'))
    const numbered = changes.map((change, number) => ({ ...change, id: `c${number}`, page: 'start' }))
    await send('PUT', path(), { changes: numbered, css: null })
    for (const step of edit ? ['publish', 'resume'] : ['launch']) await send('POST', `/api/v1/${experiment}/${step}`)
    const during = await walk(name)
    await send('POST', `/api/v1/${experiment}/pause`)
    const after = await walk(name)

    expect(during.states[0]).toEqual(statesOf(changes, 'new'))
    // Where the server has rendered, the rest waits for the framework.
    const early = during.frames.filter((each) => !isBuilt || /^(?:STYLE|HIDE) /.test(each))
    expect(early.filter((each) => each.endsWith('old'))).toEqual([])
    expect(during.states[1]).toEqual(before.states[1])
    expect(during.bodies[1]).toBe(before.bodies[1])
    expect(during.states[2]).toEqual(statesOf(changes, 'new'))
    expect(during.faults.filter((each) => !before.faults.includes(each))).toEqual([])
    expect(after).toEqual({ ...before, frames: after.frames })
  })
})
