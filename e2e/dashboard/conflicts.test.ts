import { globSync, readFileSync } from 'node:fs'
import type { Locator, Page, Route } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { shop } from '../pictures/shop.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { callAs, callInPage, prepare } from './calls.ts'
import { acmeToken, ada } from './people.ts'
import { empty, openFullSite, openPage, readAgain, settled } from './walk.ts'

const site = openFullSite([{ ...ada, role: 'OWNER' }])
let owner: Visitor
let page: Page
let acme: string

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
  const { url } = site.service
  acme = (await prepare(url, 'GET', '/api/v1/organization')).id
  await prepare(url, 'POST', '/api/v1/projects/1/exclusion-groups', { name: 'Spare slots', slotSize: 2500 })
  const notifications = { mode: 'INCLUDE', keywords: ['checkout'] }
  await callInPage(page, acme, 'PATCH', '/api/dashboard/organization', { notifications })
})

interface Row {
  address: string
  /** The name of the control that opens the form, if the address does not open it. */
  button?: RegExp
  /** The part of the page with the form, if it is not in a dialog. */
  section?: string
  /** What is edited, by the API. */
  path: string
  /** Its place in a list that `path` answers. */
  at?: number
  field: string
  typed: [name: string, first: string, second: string]
  /** What another person saves: something else, then the same field. */
  theirs: [object, string]
  save: string
}

const named = (first: string): Row['typed'] => ['name', first, `${first} again`]
/** The forms whose own tests have no conflict. */
const rows: Record<string, Row> = {
  'an experiment that runs': {
    ...{ address: `${shop}/experiments/1?panel=edit`, path: '/api/v1/projects/1/experiments/1' },
    ...{ field: 'Hypothesis', typed: ['hypothesis', 'If we show the day', 'If we show the hour'] },
    ...{ theirs: [{ description: 'Asked for by sales' }, 'If we show nothing'], save: 'Save experiment' },
  },
  'an exclusion group': {
    ...{ address: `${shop}/exclusion-groups`, button: /^Edit (Spare|Theirs)/ },
    ...{ path: '/api/v1/projects/1/exclusion-groups', at: 0, field: 'Name', typed: named('Spare') },
    ...{ theirs: [{ slotSize: 5000 }, 'Theirs'], save: 'Save exclusion group' },
  },
  'a project': {
    ...{ address: `${empty}/settings`, section: 'Name and key', path: '/api/v1/projects/2', field: 'Name' },
    ...{ typed: named('Empty shop'), theirs: [{ key: 'shelf' }, 'Theirs'], save: 'Save project' },
  },
  'a segment': {
    ...{ address: `${shop}/segments/1?panel=edit`, path: '/api/v1/projects/1/segments/1', field: 'Name' },
    ...{ typed: named('Pilots'), theirs: [{ description: 'Asked for by sales' }, 'Theirs'], save: 'Save segment' },
  },
  'a catalog source': {
    ...{ address: `${shop}/commerce/sources/main-feed?panel=from`, path: '/api/v1/projects/1/catalog/sources', at: 0 },
    ...{ field: 'Name', typed: named('Feed of the shop'), save: 'Next' },
    theirs: [{ defaultCurrency: 'EUR' }, 'Theirs'],
  },
  'a catalog': {
    ...{ address: `${empty}/commerce/catalog`, section: 'Money and orders', path: '/api/v1/projects/2/catalog' },
    ...{ field: 'Reporting currency', typed: ['currency', 'USD', 'GBP'], save: 'Save catalog' },
    theirs: [{ orders: { trust: 'SDK' } }, 'CHF'],
  },
  'a placement': {
    ...{ address: `${shop}/commerce/placements/product-page?panel=edit`, field: 'Name' },
    ...{ path: '/api/v1/projects/1/recommendations/placements', at: 0, typed: named('Beside a product') },
    ...{ theirs: [{ limit: 4 }, 'Theirs'], save: 'Save placement' },
  },
  'a dataset': {
    ...{ address: `${shop}/commerce/datasets/behaviour?panel=edit`, field: 'Name', typed: named('What they did') },
    ...{ path: '/api/v1/projects/1/datasets/behaviour', save: 'Save dataset' },
    theirs: [{ schedule: { every: 'DAY', at: '02:45', timezone: 'UTC' } }, 'Theirs'],
  },
  'a recommendation model': {
    ...{ address: `${shop}/commerce/models/brands?panel=edit`, field: 'Name', typed: named('Same brand') },
    ...{ path: '/api/v1/projects/1/recommendations/models/brands', save: 'Save recommendation model' },
    theirs: [{ schedule: { every: 'DAY', at: '03:45', timezone: 'UTC' } }, 'Theirs'],
  },
  'an environment': {
    ...{ address: `${shop}/environments/development`, section: 'Settings' },
    ...{ path: '/api/v1/projects/1/environments/development', field: 'Name', typed: named('Sandbox') },
    ...{ theirs: [{ color: '#112233' }, 'Theirs'], save: 'Save environment' },
  },
  'a webhook': {
    ...{ address: `${shop}/integrations/webhooks/deploy-log?panel=edit`, path: '/api/v1/projects/1/webhooks', at: 0 },
    ...{ field: 'Name', typed: named('Release log'), save: 'Save webhook' },
    theirs: [{ events: ['flag.created', 'flag.deleted'] }, 'Theirs'],
  },
  'a destination': {
    ...{ address: `${shop}/integrations/destinations/issues/edit`, section: '' },
    ...{ path: '/api/v1/projects/1/destinations', at: 0, field: 'Name', typed: named('Tickets') },
    ...{ theirs: [{ events: ['flag.archived', 'flag.deleted'] }, 'Theirs'], save: 'Save destination' },
  },
  'the quiet hours': {
    ...{ address: '/1-acme/settings/general', section: 'Quiet hours', path: '/api/dashboard/organization' },
    ...{ field: 'Daily digests go out at', typed: ['digestAt', '08:15', '08:30'], save: 'Save quiet hours' },
    theirs: [{ quietHours: { from: '21:30', to: '06:30', days: ['SAT'], timezone: 'Europe/Amsterdam' } }, '09:45'],
  },
}

