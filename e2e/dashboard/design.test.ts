import type { Page } from '@playwright/test'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isFull, rowsOf } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { downloaded, expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain, settled } from './walk.ts'

const [acme] = twoOrganizations.organizations
const members = [
  { ...ada, role: 'OWNER' },
  { ...grace, role: 'EDITOR' },
]
const site = openSite({ organizations: [{ ...acme, projects: [{ name: 'Web shop' }], members }] })
const inWebsite = '/1-acme/2-website/experiments/1'
const design = `${inWebsite}/design/price`
let owner: Visitor
let page: Page
let experiments: string

const call = (method: string, path: string, body?: object) =>
  prepare(site.service.url, method, `${experiments}${path}`, body)
const changes = '/1/variations/price/changes'
const draft = () => call('GET', changes)

const headline = { id: 'c1', page: 'pricing', type: 'TEXT', selector: 'h1', value: 'From € 9', was: 'Our plans' }
const button = { id: 'c2', page: null, type: 'STYLE', selector: 'a.cta', value: { color: 'red' }, was: null }

beforeAll(async () => {
  const { id } = await prepare(site.service.url, 'POST', '/api/v1/projects', { name: 'Website', type: 'WEB' })
  experiments = `/api/v1/projects/${id}/experiments`
  await call('POST', '', {
    name: 'Price in the headline',
    variations: [
      { key: 'original', name: 'Original', weight: 5000 },
      { key: 'price', name: 'With price', weight: 5000 },
    ],
    pages: [
      {
        ...{ key: 'pricing', name: 'Pricing', url: 'https://shop.example/pricing' },
        conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
      },
    ],
  })
  owner = await site.visit(ada)
  page = owner.page
})

const panel = (name: string | RegExp = /./, on = page) => on.getByRole('dialog', { name })
const list = (on = page) => on.getByRole('list', { name: 'Changes', exact: true })

