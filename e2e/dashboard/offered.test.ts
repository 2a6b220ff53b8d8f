import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { checkout, shop, website } from '../pictures/shop.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { closed, follow, onlyToRead, openFullSite, pages, settled } from './walk.ts'

const annie = { email: 'annie@example.com', name: 'Annie Easley', password: 'centaur rockets burn' }
const dorothy = { email: 'dorothy@example.com', name: 'Dorothy Vaughan', password: 'loops of fortran' }
const mary = { email: 'mary@example.com', name: 'Mary Jackson', password: 'wind tunnels howl' }

const site = openFullSite([
  { ...ada, role: 'OWNER' },
  { ...grace, role: 'VIEWER' },
  { ...annie, role: 'ANALYST' },
  { ...mary, role: 'EDITOR' },
  { ...dorothy, role: 'ADMIN' },
])
const people = { viewer: grace, analyst: annie, editor: mary }

const flag = `${shop}${checkout}?env=production`
const experiment = `${shop}/experiments/1`
const webExperiment = `${website}/experiments/1`
const design = `${webExperiment}/design/price`
const webhook = `${shop}/integrations/webhooks/deploy-log`
/** Panels that an editor has opened and shared as a link. `…` is the id of a rule. */
const panels = {
  'the editor of a rule': `${flag}&rule=…`,
  'a new rollout': `${flag}&rule=new-rollout`,
  'the schedule of a flag': `${flag}&schedule=flag`,
  'who always gets a variation': `${flag}&panel=always`,
  'a question of the palette': `${flag}&ask=pause`,
  'the editor of an audience': `${shop}/audiences/1?panel=edit`,
  'the editor of a metric': `${shop}/metrics/paid?panel=edit`,
  'the ids of a segment': `${shop}/segments/1?panel=add`,
  'the editor of an experiment': `${experiment}?panel=edit`,
  'the publish of an experiment': `${experiment}?panel=publish`,
  'the schedule of an experiment': `${experiment}?panel=schedule`,
  'the launch of a draft': `${shop}/experiments/2?panel=launch`,
  'the set-up of a draft': `${shop}/experiments/2?panel=size`,
  'the editor of a web experiment': `${webExperiment}?panel=edit`,
  'the publish of a web experiment': `${webExperiment}?panel=publish`,
  'the schedule of a web experiment': `${webExperiment}?panel=schedule`,
  'the launch of a web experiment': `${website}/experiments/2?panel=launch`,
  'a new change of a page': `${design}?panel=add`,
  'the editor of a change of a page': `${design}?panel=edit&change=c1`,
  'the CSS of a variation': `${design}?panel=css`,
  'the code of a variation': `${design}?panel=code`,
  'the changes as JSON': `${design}?panel=json`,
  'the hand-off of a variation': `${design}?panel=hand-off`,
  'a new preview of a variation': `${design}?panel=preview`,
  'the design of a draft': `${website}/experiments/2/design/variation-1?panel=example`,
  'a new web experiment': `${website}/experiments?panel=create`,
  'the goals of a new web experiment': `${website}/experiments?panel=create:goals`,
  'the results of a flag without a test': `${shop}/flags/legacy-cart/results?env=production`,
  'a delivery': `${webhook}?status=failed`,
}

/**
 * A viewer opens every page in `npm test`, which shows that each page asks for permission, and one panel of each page,
 * because the page asks for all of its panels. The others open the pages on which their role has more than a viewer, and
 * one of those on which it has not. A full run opens all.
 */
const always: Record<string, readonly string[]> = {
  viewer: [
    ...Object.entries(pages).flatMap(([name, address]) => (address.startsWith('/1-acme') ? [name] : [])),
    ...['the editor of a rule', 'the schedule of a flag', 'who always gets a variation', 'a question of the palette'],
    ...['the editor of an audience', 'the ids of a segment'],
    // Experiments of both kinds ask in two ways: for what edits, and for what launches or schedules.
    ...['the editor of an experiment', 'the schedule of an experiment', 'the launch of a draft'],
    ...['the editor of a web experiment', 'the schedule of a web experiment', 'the launch of a web experiment'],
    ...['a new change of a page', 'the code of a variation', 'a new preview of a variation'],
    ...['a new web experiment', 'a delivery'],
    'the results of a flag without a test',
  ],
  analyst: ['results', 'metrics', 'experiment', 'flag', 'the editor of a metric'],
  editor: [
    // Here an editor has actions, beside those of an administrator.
    ...['flag', 'flag settings', 'experiment', 'design', 'publish', 'environment', 'revision', 'environments'],
    // Here an editor has none.
    ...['webhook', 'members', 'project settings'],
  ],
}