/** Calls as another person would: a program, or a tab that this one does not know. */
const call = async (method: string, path: string, body?: object) =>
  path.startsWith('/api/dashboard/')
    ? callInPage(page, acme, method, path, body)
    : callAs(acmeToken, site.service.url, method, path, body)

/** The thing of a row, and where it is. */
async function thing({ path, at }: Row) {
  const { data } = (await call('GET', path)).body
  return at === undefined ? { path, now: data } : { path: `${path}/${data[at].id}`, now: data[at] }
}

async function opened({ address, button, section }: Row): Promise<Locator> {
  await openPage(page, address)
  if (button) await page.getByRole('button', { name: button }).click()
  if (section === '') return page.getByRole('main')
  return section ? page.getByRole('region', { name: section }) : page.getByRole('dialog').first()
}

async function saves(path: string, body: object): Promise<void> {
  expect(await call('PATCH', path, body)).toMatchObject({ status: 200 })
}

const conflict = () => page.getByRole('dialog', { name: /has changed this meanwhile$/ })

/** All forms save with `useEditForm`: one in a panel. Below is one that is a section of a page. */
const always = ['a segment']

describe.each(rowsOf(rows, always))('two people edit %s', (_name, row) => {
  const [name, first, second] = row.typed
  const [other, same] = row.theirs

  it('in different fields: both are kept, and a sentence says so', async () => {
    const form = await opened(row)
    await form.getByLabel(row.field, { exact: true }).fill(first)
    const { path } = await thing(row)
    await saves(path, other)
    await form.getByRole('button', { name: row.save }).click()
    await conflict()
      .getByText(/Your other changes are kept\.|Then it is saved like this:/)
      .first()
      .waitFor()
    expect(await conflict().getByRole('radio').count()).toBe(0)
    await conflict().getByRole('button', { name: 'Save', exact: true }).click()
    await conflict().waitFor({ state: 'detached' })
    expect((await thing(row)).now).toMatchObject({ ...other, [name]: first })
  })

  it('in the same field: both values are side by side, and nothing typed is dropped', async () => {
    const form = await opened(row)
    await form.getByLabel(row.field, { exact: true }).fill(second)
    const { path } = await thing(row)
    await saves(path, { [name]: same })
    await form.getByRole('button', { name: row.save }).click()
    await conflict().getByText('You both changed the following. Choose what to save.').waitFor()
    await conflict().getByRole('radio', { name: same }).waitFor()
    expect(await conflict().getByRole('radio', { name: second }).isChecked()).toBe(true)
    // The page reads what that person has saved. The question and the form stay as they are.
    await readAgain(page)
    expect(await conflict().getByRole('radio', { name: second }).isChecked()).toBe(true)
    await conflict().getByRole('button', { name: 'Back to the form' }).click()
    expect(await form.getByLabel(row.field, { exact: true }).inputValue()).toBe(second)
    expect((await thing(row)).now).toMatchObject({ [name]: same })
    await form.getByRole('button', { name: row.save }).click()
    await conflict().getByRole('button', { name: 'Save', exact: true }).click()
    await conflict().waitFor({ state: 'detached' })
    expect((await thing(row)).now).toMatchObject({ ...other, [name]: second })
  })
})

