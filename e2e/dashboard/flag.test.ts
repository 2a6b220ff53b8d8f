import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../../packages/sdk/src/index.ts'
import { stream } from '../../packages/sdk/src/stream.ts'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, keeps, pageWithoutPointer, tabTo, type Visitor } from './browser.ts'
import { evaluate, offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const flags = '/1-acme/1-web-shop/flags'
const project = '/api/v1/projects/1'
const site = openSite()
let owner: Visitor
let page: Page

const call = (method: string, path: string, body?: object) =>
  prepare(site.service.url, method, `${project}${path}`, body)
const flagIn = (key: string, environment = 'production') => call('GET', `/flags/${key}/envs/${environment}`)
const rulesAt = (key: string) => `/flags/${key}/envs/production/rules`
const rollout = (name: string, more = {}) => ({ type: 'TARGETED_DELIVERY', name, variationKey: 'on', ...more })
const createFlag = (name: string, key: string, more = {}) => call('POST', '/flags', { ...offOn(name, key), ...more })
const rule = (name: string) => page.getByRole('listitem', { name, exact: true })
const panel = (name: string | RegExp) => page.getByRole('dialog', { name })

beforeAll(async () => {
  owner = await site.visit()
})

describe('by keyboard alone', () => {
  /** More than one, and each with a stream, like the processes of a real service. */
  const clients: Client[] = []
  const visitors = Array.from({ length: 40 }, (_, number) => ({ targetingKey: `u-${number}` }))
  const served = () =>
    clients.flatMap((client) => visitors.map((visitor) => client.getBoolean('one-page-checkout', false, visitor)))

  beforeAll(async () => {
    page = await pageWithoutPointer(owner)
  })
  afterAll(async () => {
    for (const client of clients.splice(0)) client.close()
    await page.close()
    page = owner.page
    await page.goto(`${flags}/one-page-checkout?env=production`)
  })

  it('goes from sign-in to a running flag with two rules', async () => {
    await page.goto('/sign-in')
    await tabTo(page.getByLabel('E-mail address'))
    await page.keyboard.type(ada.email)
    await tabTo(page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(ada.password)
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.keyboard.press('Control+k')
    await hasFocus(page.getByRole('combobox', { name: 'Search flags, pages and actions' }))
    await page.keyboard.type('web shop')
    await expect.poll(() => page.getByRole('option').first().innerText()).toMatch(/^Web shop/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No flags yet' }).waitFor()
    await page.keyboard.press('c')
    await hasFocus(page.getByRole('dialog', { name: 'Create a flag' }).getByLabel('Name'))
    await page.keyboard.type('One-page checkout')
    await page.keyboard.press('Enter')
    await page.getByText('No rules yet. Everyone gets the same.').waitFor()

    for (const name of ['Beta users', 'Colleagues']) {
      await page.keyboard.press('c')
      await hasFocus(page.getByRole('heading', { name: 'New rollout' }))
      await tabTo(page.getByLabel('Name', { exact: true }))
      await page.keyboard.type(name)
      await page.keyboard.press('Control+Enter')
      await rule(name).waitFor()
      await expect.poll(() => panel('New rollout').count()).toBe(0)
    }

    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await hasFocus(rule('Colleagues'))
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByText('Colleagues is rule 1 of 2.').waitFor()
    await hasFocus(rule('Colleagues'))
    expect((await flagIn('one-page-checkout')).draft.rules.map(({ name }: { name: string }) => name)).toEqual([
      'Colleagues',
      'Beta users',
    ])

    await page.keyboard.press('r')
    const question = page.getByRole('dialog', { name: 'run One-page checkout in Production' })
    await question.getByText('This publishes the draft in Production: 2 rules.').waitFor()
    await hasFocus(question.getByRole('button', { name: 'Run' }))
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await flagIn('one-page-checkout')).enabled).toBe(true)
    await rule('Beta users').getByText('Serving').waitFor()
    const { live } = await flagIn('one-page-checkout')
    expect(live.rules).toMatchObject([{ name: 'Colleagues', variationKey: 'on' }, { name: 'Beta users' }])
  })

  it('shows a rule that a program replaces meanwhile', async () => {
    const path = rulesAt('one-page-checkout')
    await call('DELETE', `${path}/colleagues`)
    const { id } = await call('POST', path, {
      name: 'One page for all',
      type: 'AB_TEST',
      audienceIds: [],
      baselineVariationKey: 'off',
      variations: ['off', 'on'].map((variationKey) => ({ variationKey, weight: 5000 })),
    })
    await call('PUT', `${path}/reorder`, { ruleIds: [id, 'beta-users'] })
    await call('POST', '/environments/production/publish', {})
    await rule('One page for all').getByText('Serving').waitFor()
    await expect.poll(() => rule('Colleagues').count()).toBe(0)
  })

  it('pauses with P and Enter: every client serves the default, and the page says so', async () => {
    const { sdkKey } = await call('GET', '/environments/production')
    for (let number = 0; number < 12; number += 1)
      clients.push(createClient({ sdkKey, baseUrl: site.service.url, stream, tracking: false }))
    await Promise.all(clients.map((client) => client.waitUntilReady()))
    expect(new Set(served())).toEqual(new Set([true, false]))
    await expect.poll(async () => (await call('GET', '/environments/production/clients')).length).toBe(12)
    await page.keyboard.press('p')
    await hasFocus(page.getByRole('dialog', { name: 'pause One-page checkout' }).getByRole('button', { name: 'Pause' }))
    await page.keyboard.press('Enter')
    await page.getByText(/^Live in 12 of 12 clients/).waitFor()
    expect(new Set(served())).toEqual(new Set([false]))
    await page.keyboard.press('r')
    await hasFocus(page.getByRole('dialog', { name: 'run One-page checkout' }).getByRole('button', { name: 'Run' }))
    await page.keyboard.press('Enter')
    await expect.poll(() => new Set(served()).size).toBe(2)
  })

  inFull('flags/publishing/routes')('changes a share and publishes it, and the clients serve it', async () => {
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await hasFocus(rule('One page for all'))
    await page.keyboard.press('e')
    const editor = panel('Edit A/B test: One page for all')
    await hasFocus(editor.getByRole('heading', { name: 'Edit A/B test: One page for all' }))
    await tabTo(editor.getByLabel('Traffic', { exact: true }))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('0')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => editor.count()).toBe(0)
    await page.keyboard.press('Shift+P')
    await hasFocus(page.getByRole('heading', { name: 'Publish to Production', level: 1 }))
    await tabTo(page.getByRole('button', { name: 'Publish 1 change' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Published to / }).waitFor()
    // The test has no visitors any more, so the rollout below it decides for everyone.
    await expect.poll(() => new Set(served())).toEqual(new Set([true]))
  })
})

it('a person edits the share of a rule: both values are side by side, and the change can be undone', async () => {
  await rule('Beta users').getByRole('button', { name: 'Edit Beta users' }).click()
  await panel('Edit rollout: Beta users').getByLabel('Share', { exact: true }).fill('50')
  await panel('Edit rollout: Beta users').getByRole('button', { name: 'Save draft' }).click()
  await rule('Beta users').getByText('100 %').waitFor()
  await rule('Beta users').getByText('50 %').waitFor()
  await rule('Beta users').getByText('by Ada Lovelace, just now').waitFor()
  await page.getByText('1 unpublished change', { exact: true }).first().waitFor()
  await page.getByText(/by Ada Lovelace.*Visitors get it with the next publish to Production/).waitFor()
  const { live, draft } = await flagIn('one-page-checkout')
  expect([live.rules[1].trafficAllocation, draft.rules[1].trafficAllocation]).toEqual([10_000, 5000])

  await page.getByRole('button', { name: 'Live only' }).click()
  await page.waitForURL('**view=live**')
  await expect.poll(() => rule('Beta users').getByText('50 %').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Edit Beta users' }).count()).toBe(0)
  await page.keyboard.press('l')
  await rule('Beta users').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Beta users matches its live version.').waitFor()
  expect((await flagIn('one-page-checkout')).changes).toEqual([])

  await page.getByRole('button', { name: 'Recent' }).click()
  await page.getByRole('menuitem', { name: /Beta users matches its live version/ }).click()
  await rule('Beta users').getByText('50 %').waitFor()
  expect((await flagIn('one-page-checkout')).changes).toMatchObject([{ from: 10_000, to: 5000 }])
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('One-page checkout matches its live version in Production.').waitFor()
  expect((await flagIn('one-page-checkout')).changes).toEqual([])
  await page.keyboard.press('Control+z')
  await rule('Beta users').getByText('50 %').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(async () => (await flagIn('one-page-checkout')).changes).toEqual([])
  await rule('Beta users').getByText('50 %').waitFor({ state: 'detached' })
})

describe('two people edit one rule', () => {
  const open = async () => {
    await rule('Beta users').getByRole('button', { name: 'Edit Beta users' }).click()
    const editor = panel('Edit rollout: Beta users')
    await editor.getByLabel('Share', { exact: true }).waitFor()
    return editor
  }
  const beta = async () => (await flagIn('one-page-checkout')).draft.rules[1]
  const meanwhile = async (body: object) => call('PATCH', `${rulesAt('one-page-checkout')}/${(await beta()).id}`, body)

  inFull('dashboard/conflicts')('other fields: both edits are kept', async () => {
    const editor = await open()
    await editor.getByLabel('Share', { exact: true }).fill('25')
    await meanwhile({ name: 'Beta users in Benelux' })
    await editor.getByText('Tests has changed this rule, just now').waitFor()
    await editor.getByText('Name: Beta users → Beta users in Benelux').waitFor()
    await editor.getByText('It does not touch your edit.').waitFor()
    await editor.getByRole('button', { name: 'Save draft' }).click()
    const dialog = page.getByRole('dialog', { name: /has changed this meanwhile/ })
    await dialog.getByText('Name is as').waitFor()
    await dialog.getByText('Then: 25 % of everyone get on.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => editor.count()).toBe(0)
    expect(await beta()).toMatchObject({ name: 'Beta users in Benelux', trafficAllocation: 2500 })
    await meanwhile({ name: 'Beta users' })
    await page.reload()
  })

  it('the same field: the chosen value is saved', async () => {
    const editor = await open()
    await editor.getByLabel('Share', { exact: true }).fill('30')
    await meanwhile({ trafficAllocation: 4000 })
    await editor.getByText('You have changed this too: Share. You choose when you save.').waitFor()
    await editor.getByRole('button', { name: 'Save draft' }).click()
    const dialog = page.getByRole('dialog', { name: /has changed this meanwhile/ })
    await dialog.getByText('Then: 30 % of everyone get on.').waitFor()
    // Both are side by side, and mine is chosen at first.
    expect(await dialog.getByRole('radio').count()).toBe(2)
    expect(await dialog.getByRole('radio', { name: 'Yours 30 %' }).isChecked()).toBe(true)
    await dialog.getByRole('radio', { name: '40 %' }).check()
    await dialog.getByText('Then: 40 % of everyone get on.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => editor.count()).toBe(0)
    expect(await beta()).toMatchObject({ trafficAllocation: 4000 })
  })

  it('says that the rule was moved, which does not touch the edit', async () => {
    const editor = await open()
    const { draft } = await flagIn('one-page-checkout')
    const ids = draft.rules.map(({ id }: { id: string }) => id)
    await call('PUT', `${rulesAt('one-page-checkout')}/reorder`, { ruleIds: ids.toReversed() })
    await editor.getByText('Tests moved this rule to place 1, just now. It does not touch your edit.').waitFor()
    await call('PUT', `${rulesAt('one-page-checkout')}/reorder`, { ruleIds: ids })
    await editor.getByText('moved this rule').waitFor({ state: 'detached' })
    await editor.getByRole('button', { name: 'Cancel' }).click()
  })

  inFull('dashboard/gallery')('keeps what was typed over a reload', async () => {
    const editor = await open()
    await editor.getByLabel('Share', { exact: true }).fill('77')
    await keeps(page, '"trafficAllocation":7700')
    await page.reload()
    await editor.getByText('These are your unsaved changes from before').waitFor()
    expect(await editor.getByLabel('Share', { exact: true }).inputValue()).toBe('77')
    await editor.getByRole('button', { name: 'Cancel' }).click()
  })
})

inFull('ui/conditions/condition-check')(
  'the form says at each condition what is missing, and leaves out rows in which nothing was entered',
  async () => {
    await page.getByRole('button', { name: 'Add rollout' }).click()
    const editor = panel('New rollout')
    await editor.getByLabel('Name', { exact: true }).fill('Broken')
    await editor.getByText('Reads: everyone').waitFor()
    const mode = editor.getByLabel('How many conditions must hold')
    expect(await mode.count()).toBe(0)
    await editor.getByRole('button', { name: 'Condition', exact: true }).click()
    await mode.waitFor()
    await editor.getByLabel('Attribute').fill('country')
    await editor.getByRole('button', { name: 'Condition', exact: true }).click()
    await editor.getByRole('button', { name: 'Save draft' }).click()
    await editor.getByText('Add at least one value.').waitFor()
    expect(await editor.getByLabel('Attribute').count()).toBe(1)
    await expectGoodPage(owner, 'flag rule missing')
    await editor.getByLabel('Attribute').fill('')
    await editor.getByLabel('Values', { exact: true }).fill('NL')
    await page.keyboard.press('Enter')
    await editor.getByRole('button', { name: 'Save draft' }).click()
    await editor.getByText('Enter an attribute, for example country.').waitFor()
    await hasFocus(editor.getByLabel('Attribute'))
    await editor.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => editor.count()).toBe(0)
    expect((await flagIn('one-page-checkout')).draft.rules).toHaveLength(2)
  },
)

it('the panel says who always gets a variation, keeps what is typed, and merges two edits', async () => {
  const allowlist = async () => (await flagIn('one-page-checkout')).draft.overrides.environmentAllowlist
  await page.getByText('Individual visitors: none', { exact: true }).waitFor()
  const edit = page.getByRole('button', { name: 'Edit the individual visitors' })
  const line = edit.locator('..')
  await edit.click()
  const editor = panel('Individual visitors')
  await editor.getByLabel('Visitors who always get On').fill('u-17')
  await page.keyboard.press('Enter')
  await keeps(page, '"u-17"')
  await page.reload()
  await edit.click()
  await editor.getByText('These are your unsaved changes from before').waitFor()
  await call('PUT', '/flags/one-page-checkout/envs/production/overrides', {
    environmentAllowlist: [{ variationKey: 'off', userIds: ['u-9', 'u-17'] }],
    ruleAllowlists: [],
  })
  await editor.getByRole('button', { name: 'Save draft' }).click()
  const dialog = page.getByRole('dialog', { name: 'has changed this meanwhile' })
  await dialog.getByText('The list of Off is as').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await line.getByText(/^Individual visitors: .*1 visitor gets off, 1 gets on/).waitFor()
  expect(await allowlist()).toEqual([
    { variationKey: 'off', userIds: ['u-9'] },
    { variationKey: 'on', userIds: ['u-17'] },
  ])
  // The page shows what was saved a moment before the panel closes.
  await editor.waitFor({ state: 'detached' })
  await edit.click()
  await editor.getByRole('button', { name: 'Remove u-9' }).click()
  await editor.getByRole('button', { name: 'Save draft' }).click()
  await line.getByText(/^Individual visitors: .*1 visitor gets on/).waitFor()
  expect(await allowlist()).toEqual([{ variationKey: 'on', userIds: ['u-17'] }])
})

it('the page shows hostile and long names, every state of a rule, and an editor', async () => {
  const long = 'A name at the limit of its length '.repeat(6).slice(0, 190)
  const at = rulesAt('one-page-checkout')
  await call('POST', at, rollout('<script>alert(1)</script>', { conditions: conditions(['NL', 'BE', 'LU']) }))
  await call('POST', at, rollout(long, { trafficAllocation: 2500 }))
  await call('POST', '/environments/production/publish')
  const { draft } = await flagIn('one-page-checkout')
  await call('PATCH', `${at}/${draft.rules[2].id}`, { conditions: conditions(['NL']), trafficAllocation: 5000 })
  await call('DELETE', `${at}/${draft.rules[3].id}`)
  await call('POST', at, rollout('مستخدمو النسخة التجريبية'))
  await call('POST', `${at}/${draft.rules[1].id}/pause`)
  // A reload could open the panel of the test before again.
  await openPage(page, `${flags}/one-page-checkout?env=production`)
  await page.getByText('Deleted with the next publish').first().waitFor()
  await page.getByText('Show the changes').click()
  await expectGoodPage(owner, 'flag')
  await page.getByRole('button', { name: 'Edit <script>' }).click()
  await panel(/^Edit rollout: <script>/)
    .getByLabel('Share', { exact: true })
    .waitFor()
  await expectGoodPage(owner, 'flag rule')
  await page.keyboard.press('Escape')
})

const conditions = (value: string[]) => ({ all: [{ attribute: 'country', operator: 'in', value }] })

inFull('dashboard/flags')(
  'the switch offers Pause in the place of Undo after a first run, because the draft stays published',
  async () => {
    await createFlag('First run', 'first-run')
    await openPage(page, `${flags}/first-run?env=development`)
    await page.getByRole('switch', { name: 'First run in Development: paused' }).click()
    const message = page
      .getByRole('alert')
      .filter({ hasText: 'First run runs in Development. Its draft is published.' })
    await message.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('First run is paused in Development. Its draft stays published.').waitFor()
    const { enabled, lastPublishedRevision } = await flagIn('first-run', 'development')
    expect([enabled, lastPublishedRevision !== null]).toEqual([false, true])
  },
)

it('a rollout can count its visitors', async () => {
  await createFlag('Short-lived', 'short-lived')
  await openPage(page, `${flags}/short-lived?env=development`)
  await page.getByRole('button', { name: 'Add rollout' }).click()
  await panel('New rollout').getByLabel('Name', { exact: true }).fill('Counted')
  await panel('New rollout').getByLabel('Count exposures').check()
  await panel('New rollout').getByRole('button', { name: 'Save draft' }).click()
  await rule('Counted').waitFor()
  expect((await flagIn('short-lived', 'development')).draft.rules).toMatchObject([{ name: 'Counted', exposures: true }])
})

inFull('dashboard/live')(
  'the page stays readable after another person deletes the flag, and offers no more actions',
  async () => {
    await call('POST', '/flags/short-lived/archive')
    await page.getByText('This flag is archived').waitFor()
    await call('DELETE', '/flags/short-lived')
    await page.getByText('Deleted by Tests').waitFor()
    await rule('Counted').waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Add|Schedule|Review)/ }).count()).toBe(0)
  },
)