/** Controls that change nothing for others. */
const onlyLooks = [
  // Controls of tables and lists.
  ...[/^Filter/, /^Columns$/, /^Order/, /^(Flag|Evaluated|Edited|Production|Development|Staging)$/],
  // Choices of what the page shows.
  ...[
    /^(With changes|Live only|Swap|Show|Show .*|JSON|Split by|Metric|Compare|With|Environment|Project)$/,
    /^Refresh$/,
  ],
  // The playground, the review and the calculator compute.
  ...[/^(Visitor id|country|plan|Flag|Live|After publish|A revision|A time|Add an attribute|Only what differs)$/],
  ...[
    /^Preview /,
    /^Try /,
    /^The metric is$/,
    /^Share now/,
    /^Smallest change/,
    /^New visitors/,
    /^Variations$/,
    /^Guardrail now/,
  ],
  // The preview of a placement.
  ...[/^Products on the page or in the cart$/, /^Looked at before$/, /^Variant$/],
  // The tester of a web experiment.
  ...[/^(The draft|What visitors get now)$/],
  ...[/^Results are read$/, /^(Status:|Remove the filter|Clear filters)/],
  // Copies and downloads.
  ...[/^Share$/, /^Copy/, /^(SDK key|Data file|Address|Changes)$/, /^(Export|Download)/, /^Close/],
  // The person's own settings.
  ...[/^Leave the organization$/, /^More for this flag$/],
]
/** Actions of owners and admins only. */
const ofAdmins =
  /^(Publish|Create (project|webhook|role|token|destination|an ingest key|a second)|Change what requires|Revoke the|Add environment|Invite|Rename|Save (environment|project|webhook|destination|settings)|Delete (project|environment)|Send|Rotate|Disable|Enable|Retry|Replay|Switch)/

/** The names of all controls, except links and tabs. */
const controls = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('main, [role=dialog], [role=alertdialog]')]
      .flatMap((part) => [...part.querySelectorAll<HTMLInputElement>('button, input, select, textarea')])
      .filter((each) => !each.disabled && each.ariaDisabled !== 'true' && each.role !== 'tab')
      .filter((each) => each.checkVisibility() && each.closest('[aria-hidden=true], [inert]') === null)
      .map(
        (each) =>
          each.getAttribute('aria-label') ?? (each.labels?.[0]?.textContent || each.textContent || each.type).trim(),
      ),
  )
/**
 * The names of what is offered in menus. Each is opened with a click and closed with another: `Escape` would also close
 * a panel.
 */
async function itemsOfMenus(page: Page): Promise<Record<string, string[]>> {
  const items: Record<string, string[]> = {}
  const menu = page.getByRole('menu')
  for (const button of await page.locator('button[aria-haspopup=menu]:visible').all()) {
    const name = await button.evaluate((each) =>
      each.closest('main, [role=dialog], [role=alertdialog]') && !each.closest('[aria-hidden=true], [inert]')
        ? (each.getAttribute('aria-label') ?? each.textContent)
        : null,
    )
    if (name === null) continue
    await button.click()
    await menu.waitFor()
    items[name] = await menu.getByRole('menuitem').allInnerTexts()
    await button.click()
    await menu.waitFor({ state: 'detached' })
  }
  return items
}
/** The menus that an editor finds on a page. The test waits for them, because they are drawn last. */
const menusOfEditor: Record<string, string[]> = {
  flag: ['More for this flag', 'More for One page for all', 'Change what everyone else gets', 'Copy rules from…'],
  experiment: ['More actions'],
}
/** What a menu offers to everyone. */
const leadsOn =
  /^(Copy link|Copy link to this view|Print or save as PDF|Download picture.*|Open in the playground|Compare environments)$/

/** Links whose words promise that something is changed. */
const verbs = /^(Add|Create|Edit|Publish|Review and publish|Run|Pause|Set up|Make|Change)\b/