it('a form in which nothing was typed shows what another person saves', async () => {
  await openPage(page, `${empty}/settings`)
  const name = page.getByRole('region', { name: 'Name and key' }).getByLabel('Name', { exact: true })
  await name.waitFor()
  await saves('/api/v1/projects/2', { name: 'Renamed by them' })
  await readAgain(page)
  expect(await name.inputValue()).toBe('Renamed by them')
  // After a save, the next edit begins with what was saved.
  for (const typed of ['Renamed by me', 'Renamed again']) {
    await name.fill(typed)
    await page.getByRole('button', { name: 'Save project' }).click()
    await page.getByText(`${typed} saved.`).waitFor()
  }
  expect(await conflict().count()).toBe(0)
  expect((await call('GET', '/api/v1/projects/2')).body.data.name).toBe('Renamed again')
})

it('a save of the merged values that fails is shown in the form, which keeps them', async () => {
  const path = '/api/v1/projects/2'
  await openPage(page, `${empty}/settings`)
  const form = page.getByRole('region', { name: 'Name and key' })
  await form.getByLabel('Name', { exact: true }).fill('Mine')
  await saves(path, { name: 'Meant otherwise' })
  await form.getByRole('button', { name: 'Save project' }).click()
  await conflict().getByRole('radio', { name: 'Meant otherwise' }).waitFor()
  const error = { code: 'invalid_state', message: 'The project is locked.', requestId: '0190aaaa' }
  await page.route(/\/api\/v1\/projects\/[^/]+$/, (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 409, json: { error } }) : route.continue(),
  )
  await conflict().getByRole('button', { name: 'Save', exact: true }).click()
  await form.getByRole('alert').getByText('The project is locked.').waitFor()
  expect(await conflict().count()).toBe(0)
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine')
  await page.unroute(/\/api\/v1\/projects\/[^/]+$/)
  await form.getByRole('button', { name: 'Save project' }).click()
  await page.getByText('Mine saved.').waitFor()
  expect((await call('GET', path)).body.data.name).toBe('Mine')
})

it('a person turns the sample of visitors off while another one renames the project: both are kept', async () => {
  const path = '/api/v1/projects/2'
  await openPage(page, `${empty}/settings`)
  const form = page.getByRole('region', { name: 'Sample of visitors' })
  await form.getByRole('checkbox').uncheck()
  await saves(path, { name: 'Renamed meanwhile' })
  await form.getByRole('button', { name: 'Save sample' }).click()
  await page.getByText('Visitors are no longer sampled.').waitFor()
  const { data } = (await call('GET', path)).body
  expect(data).toMatchObject({ name: 'Renamed meanwhile', samplesVisitors: false })
})

inFull('ui/form/merge')('two people edit the words of the filter: the lists merge by word', async () => {
  await openPage(page, '/1-acme/settings/general')
  const words = page.getByLabel('Words', { exact: true })
  await words.fill('mine')
  await words.press('Enter')
  const notifications = { mode: 'INCLUDE', keywords: ['checkout', 'theirs'] }
  await saves('/api/dashboard/organization', { notifications })
  await page.getByRole('button', { name: 'Save filter' }).click()
  await conflict().getByText('checkout, mine, and theirs').waitFor()
  await conflict().getByRole('button', { name: 'Save', exact: true }).click()
  await conflict().waitFor({ state: 'detached' })
  const { body } = await call('GET', '/api/dashboard/organization')
  expect(body.data.notifications.keywords.toSorted()).toEqual(['checkout', 'mine', 'theirs'])
})