describe('the design of a variation', () => {
  it('begins with what a change is, and takes the first one at its fields', async () => {
    await openPage(page, design)
    await page.getByRole('heading', { name: 'No changes yet' }).waitFor()
    if (isFull) await expectGoodPage(owner, 'design-empty')
    await page.keyboard.press('c')
    const form = panel('Add a change')
    await form.getByLabel('Page', { exact: true }).selectOption({ label: 'Pricing' })
    await form.getByLabel('Element').fill('h1::before')
    await form.getByLabel('New text').fill('From € 9 a month')
    await form.getByRole('button', { name: 'Save change' }).click()
    await form.getByText('It has the pseudo-element ::before', { exact: false }).waitFor()
    await hasFocus(form.getByLabel('Element'))
    await form.getByLabel('Element').fill('h1')
    await expectGoodPage(owner, 'design-add')
    await form.getByRole('button', { name: 'Save change' }).click()
    await list().getByText('On Pricing, change the text of h1 to From € 9 a month.').waitFor()
    expect(await draft()).toMatchObject({ changes: [{ type: 'TEXT', page: 'pricing', selector: 'h1' }] })
  })

  it('saves CSS, moves and deletes changes, and takes that back', async () => {
    await call('PUT', changes, { changes: [headline, button] })
    await readAgain(page)
    await openPage(page, `${design}?panel=css`)
    await panel('CSS').getByLabel('CSS of the variation').fill('.hero { min-height: 20rem }')
    await panel('CSS').getByRole('button', { name: 'Save CSS' }).click()
    await panel('CSS').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Move down: text of h1' }).click()
    await page.getByText('Now at place 2 of 2.').waitFor()
    expect(await page.getByText('Check these changes').count()).toBe(0)
    expect((await draft()).changes.map(({ id }: { id: string }) => id)).toEqual(['c2', 'c1'])
    await page.getByRole('button', { name: 'Delete text of h1' }).click()
    await page.getByText('The change is deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(async () => (await draft()).changes.map(({ id }: { id: string }) => id)).toEqual(['c2', 'c1'])
    expect((await draft()).css).toBe('.hero { min-height: 20rem }')
    await expectGoodPage(owner, 'design')
  })

  it('says which changes nobody would see, as long as that is so', async () => {
    await call('PUT', changes, { changes: [headline, { ...headline, id: 'c2', value: 'From € 8' }] })
    await readAgain(page)
    const warnings = page.getByRole('status').filter({ hasText: 'Check these changes' })
    await warnings.getByText('c2 comes after c1 and also sets the content of h1', { exact: false }).waitFor()
    if (isFull) await expectGoodPage(owner, 'design-warnings')
    await page.getByRole('button', { name: 'Delete text of h1' }).first().click()
    await warnings.waitFor({ state: 'detached' })
  })

  it('refuses JSON with five faults, each at its path, and saves it once it is right', async () => {
    await call('PUT', changes, { changes: [], css: null })
    await readAgain(page)
    await openPage(page, `${design}?panel=json`)
    const form = panel('Changes as JSON')
    const text = form.getByLabel('Changes', { exact: true })
    const faulty = [
      { ...headline, selector: 'h1::before' },
      { ...headline, id: 'c2', value: 9 },
      { ...headline, id: 'c3', type: 'HTML', value: '<script>1</script>' },
      { ...button, id: 'c4', value: { color: 'red;' } },
      { ...button, id: 'c4', type: 'HIDE', value: undefined, selector: '.banner' },
    ]
    await text.fill(JSON.stringify({ changes: faulty }, null, 2))
    await form.getByRole('button', { name: 'Check' }).click()
    const faults = form.getByRole('list', { name: 'Faults' })
    await faults.waitFor()
    expect((await faults.locator('code').allInnerTexts()).sort()).toEqual([
      'changes[0].selector',
      'changes[1].value',
      'changes[2].value',
      'changes[3].value.color',
      'changes[4].id',
    ])
    await expectGoodPage(owner, 'design-json-faults')
    expect(await draft()).toEqual({ changes: [], css: null })
    await text.fill(`\`\`\`json\n${JSON.stringify([headline, button])}\n\`\`\``)
    await form.getByRole('button', { name: 'Check' }).click()
    await form.getByText('New: On Pricing, change the text of h1', { exact: false }).waitFor()
    expect(await draft()).toEqual({ changes: [], css: null })
    await form.getByRole('button', { name: 'Save these changes' }).click()
    await list().getByText('On Pricing, change the text of h1', { exact: false }).waitFor()
    expect((await draft()).changes).toMatchObject([headline, button])
  })

  it('sends the visitors of a variation elsewhere once nothing is in the way, and takes that back', async () => {
    await openPage(page, design)
    await page.getByText('To send them elsewhere, remove the changes first.').waitFor()
    await call('PUT', changes, { changes: [], css: null })
    await readAgain(page)
    await page.getByRole('button', { name: 'Add redirect' }).click()
    const form = panel('Redirect')
    await form.getByLabel('Address').fill('shop.example/b')
    await form.getByRole('button', { name: 'Save redirect' }).click()
    await form.getByLabel('Address').and(page.locator('[aria-invalid=true]')).waitFor()
    await form.getByLabel('Address').fill('https://shop.example/b')
    await form.getByLabel('Keep the query and the hash').uncheck()
    await expectGoodPage(owner, 'design-redirect')
    await form.getByRole('button', { name: 'Save redirect' }).click()
    await page.getByText('Visitors go to https://shop.example/b, without the query', { exact: false }).waitFor()
    const { variations } = await call('GET', '/1')
    expect(variations).toMatchObject([
      { name: 'Original', weight: 5000, redirect: null },
      { name: 'With price', weight: 5000, redirect: { url: 'https://shop.example/b', keepQuery: false } },
    ])
    expect(await page.getByRole('button', { name: 'Add CSS' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Edit redirect' }).click()
    await form.getByLabel('Address').fill('')
    await form.getByRole('button', { name: 'Save redirect' }).click()
    await page.getByText('The redirect is removed.').waitFor()
    await page.getByText('Visitors stay on the page.', { exact: true }).waitFor()
    await call('PUT', changes, { changes: [headline, button], css: null })
    await readAgain(page)
  })

  it('hands off what is to be built in', async () => {
    await openPage(page, `${design}?panel=hand-off`)
    const handOff = panel('Build in “With price”')
    await handOff.getByText('On Pricing, change the text of h1 from “Our plans” to “From € 9”.').waitFor()
    await handOff.getByText('a.cta { color: red }').waitFor()
    await expectGoodPage(owner, 'hand-off')
    const { name, content } = await downloaded(page, 'Download Markdown')
    expect(name).toBe('hand-off-price.md')
    expect(content).toContain('build in “With price”')
  })
})

describe('two people who edit one variation at once', () => {
  let other: Page
  beforeAll(async () => {
    other = (await site.visit(grace)).page
  })
  beforeEach(async () => {
    await call('PUT', changes, { changes: [headline, button], css: null })
    for (const on of [page, other]) {
      await openPage(on, design)
      await readAgain(on)
    }
  })

  const typeHeadline = async (on: Page, text: string) => {
    await on.getByRole('button', { name: 'Edit text of h1' }).click()
    await panel('Text of h1', on).getByLabel('New text').fill(text)
  }
  const save = (on: Page) => panel(/of/, on).getByRole('button', { name: 'Save change' }).click()
  /** The words that it is saved can still be there from the save before. */
  async function saved(on: Page) {
    const answer = on.waitForResponse((one) => one.request().method() === 'PUT' && one.url().endsWith('/changes'))
    await save(on)
    expect((await answer).status()).toBe(200)
  }
  const conflict = () => page.getByRole('dialog', { name: /has changed this meanwhile$/ })

  /** Grace saves between the click of Ada and her request, so that the request is refused. */
  async function adaIsSecond(graceSaves: () => Promise<void>) {
    await page.unroute(/\/changes$/)
    let isFirst = true
    await page.route(/\/changes$/, async (route) => {
      if (route.request().method() === 'PUT' && isFirst) {
        isFirst = false
        await graceSaves()
      }
      return route.continue()
    })
  }

  inFull('ui/form/merge-set')(
    'keep both edits of different changes without a question, and read whose came in',
    async () => {
      await typeHeadline(page, 'From € 12')
      await other.getByRole('button', { name: 'Edit style of a.cta' }).click()
      await panel('Style of a.cta', other).getByLabel('Value 1').fill('blue')
      await adaIsSecond(() => saved(other))
      await save(page)
      await page
        .getByText(
          /^The change is saved\. What (Grace Hopper|Another person) changed meanwhile is kept: style of a\.cta\./,
        )
        .waitFor()
      expect((await draft()).changes).toMatchObject([{ value: 'From € 12' }, { value: { color: 'blue' } }])
      expect(await conflict().count()).toBe(0)
    },
  )

  it('see both sides of one change, and choose', async () => {
    await typeHeadline(page, 'Mine')
    await typeHeadline(other, 'Theirs')
    await adaIsSecond(() => saved(other))
    await save(page)
    await conflict().getByText('You both changed the following. Choose what to save.').waitFor()
    await conflict().getByRole('radio', { name: /Mine/ }).waitFor()
    await expectGoodPage(owner, 'design-conflict')
    await conflict().getByRole('button', { name: 'Back to the form' }).click()
    expect(await panel('Text of h1').getByLabel('New text').inputValue()).toBe('Mine')
    await save(page)
    await conflict()
      .getByRole('radio', { name: /Theirs/ })
      .check()
    await conflict().getByRole('button', { name: 'Save', exact: true }).click()
    await conflict().waitFor({ state: 'detached' })
    await settled(page)
    expect((await draft()).changes).toMatchObject([{ value: 'Theirs' }, { value: { color: 'red' } }])
  })
})

/** A form of one field in which another person is quicker. */
interface Edited {
  address: string
  field: string
  typed: [first: string, second: string]
  save: string
  /** What that person saves. */
  theirs: () => Promise<unknown>
  /** How the question names what they saved. */
  theirValue: string
  saved: () => Promise<unknown>
  becomes: [theirs: unknown, mine: unknown]
}

const variationsWith = (url: string | null) => [
  { key: 'original', weight: 5000 },
  { key: 'price', weight: 5000, redirect: url === null ? null : { url, keepQuery: true } },
]
const ofOthers: Record<string, Edited> = {
  'the redirect of a variation': {
    ...{ address: `${design}?panel=redirect`, field: 'Address', save: 'Save redirect' },
    ...{
      typed: ['https://shop.example/mine', 'https://shop.example/again'],
      theirValue: 'https://shop.example/theirs',
    },
    theirs: () => call('PATCH', '/1', { variations: variationsWith('https://shop.example/theirs') }),
    saved: async () => (await call('GET', '/1')).variations[1].redirect?.url,
    becomes: ['https://shop.example/theirs', 'https://shop.example/again'],
  },
  'the code of a variation': {
    ...{ address: `${design}?panel=code`, field: 'JavaScript', save: 'Save code', theirValue: 'theirs()' },
    typed: ['mine()', 'again()'],
    theirs: () => call('PUT', '/1/variations/price/code', { js: 'theirs()' }),
    saved: async () => (await call('GET', '/1/variations/price/code')).js,
    becomes: ['theirs()', 'again()'],
  },
  'the targeting': {
    ...{ address: `${inWebsite}/targeting`, field: 'Traffic', save: 'Save targeting', theirValue: '30 %' },
    typed: ['50', '60'],
    theirs: () => call('PATCH', '/1', { trafficAllocation: 3000 }),
    saved: async () => (await call('GET', '/1')).trafficAllocation,
    becomes: [3000, 6000],
  },
}

/** All three save with `useEditForm`. */
it.each(rowsOf(ofOthers, ['the redirect of a variation']))(
  'two people who edit %s at once see both values, and the later one chooses',
  async (_what, { address, field, typed, save, theirs, theirValue, saved, becomes }) => {
    await call('PATCH', '/1', { variations: variationsWith(null) })
    await call('PUT', changes, { changes: [], css: null })
    await openPage(page, address)
    await readAgain(page)
    const input = page.getByLabel(field, { exact: true })
    const conflict = page.getByRole('dialog', { name: /has changed this meanwhile$/ })
    await input.fill(typed[0])
    await theirs()
    await page.getByRole('button', { name: save }).click()
    await conflict.getByText('You both changed the following. Choose what to save.').waitFor()
    await conflict.getByRole('radio', { name: theirValue }).waitFor()
    expect(await saved()).toEqual(becomes[0])
    await conflict.getByRole('button', { name: 'Back to the form' }).click()
    expect(await input.inputValue()).toContain(typed[0])
    await input.fill(typed[1])
    await page.getByRole('button', { name: save }).click()
    await conflict.getByRole('button', { name: 'Save', exact: true }).click()
    await conflict.waitFor({ state: 'detached' })
    await expect.poll(saved).toEqual(becomes[1])
  },
)