inFull('dashboard/gallery')(
  'the switch says before it is used whether clients have what is live, and its words fit into a narrow window',
  async () => {
    await createFlag('Narrow', 'narrow')
    await openPage(page, `${flags}/narrow?env=development`)
    await page.getByText('No client is connected', { exact: true }).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    const button = page.getByRole('switch', { name: /^Narrow in Development/ })
    await button.click()
    const said = page.getByRole('status').filter({ hasText: 'Saved. No client is connected to Development.' })
    await said.waitFor()
    const [one, other] = [await button.boundingBox(), await said.boundingBox()]
    expect(one!.x + one!.width <= other!.x || one!.y + one!.height <= other!.y).toBe(true)
    await page.setViewportSize({ width: 1440, height: 900 })
  },
)

describe('A/B tests', () => {
  it('are added as experiments, with the flag and the environment chosen', async () => {
    await createFlag('Tested', 'tested')
    await openPage(page, `${flags}/tested?env=development`)
    await page.getByRole('link', { name: 'Add A/B test' }).click()
    const setUp = page.getByRole('dialog', { name: 'Create an experiment' })
    await setUp.getByLabel('Hypothesis').or(setUp.getByLabel('If we')).first().waitFor()
    await expect.poll(() => setUp.getByLabel('Flag', { exact: true }).inputValue()).toBe('Tested (tested)')
    await expect.poll(() => setUp.getByLabel('Environment').inputValue()).toBe('development')
  })

  it('that are plain rules can become experiments', async () => {
    const { id } = await call('POST', '/flags/tested/envs/production/rules', {
      name: 'Plain',
      type: 'AB_TEST',
      audienceIds: [],
      baselineVariationKey: 'off',
      variations: ['off', 'on'].map((variationKey) => ({ variationKey, weight: 5000 })),
    })
    await openPage(page, `${flags}/tested?env=production`)
    await page.getByRole('button', { name: 'Make it an experiment: Plain' }).click()
    await page.getByRole('heading', { name: 'Plain', level: 1 }).waitFor()
    expect((await call('GET', `/flags/tested/envs/production/rules/${id}`)).experimentId).not.toBeNull()
  })
})