/** Dialogs that act on what the person has seen: there is nothing to merge, so they show what is new and ask again. */
describe('an experiment that another person changes', () => {
  const experiment = '/api/v1/projects/1/experiments/1'
  const inProduction = '/api/v1/projects/1/flags/delivery-dates/envs/production'
  const overtaken = () => page.getByRole('alert').filter({ hasText: 'has changed this meanwhile' })
  const does = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body.data
  }
  const split = (on: number) => ({
    variations: [
      { key: 'off', weight: 10_000 - on },
      { key: 'on', weight: on },
    ],
  })

  it('while it is published: new lines are marked, the comment stays, and the person confirms again', async () => {
    await does('PATCH', experiment, { trafficAllocation: 9000 })
    await openPage(page, `${shop}/experiments/1?panel=publish`)
    const dialog = page.getByRole('dialog', { name: 'Publish Dates in the summary to Production' })
    const lines = dialog.getByRole('listitem')
    const publish = dialog.getByRole('button', { name: 'Publish changes', exact: true })
    await lines.filter({ hasText: '90 %' }).waitFor()
    await dialog.getByLabel('Comment').fill('After the holidays')
    // It is published too, although it does not belong to the experiment.
    await does('POST', `${inProduction}/rules`, { type: 'TARGETED_DELIVERY', name: 'Late rule', variationKey: 'on' })
    await publish.click()
    await overtaken().getByText('Nothing was published.').waitFor()
    await lines.filter({ hasText: 'Late rule' }).getByText('Since you opened this').waitFor()
    expect(await lines.filter({ hasText: '90 %' }).getByText('Since you opened this').count()).toBe(0)
    expect(await dialog.getByLabel('Comment').inputValue()).toBe('After the holidays')
    expect((await does('GET', inProduction)).changes).toHaveLength(2)
    await expectGoodPage(owner, 'experiment-publish-changed')

    await publish.click()
    await page.getByText(/^Published to Production: revision \d+\.$/).waitFor()
    const { live, changes } = await does('GET', inProduction)
    expect([changes, live.rules.map(({ name }: { name: string }) => name)]).toEqual([
      [],
      ['Dates in the summary', 'Late rule'],
    ])
    const [last] = await does('GET', '/api/v1/projects/1/environments/production/revisions?limit=1')
    expect(last.comment).toBe('After the holidays')
  })

  inFull('experiments/lifecycle/routes')(
    'while it is published: a split that moves more visitors asks again',
    async () => {
      await does('PATCH', experiment, { trafficAllocation: 9500 })
      await openPage(page, `${shop}/experiments/1?panel=publish`)
      const dialog = page.getByRole('dialog', { name: 'Publish Dates in the summary to Production' })
      const lines = dialog.getByRole('listitem')
      const publish = dialog.getByRole('button', { name: 'Publish changes', exact: true })
      await lines.filter({ hasText: '95 %' }).waitFor()
      await does('PATCH', experiment, split(8000))
      await publish.click()
      const agree = dialog.getByLabel('Visitors may get a different variation')
      await agree.waitFor()
      await agree.check()
      await does('PATCH', experiment, split(7000))
      await publish.click()
      await lines.filter({ hasText: 'on 70' }).getByText('Since you opened this').waitFor()
      // The new lines are there a moment before the agreement to the old ones is gone.
      await expect.poll(() => agree.isChecked()).toBe(false)
      await publish.click()
      await dialog.getByText('Confirm that visitors may get a different variation.').waitFor()
      await agree.check()
      await publish.click()
      await page
        .getByText(/^Published to Production: revision \d+\.$/)
        .last()
        .waitFor()
      await expect.poll(async () => (await does('GET', inProduction)).changes).toEqual([])
    },
  )

  inFull('experiments/lifecycle/routes')(
    'while that person publishes it: the dialog says that there is nothing left to publish',
    async () => {
      await does('PATCH', experiment, { trafficAllocation: 8000 })
      await openPage(page, `${shop}/experiments/1?panel=publish`)
      const dialog = page.getByRole('dialog', { name: 'Publish Dates in the summary to Production' })
      await dialog.getByRole('listitem').filter({ hasText: '80 %' }).waitFor()
      await does('POST', `${experiment}/publish`)
      await dialog.getByRole('status').getByText('Tests has changed this meanwhile').waitFor()
      await dialog.getByRole('button', { name: 'Publish changes', exact: true }).click()
      await dialog.getByText('Nothing is left to publish').waitFor()
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
      await dialog.waitFor({ state: 'detached' })
    },
  )

  inFull('experiments/lifecycle/routes')(
    'while its winner is declared: news is shown, the choice stays, and the person confirms again',
    async () => {
      await openPage(page, `${shop}/experiments/1`)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: /^Declare winner/ }).click()
      const dialog = page.getByRole('dialog', { name: 'Declare the winner of Dates in the summary' })
      const declare = dialog.getByRole('button', { name: 'Declare winner', exact: true })
      await dialog.getByLabel('Winner').selectOption('off')
      await dialog.getByLabel('Comment').fill('It is simpler')
      await dialog.getByRole('checkbox').uncheck()
      await does('PATCH', experiment, { tags: ['late'], hypothesis: 'If we show the week, then fewer ask' })
      // The service notifies the page, so a line says so before the person sends it.
      await dialog.getByRole('status').getByText('Hypothesis and Tags are different now.').waitFor()
      await declare.click()
      await overtaken().getByText('Hypothesis and Tags are different now.').waitFor()
      const chosen = async () => [
        await dialog.getByLabel('Winner').inputValue(),
        await dialog.getByRole('checkbox').isChecked(),
        await dialog.getByLabel('Comment').inputValue(),
      ]
      expect(await chosen()).toEqual(['off', false, 'It is simpler'])
      expect(await does('GET', experiment)).toMatchObject({ winner: null, status: 'RUNNING' })

      await does('POST', `${experiment}/winner`, { variationKey: 'on', comment: 'Theirs' })
      await declare.click()
      await overtaken().getByText('Tests chose On as the winner.').waitFor()
      expect(await chosen()).toEqual(['off', false, 'It is simpler'])
      expect((await does('GET', experiment)).winner).toMatchObject({ variationKey: 'on', comment: 'Theirs' })
      await expectGoodPage(owner, 'experiment-winner-changed')
      await declare.click()
      await page.getByText('Off declared the winner.').waitFor()
      const { winner } = await does('GET', experiment)
      expect(winner).toMatchObject({ variationKey: 'off', comment: 'It is simpler' })
    },
  )
})

