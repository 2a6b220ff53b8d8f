// What docs/web-tag.md says about the tag.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { siteSnippets, tagSnippets } from '../../packages/dashboard/src/wings/flags/connect/tag-snippets.ts'
import { codeBlocks } from '../../scripts/code-blocks.ts'
import { root } from '../service.ts'
import { everywhere, openPage, type Site } from './page.ts'

let opened: Site | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const blocks = codeBlocks(await readFile(join(root, 'docs/web-tag.md'), 'utf8'))
const inGuide = { baseUrl: 'https://svc.example', sdkKey: 'sdk_6uJ…' }
const headline = everywhere([{ type: 'TEXT', page: null, selector: 'h1', value: 'New' }])

test('the guide has the tags of the dashboard', () => {
  const texts = blocks.map(({ text }) => text.replace(/^\/\/ \S+\n/, '').trim())
  // The server has a guide of its own.
  const shown = [...tagSnippets(inGuide), ...siteSnippets(inGuide)].filter(({ language }) => language !== 'Your server')
  for (const { language, code } of shown) expect(texts, language).toContain(code.trim())
})

describe('the tag of a tag manager', () => {
  // As tag managers do it: after the page has loaded, and with a new element for each script, so that it runs.
  const { code } = tagSnippets(inGuide).find(({ language }) => language === 'Tag manager')!
  const manager = `<script>
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    addEventListener('load', async () => {
      while (performance.getEntriesByType('paint').length === 0) await painted()
      const box = document.createElement('div')
      box.innerHTML = ${JSON.stringify(code).replaceAll('<', '\\u003c')}
        .replace('https://svc.example', location.origin.replace('shop', 'flags'))
      for (const inert of box.querySelectorAll('script')) {
        const script = document.createElement('script')
        for (const { name, value } of inert.attributes) script.setAttribute(name, value)
        inert.replaceWith(script)
      }
      document.body.append(box)
    })
  </script>`

  test.each([
    ['changes the page and counts the visitor', 60_000, 'New', { x1: 'other' }, 1],
    ['leaves out who has seen the original for too long', 0, 'Own', {}, 0],
  ])('%s', async (_what, maxDelayMs, shown, variations, exposures) => {
    opened = await openPage([headline], { body: '<h1>Own</h1>', head: manager, settings: { maxDelayMs } })
    await opened.open('/bare')
    await expect.poll(() => opened!.page.evaluate('self.svc?.variations')).toEqual(variations)
    expect(await opened.page.textContent('h1')).toBe(shown)
    await opened.page.evaluate('svc.track("marker")')
    await opened.page.goto('about:blank')
    await expect.poll(() => opened!.events.some(({ eventKey }) => eventKey === 'marker')).toBe(true)
    expect(opened.events.filter(({ type }) => type === 'exposure')).toHaveLength(exposures)
    expect(opened.errors).toEqual([])
  })
})

test('the policy of the guide is all that a page must allow', async () => {
  const policy = blocks.find(({ text }) => text.startsWith('Content-Security-Policy: '))!
  const allowed = policy.text.trim().replace('Content-Security-Policy: ', '').replaceAll("'self' ", '')
  opened = await openPage([headline], {
    body: '<h1>Own</h1>',
    headers: (service) => ({
      'content-security-policy': `default-src 'none'; img-src data:; ${allowed.replaceAll('https://svc.example', service)}`,
    }),
  })
  const complaints: string[] = []
  opened.page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await opened.open()
  expect(await opened.page.textContent('h1')).toBe('New')
  await opened.page.evaluate('svc.track("marker")')
  await opened.page.goto('about:blank')
  await expect.poll(() => opened!.events.map(({ type }) => type)).toEqual(['exposure', 'track'])
  expect([...opened.errors, ...complaints]).toEqual([])
})