describe('settings', () => {
  it('renames the flag and changes its key, which the address follows', async () => {
    await createFlag('Price test', 'price-test')
    await openPage(page, `${flags}/price-test/settings`)
    await page.getByLabel('Key', { exact: true }).first().fill('pricing')
    await page.getByLabel('Name', { exact: true }).first().fill('Pricing')
    await page.getByRole('button', { name: 'Save flag' }).click()
    await page.waitForURL(`**${flags}/pricing/settings**`)
    await page.getByRole('heading', { name: 'Pricing', level: 1 }).waitFor()
    expect(await call('GET', '/flags/pricing')).toMatchObject({ name: 'Pricing' })
  })

  it('pauses a flag that runs before it archives it, and Undo runs it again', async () => {
    const switchBoth = async (to: 'run' | 'pause') => {
      for (const environment of ['production', 'development'])
        await call('POST', `/flags/pricing/envs/${environment}/${to}`)
    }
    const stateOf = async () => {
      const { status, environments } = await call('GET', '/flags/pricing')
      const running = environments.filter(({ enabled }: { enabled: boolean }) => enabled)
      return [status, ...running.map(({ name }: { name: string }) => name)]
    }
    await switchBoth('run')
    await page.getByText('You can delete it once it is archived.').waitFor()
    await page.getByRole('button', { name: 'Archive…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Archive Pricing' })
    await dialog.getByText('It runs in Production and Development. It is paused there first').waitFor()
    if (isFull) await expectGoodPage(owner, 'archive of a running flag', [])
    await dialog.getByRole('button', { name: 'Pause and archive' }).click()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    expect(await stateOf()).toEqual(['ARCHIVED'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Pricing is restored. It runs in Production and Development again.').waitFor()
    expect(await stateOf()).toEqual(['RUNNING', 'Production', 'Development'])
    await switchBoth('pause')
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor()
  })

  it('merges an edit of the settings with that of another person', async () => {
    await page.getByLabel('Name', { exact: true }).first().fill('Prices')
    await page.getByLabel('Keep this flag for good').check()
    await call('PATCH', '/flags/pricing', { name: 'Price', tags: ['shop'] })
    await page.getByRole('button', { name: 'Save flag' }).click()
    const dialog = page.getByRole('dialog', { name: 'has changed this meanwhile' })
    await dialog.getByText('The list of tags is as').waitFor()
    await dialog.getByRole('group', { name: 'The name' }).getByText('Price', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor()
    expect(await call('GET', '/flags/pricing')).toMatchObject({ name: 'Prices', tags: ['shop'], permanent: true })
    await page.getByLabel('Name', { exact: true }).first().fill('Pricing')
    await page.getByRole('button', { name: 'Save flag' }).click()
    await page.getByRole('heading', { name: 'Pricing', level: 1 }).waitFor()
  })

  it('asks for another default if its variation is deleted', async () => {
    const text = (key: string) => ({ name: key, key, value: key })
    const variations = ['x', 'y', 'z'].map(text)
    const wording = await createFlag('Wording', 'wording', { type: 'STRING', variations, defaultVariationKey: 'x' })
    const defaultVariationId = wording.variations[2].id
    for (const { key } of await call('GET', '/environments'))
      await call('PATCH', `/flags/wording/envs/${key}`, { defaultVariationId })
    await openPage(page, `${flags}/wording/settings`)
    await page.getByRole('button', { name: 'Delete x' }).click()
    const byDefault = page.getByLabel('Default', { exact: true })
    expect(await byDefault.locator('option').allTextContents()).toEqual(['Choose one', 'y (y)', 'z (z)'])
    const fault = page.getByText('Choose the default.', { exact: true })
    await page.getByRole('button', { name: 'Save variations' }).click()
    await fault.waitFor()
    await hasFocus(byDefault)
    await byDefault.selectOption('z')
    await fault.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save variations' }).click()
    await page.getByRole('alert').filter({ hasText: 'Saved. Visitors get this' }).waitFor()
    expect(await call('GET', '/flags/wording')).toMatchObject({
      defaultVariationKey: 'z',
      variations: [{ key: 'y' }, { key: 'z' }],
    })
  })

  it('checks JSON before it is sent, and deletes a variation only when no rule uses it any more', async () => {
    const json = (key: string) => ({ name: key, key, value: `{"at":"${key}"}` })
    await createFlag('Banner', 'banner', {
      type: 'JSON',
      variations: ['a', 'b', 'c'].map(json),
      defaultVariationKey: 'a',
    })
    const used = await call('POST', rulesAt('banner'), rollout('Uses c', { variationKey: 'c' }))
    await openPage(page, `${flags}/banner/settings`)
    const value = page.getByRole('group', { name: 'b' }).getByLabel('Value')
    await value.fill('{at}')
    await page.getByRole('button', { name: 'Save variations' }).click()
    await page.getByText('This is not JSON').waitFor()
    await hasFocus(value)
    await value.fill('{"at":"here"}')
    await keeps(page, String.raw`{\"at\":\"here\"}`)
    await page.reload()
    await page.getByText('These are your unsaved changes from before').waitFor()
    expect(await value.inputValue()).toBe('{"at":"here"}')
    await page.getByRole('button', { name: 'Delete c' }).click()
    await page.getByRole('button', { name: 'Save variations' }).click()
    await page.getByText('Still used: c').waitFor()
    await expectGoodPage(owner, 'flag settings')
    const link = page.getByRole('link', { name: 'a rule in Production' })
    expect(await link.getAttribute('href')).toContain(`rule=${used.id}`)
    await call('DELETE', `${rulesAt('banner')}/${used.id}`)
    await page.getByRole('button', { name: 'Save variations' }).click()
    await page.getByRole('alert').filter({ hasText: 'Saved. Visitors get this' }).waitFor()
    expect((await call('GET', '/flags/banner')).variations).toMatchObject([
      { key: 'a', name: 'a' },
      { key: 'b', value: '{"at":"here"}' },
    ])
  })

  inFull('variations/variation-fields')('merges an edit of a variation with that of another person', async () => {
    const value = page.getByRole('group', { name: 'b' }).getByLabel('Value')
    await value.fill('{"at":"home"}')
    await call('PATCH', '/flags/banner', { description: 'Shown on top.' })
    const [a, b] = (await call('GET', '/flags/banner')).variations
    const renamed = [
      { ...a, name: 'First' },
      { ...b, value: '{"at":"there"}' },
    ]
    await call('PUT', '/flags/banner/variations', { variations: renamed, defaultVariationKey: 'a' })
    await page.getByRole('button', { name: 'Save variations' }).click()
    const dialog = page.getByRole('dialog', { name: 'has changed this meanwhile' })
    await dialog.getByText('The variation a is as').waitFor()
    await dialog.getByText('b (b): {"at":"there"}').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await call('GET', '/flags/banner')).variations)
      .toMatchObject([
        { key: 'a', name: 'First' },
        { key: 'b', value: '{"at":"home"}' },
      ])
  })

  it('says where code still evaluates a flag before it is archived', async () => {
    await evaluate(site.service.url, 'banner')
    await readAgain(page)
    await page.getByRole('button', { name: 'Archive…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Archive Banner' })
    await dialog.getByText('Code has evaluated it in the last 7 days:').waitFor()
    await dialog.getByText('SDKs that ask for an archived flag return the default in your code').waitFor()
    const clients = dialog.getByRole('link', { name: 'Clients of Production' })
    expect(await clients.getAttribute('href')).toContain('/environments/production/clients')
    expect(await dialog.getByRole('listitem').count()).toBe(1)
    await expectGoodPage(owner, 'flag archive in use')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await call('GET', '/flags/banner')).status).toBe('DRAFT')
  })

  it('archives a flag, and deletes it only after its key is typed', async () => {
    await page.getByRole('button', { name: 'Archive…' }).click()
    await page.getByRole('dialog', { name: 'Archive Banner' }).getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Banner' })
    await dialog.getByRole('button', { name: 'Delete the flag' }).click()
    await dialog.getByText('Type banner exactly.').waitFor()
    await dialog.getByLabel(/^Type banner/).fill('banner')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${flags}**`)
    await page.getByText('Banner is deleted.').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Banner' }).count()).toBe(0)
  })
})

inFull('dashboard/live')('the page says who has just changed the flag or one of its rules', async () => {
  await openPage(page, `${flags}/one-page-checkout?env=production`)
  const [first] = (await flagIn('one-page-checkout')).draft.rules
  await rule(first.name).waitFor()
  await call('PATCH', `${rulesAt('one-page-checkout')}/${first.id}`, { description: 'The first one.' })
  await rule(first.name).getByText('Tests, just now').waitFor()
  await call('PATCH', '/flags/one-page-checkout', { description: 'One page in the place of four.' })
  await page.locator('main').getByText('Tests, just now').nth(1).waitFor()
})

inFull('status/propagation-words')(
  'the page says that a paused flag is paused already, and links clients that are late',
  async () => {
    await openPage(page, `${flags}/tested?env=production`)
    await page.getByText('Not published here yet').waitFor()
    await page.keyboard.press('p')
    const question = page.getByRole('dialog', { name: 'Pause Tested in Production' })
    await question.getByText('It is already paused.').waitFor()
    await hasFocus(question.getByRole('button', { name: 'Close' }))
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    const { sdkKey } = await call('GET', '/environments/production')
    const beat = {
      sdkKey,
      sdkType: 'node',
      sdkVersion: '1.0.0',
      instanceId: 'web-7f3',
      revision: 1,
      evaluatedFlags: [],
    }
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(beat)
    const answer = await fetch(`${site.service.url}/api/sdk/heartbeat`, { method: 'POST', headers, body })
    expect(answer.status).toBeLessThan(300)
    // A minute later, as far as this page knows.
    const later = await owner.context.newPage()
    await later.clock.setFixedTime(Date.now() + 60_000)
    await later.goto(`${flags}/tested?env=production`)
    await later.getByRole('link', { name: /behind for/ }).click()
    await later.waitForURL('**/environments/production/clients')
    await later.getByRole('row').filter({ hasText: 'Behind' }).first().waitFor()
    await later.close()
  },
)

it('the page names the nearest flag at an address with a mistake', async () => {
  await openPage(page, `${flags}/pricng`)
  await page.getByText('No flag “pricng” in Web shop').waitFor()
  await page.getByRole('link', { name: 'Pricing' }).click()
  await page.getByRole('heading', { name: 'Pricing', level: 1 }).waitFor()
})

inFull('dashboard/offered')(
  'the page offers the other actions of this environment in the menu of its header',
  async () => {
    await openPage(page, `${flags}/one-page-checkout?env=development`)
    const menu = page.getByRole('button', { name: 'More for this flag' })
    const item = (name: string) => page.getByRole('menuitem', { name })
    await menu.click()
    await item('Archive or delete…').waitFor()
    await expectGoodPage(owner, 'flag menu')
    await item('Open in the playground').click()
    await page.waitForURL(/\/playground\?(?=.*env=development)(?=.*flag=one-page-checkout)/)
    await page.goBack()
    await menu.click()
    await item('Compare environments').click()
    await page.waitForURL(/\/one-page-checkout\/compare\?env=development/)
  },
)

if (isFull)
  it('the page shows a viewer the rules, but nothing to change', async () => {
    const { page } = await site.visit(grace, `${flags}/one-page-checkout`)
    await page.getByText('You can look at this flag. Editors and admins can change it.').waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Add|Move|Discard)/ }).count()).toBe(0)
    const locked = page.getByRole('switch', { name: 'One-page checkout in Production: running', exact: true })
    expect(await locked.getAttribute('aria-disabled')).toBe('true')
  })