it('a deletion of what another person has just edited is refused with a message, and can be repeated', async () => {
  const path = '/api/v1/projects/1/segments'
  const { id, shortId } = (await call('POST', path, { name: 'Passing' })).body.data
  await openPage(page, `${shop}/segments/${shortId}`)
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the segment Passing' })
  await dialog.getByRole('textbox').fill('Passing')
  // A read that is under way, or that comes at once, would bring the edit.
  await settled(page)
  const reads: Route[] = []
  const one = /\/segments\/[^/?]+$/
  await page.route(one, (route) => (route.request().method() === 'GET' ? void reads.push(route) : route.continue()))
  await saves(`${path}/${id}`, { description: 'Asked for by sales' })
  await expect.poll(() => reads.length).toBeGreaterThan(0)
  const remove = dialog.getByRole('button', { name: 'Delete segment' })
  await remove.click()
  await dialog.getByRole('alert').getByText('Another person has changed this meanwhile. Nothing was done.').waitFor()
  expect(await call('GET', `${path}/${id}`)).toMatchObject({ status: 200 })
  await page.unroute(one)
  // A read that the page has given up in the meantime cannot continue.
  await Promise.allSettled(reads.map((route) => route.continue()))
  await page.getByText('Asked for by sales').waitFor()
  await remove.click()
  await page.getByText('Passing deleted.').waitFor()
})