async function open(page: Page, path: string): Promise<void> {
  await follow(page, path)
  await settled(page)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

async function saysWhoCanChange(page: Page, name: string): Promise<void> {
  const main = page.getByRole('main')
  const says = closed[name] ?? / can change your role\.$/
  if (!onlyToRead.includes(name)) await main.getByText(says).first().waitFor()
  expect(await main.getByRole('alert').allInnerTexts()).toEqual([])
}

describe.each(['viewer', 'analyst', 'editor'] as const)('what is offered to a person who is %s', (role) => {
  let page: Page
  const refused: string[] = []
  let path: (address: string) => string
  beforeAll(async () => {
    refused.length = 0
    page = (await site.visit(people[role])).page
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`)
    })
    const [rule] = await prepare(
      site.service.url,
      'GET',
      '/api/v1/projects/1/flags/one-page-checkout/envs/production/rules',
    )
    path = (address) => address.replace('…', rule.id)
  })

  const places = { ...pages, ...(role === 'editor' ? {} : panels) }
  const inAcme = Object.fromEntries(Object.entries(places).filter(([, address]) => address.startsWith('/1-acme')))
  it.each(rowsOf(inAcme, always[role]!))('%s', async (name, address) => {
    await open(page, path(address))
    if (address.startsWith(flag)) await page.getByText('One page for all').first().waitFor()
    const expected = (role === 'editor' && menusOfEditor[name]) || []
    if (expected.length > 0) await page.getByRole('button', { name: expected.at(-1)!, exact: true }).waitFor()
    const found = await controls(page)
    const links = await page.locator('main').getByRole('link').allInnerTexts()
    const menus = await itemsOfMenus(page)
    const items = Object.values(menus).flat()
    expect(Object.keys(menus)).toEqual(expect.arrayContaining(expected))
    if (role === 'editor') {
      expect([...found, ...links, ...items].filter((each) => ofAdmins.test(each))).toEqual([])
    } else {
      if (role === 'viewer' && name in pages) await saysWhoCanChange(page, name)
      expect(found.filter((each) => !onlyLooks.some((allowed) => allowed.test(each)))).toEqual([])
      expect(links.filter((each) => verbs.test(each))).toEqual([])
      expect(items.filter((each) => !leadsOn.test(each))).toEqual([])
    }
    expect(refused).toEqual([])
  })
})

describe('an editor, who stages changes that others publish', () => {
  let editor: Visitor
  let page: Page
  beforeAll(async () => {
    editor = await site.visit(mary)
    page = editor.page
    await page.goto(flag)
  })
  const title = () => page.getByRole('heading', { level: 1, name: 'Changes for Production' })

  it('comes to the review, which says who can publish', async () => {
    await page.getByText('Owners and admins can publish.').waitFor()
    await expectGoodPage(editor, 'flag of an editor')
    await page.getByRole('link', { name: 'Review', exact: true }).click()
    await title().waitFor()
    await page.getByText('You can review changes, but not publish.').waitFor()
    await page.getByRole('button', { name: 'Copy link' }).waitFor()
    await page.getByText('Dorothy Vaughan (admin) can change your role.').waitFor()
    await page.getByLabel('Preview One-page checkout').waitFor()
    await expectGoodPage(editor, 'review of an editor')
  })

  it('finds the same at the key and in the palette', async () => {
    await page.goBack()
    await page.getByRole('link', { name: 'Review', exact: true }).waitFor()
    await page.keyboard.press('?')
    const shortcuts = page.getByRole('dialog')
    await shortcuts.getByText('Review', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await shortcuts.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('one-page checkout')
    await page.getByRole('option', { name: /^Review One-page checkout in Production/ }).waitFor()
    expect(await page.getByRole('option', { name: /publish/i }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+P')
    await title().waitFor()
  })

  inFull('dashboard/publish')('hands the link to an admin, who publishes on a phone', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(clipboard).toContain('/environments/production/publish')
    const link = await clipboard()
    const admin = await site.visit(dorothy)
    await admin.page.setViewportSize({ width: 360, height: 740 })
    await admin.page.goto(link)
    await admin.page.getByRole('heading', { level: 1, name: 'Publish to Production' }).waitFor()
    await admin.page.getByLabel('Comment').fill('Reviewed by Mary')
    const publish = admin.page.getByRole('button', { name: 'Publish 2 changes to Production' })
    // It stays in the bar at the bottom.
    await expect.poll(async () => (await publish.boundingBox())?.y).toBeGreaterThan(600)
    await publish.click()
    await admin.page
      .getByText(/^Published to Production\. Visitors get the changes of .* now, as revision \d+\.$/)
      .waitFor()
    expect(await admin.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(admin.complaints).toEqual([])
    const inProduction = '/api/v1/projects/1/flags/one-page-checkout/envs/production'
    const { live, changes } = await prepare(site.service.url, 'GET', inProduction)
    expect(changes).toEqual([])
    expect(live.rules.map(({ name }: { name: string }) => name)).toEqual(['Beta users in Benelux', 'One page for all'])
  })
})
