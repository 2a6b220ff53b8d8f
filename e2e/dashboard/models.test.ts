import { beforeAll, expect, it } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { jobOf, sendViews } from './recommending.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const path = '/1-acme/1-web-shop/commerce/models'
const project = '/api/v1/projects/1'
const model = `${project}/recommendations/models/viewed`

const site = openSite()
let owner: Visitor
const panel = () => owner.page.getByRole('dialog')
const button = (name: string) => panel().getByRole('button', { name, exact: true })
const rowOf = (run: number) =>
  owner.page
    .getByRole('table', { name: 'Runs' })
    .getByRole('row')
    .filter({ hasText: `Run ${run}` })

beforeAll(async () => {
  const { url } = site.service
  await sendViews(url)
  await prepare(url, 'POST', `${project}/datasets`, { name: 'Behaviour', kind: 'INTERACTIONS' })
  await jobOf(url, '/datasets/behaviour/versions')
  owner = await site.visit(ada)
})

it('a person creates a model, runs it, and reads whether it beats the popular products', async () => {
  const { page } = owner
  await page.goto(path)
  await page.getByText('svc model create --name Popular').waitFor()
  await page.getByRole('button', { name: 'Create recommendation model' }).click()
  await panel().getByLabel('Name', { exact: true }).fill('Viewed')
  await panel().getByLabel('Strategy').selectOption('VIEWED_TOGETHER')
  await button('Create recommendation model').click()
  await panel().getByText('Choose a dataset.').first().waitFor()
  await panel().getByLabel('Dataset').selectOption('Behaviour')
  await expectGoodPage(owner, 'model-create')
  await button('Create recommendation model').click()
  await page.getByRole('heading', { level: 1, name: 'Viewed' }).waitFor()
  await page.getByText('No run yet.').waitFor()
  expect(await prepare(site.service.url, 'GET', model)).toMatchObject({
    ...{ strategy: 'VIEWED_TOGETHER', activeRun: null, schedule: { every: 'DAY', at: '03:45' } },
  })
  await page.getByRole('button', { name: 'Run now' }).click()
  await rowOf(1).getByText('Serves').waitFor()
  await page.getByText('Run 1: better than the popular products').waitFor()
  await rowOf(1)
    .getByText(/^Popular: \d/)
    .first()
    .waitFor()
  await expectGoodPage(owner, 'model')
})

it('an earlier run serves again once a person confirms it', async () => {
  const { page } = owner
  await page.getByRole('button', { name: 'Run now' }).click()
  await rowOf(2).getByText('Serves').waitFor()
  await rowOf(1).getByText('A later run took its place').waitFor()
  await page.getByRole('button', { name: 'Let run 1 serve…' }).click()
  await panel().getByText('It takes the place of run 2').waitFor()
  await expectGoodPage(owner, 'model-serve')
  await button('Let this run serve').click()
  await rowOf(1).getByText('Serves').waitFor()
  await page.getByRole('button', { name: 'Let run 2 serve…' }).waitFor()
  expect(await prepare(site.service.url, 'GET', model)).toMatchObject({ activeRun: { number: 1 } })
})

it('a person renames a model and its schedule, and the list says what serves and when it runs', async () => {
  const { page } = owner
  await page.keyboard.press('e')
  await panel().getByLabel('Name', { exact: true }).fill('Seen together')
  await panel().getByLabel('Dataset').selectOption('Behaviour')
  await panel().getByLabel('Every hour').check()
  await panel().getByLabel('Minutes past the hour').fill('50')
  await button('Save recommendation model').click()
  await panel().waitFor({ state: 'detached' })
  await page.getByText('Every hour at 50 minutes past').waitFor()
  await openPage(page, path)
  const row = page.getByRole('row').filter({ hasText: 'Seen together' })
  await row.getByText('Behaviour').waitFor()
  await row.getByText('Run 1').waitFor()
  await row.getByText('Done').waitFor()
  await expectGoodPage(owner, 'models')
})

inFull('dashboard/offered')('a viewer reads a model, and finds nothing to change it', async () => {
  const viewer = await site.visit(grace, `${path}/viewed`)
  await viewer.page.getByText('Run 1: better than the popular products').waitFor()
  expect(await viewer.page.getByRole('button', { name: /^(Edit|Delete|Run now|Let)/ }).count()).toBe(0)
})

it('a model that a placement names is not deleted, and the refusal names the placement', async () => {
  const { page } = owner
  const placements = `${project}/recommendations/placements`
  await prepare(site.service.url, 'POST', placements, {
    ...{ name: 'Product page', variants: { default: { strategies: ['viewed'] } } },
  })
  await page.getByRole('link', { name: 'Seen together' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await panel().getByLabel('Type Seen together to confirm').fill('Seen together')
  await button('Delete recommendation model').click()
  await panel().getByText('Placements use this model.').waitFor()
  await panel().getByRole('link', { name: 'Product page' }).waitFor()
  await prepare(site.service.url, 'PATCH', `${placements}/product-page`, { variants: { default: { strategies: [] } } })
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete…' }).click()
  await panel().getByLabel('Type Seen together to confirm').fill('Seen together')
  await button('Delete recommendation model').click()
  await page.getByRole('heading', { name: 'No recommendation models yet' }).waitFor()
})