/** Every file that writes under a version, and the test in which another person is quicker. */
const writers: Record<string, string> = {
  'commerce/catalog/catalog-settings.tsx': 'here',
  'commerce/datasets/dataset-page.tsx': 'a deletion',
  'commerce/datasets/edit-dataset.tsx': 'here',
  'commerce/models/edit-model.tsx': 'here',
  'commerce/models/model-page.tsx': 'a deletion',
  'commerce/recommendations/edit-placement.tsx': 'here',
  'commerce/recommendations/placement-page.tsx': 'a deletion',
  'commerce/sources/set-up-source.tsx': 'here',
  'commerce/sources/source-page.tsx': 'a deletion',
  'flags/audiences/audience-form.tsx': 'audiences.test.ts in a full run',
  'flags/audiences/audience-page.tsx': 'a deletion',
  'flags/drafts/stage.ts': 'compare.test.ts',
  'flags/environments/environment-overview.tsx': 'here',
  'flags/environments/environment-version.ts': 'sdk-keys.test.ts',
  'flags/environments/ingest-keys.tsx': 'ingest-keys.test.ts',
  'flags/flags/flag-settings-page.tsx': 'flag.test.ts',
  'flags/variations/variations-section.tsx': 'flag.test.ts',
  'flags/projects/project-settings-page.tsx': 'here',
  'flags/projects/sample-section.tsx': 'here',
  'flags/publishing/use-publishing.ts': 'publish.test.ts',
  'flags/publishing/staged-audience.tsx': 'an Undo, which reads first',
  'flags/revisions/restore-dialog.tsx': 'history.test.ts',
  'flags/rules/save-rule.ts': 'flag.test.ts',
  'flags/web-settings/web-settings-page.tsx': 'web-project.test.ts',
  'flags/segments/members-dialog.tsx': 'audiences.test.ts',
  'flags/segments/segment-form.tsx': 'here',
  'flags/segments/segment-page.tsx': 'here',
  'flags/switches/overrides-panel.tsx': 'flag.test.ts',
  'measuring/exclusion-groups/groups-page.tsx': 'here',
  'measuring/experiments/declare-winner.tsx': 'here',
  'measuring/experiments/delete-experiment.tsx': 'a deletion',
  'measuring/experiments/edit-experiment.tsx': 'here',
  'measuring/experiments/lifecycle.tsx': 'a launch',
  'measuring/experiments/publish-experiment.tsx': 'here',
  'measuring/experiments/set-up.tsx': 'experiments.test.ts',
  'measuring/experiments/targeting/targeting-form.tsx': 'design.test.ts',
  'measuring/experiments/web-unpublished.tsx': 'an Undo, which reads first',
  'measuring/holdouts/holdouts-page.tsx': 'metrics.test.ts',
  'measuring/metrics/metric-page.tsx': 'a deletion',
  'measuring/metrics/metric-panel.tsx': 'metrics.test.ts',
  'measuring/web-changes/code-panel.tsx': 'design.test.ts',
  'measuring/web-changes/redirect/redirect-panel.tsx': 'design.test.ts',
  'measuring/web-changes/save-set.tsx': 'design.test.ts',
  'people/organizations/notification-section.tsx': 'here',
  'people/organizations/organization-page.tsx': 'settings.test.ts',
  'people/organizations/quiet-section.tsx': 'here',
  'people/roles/role-dialog.tsx': 'settings.test.ts',
  'telling/destinations/edit-destination-page.tsx': 'here',
  'telling/webhooks/edit-webhook.tsx': 'here',
}

const dashboard = new URL('../../packages/dashboard/src/', import.meta.url).pathname

it('no form begins again with a newer version, which would close its dialogs', () => {
  const keyed = globSync('{shell,wings}/**/*.tsx', { cwd: dashboard }).flatMap((file) =>
    [...readFileSync(`${dashboard}${file}`, 'utf8').matchAll(/key=\{[^}]*\betag\b/g)].map(() => file),
  )
  // The question itself begins again.
  expect(keyed).toEqual(['shell/edit-form.tsx'])
})

it('knows every file that writes under a version', () => {
  const wings = `${dashboard}wings/`
  const found = globSync('**/*.{ts,tsx}', { cwd: wings }).filter((file) =>
    readFileSync(`${wings}${file}`, 'utf8').includes('onlyIf('),
  )
  expect(found.toSorted()).toEqual(Object.keys(writers).toSorted())
})
