import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { sendViews } from './recommending.ts'
import { openSite } from './site.ts'
import { openPage } from './walk.ts'

const path = '/1-acme/1-web-shop/commerce/datasets'
const project = '/api/v1/projects/1'
const dataset = `${project}/datasets/behaviour`

const site = openSite()
let owner: Visitor
const panel = () => owner.page.getByRole('dialog')
const button = (name: string) => panel().getByRole('button', { name, exact: true })
const rowOf = (version: number) =>
  owner.page
    .getByRole('table', { name: 'Versions' })
    .getByRole('row')
    .filter({ hasText: `Version ${version}` })

beforeAll(async () => {
  await sendViews(site.service.url)
  owner = await site.visit(ada)
})

it('a person creates a dataset, derives a version and reads its checks', async () => {
  const { page } = owner
  await page.goto(path)
  await page.getByText('svc dataset create --name Behaviour').waitFor()
  await page.getByRole('button', { name: 'Create dataset' }).click()
  await panel().getByLabel('Name', { exact: true }).fill('Behaviour')
  await panel().getByLabel('Weight of event 2', { exact: true }).fill('none')
  await button('Create dataset').click()
  await panel().getByText('Enter more than 0, up to 1,000.').first().waitFor()
  await panel().getByLabel('Weight of event 2', { exact: true }).fill('2')
  await panel().getByLabel('Days', { exact: true }).fill('60')
  await expectGoodPage(owner, 'dataset-create')
  await button('Create dataset').click()
  await page.getByText('No version yet.').waitFor()
  await page.getByText('product_viewed × 1, added_to_cart × 2, order × 5').waitFor()
  await page.getByRole('button', { name: 'Derive a new version' }).click()
  await rowOf(1).getByText('Active').waitFor()
  await rowOf(1).getByText('Rows that are gone: nothing to compare with').waitFor()
  await expectGoodPage(owner, 'dataset')
  expect(await prepare(site.service.url, 'GET', dataset)).toMatchObject({
    ...{ activeVersion: { number: 1 }, schedule: { every: 'DAY', at: '02:45' } },
    derivation: { actions: { added_to_cart: 2 }, windowDays: 60 },
  })
})

it('a person goes back to the version before, and forward again', async () => {
  const { page } = owner
  await sendViews(site.service.url, 2)
  await page.getByRole('button', { name: 'Derive a new version' }).click()
  await rowOf(2).getByText('Active').waitFor()
  await page.getByRole('button', { name: 'Roll back…' }).click()
  await panel().getByText('the version that was active before in place of version 2').waitFor()
  if (isFull) await expectGoodPage(owner, 'dataset-roll-back')
  await button('Roll back').click()
  await rowOf(1).getByText('Active').waitFor()
  await page.getByRole('button', { name: 'Activate version 2…' }).click()
  await panel().getByLabel('Let models that learn from it run at once').check()
  await button('Activate').click()
  await rowOf(2).getByText('Active').waitFor()
  expect(await prepare(site.service.url, 'GET', dataset)).toMatchObject({ activeVersion: { number: 2 } })
})

inFull('dashboard/offered')('the page shows a viewer the versions, and no button', async () => {
  const viewer = await site.visit(grace, `${path}/behaviour`)
  await viewer.page.getByRole('table', { name: 'Versions' }).waitFor()
  expect(await viewer.page.getByRole('button', { name: /^(Edit|Delete|Derive|Activate|Roll)/ }).count()).toBe(0)
})

inFull('datasets/dataset-form')('a person changes the events of a dataset and when a version is held', async () => {
  const { page } = owner
  await page.keyboard.press('e')
  await button('Remove added_to_cart').click()
  await panel().getByLabel('Weight of event 1', { exact: true }).fill('0')
  await button('Save dataset').click()
  await panel().getByText('Enter more than 0, up to 1,000.').first().waitFor()
  await panel().getByLabel('Weight of event 1', { exact: true }).fill('0.5')
  await panel().getByLabel('Rows of unknown products', { exact: true }).fill('30')
  await expectGoodPage(owner, 'dataset-edit')
  await button('Save dataset').click()
  await panel().waitFor({ state: 'detached' })
  await page.getByText('product_viewed × 0.5, order × 5').waitFor()
  expect(await prepare(site.service.url, 'GET', dataset)).toMatchObject({
    derivation: { actions: { product_viewed: 0.5, order: 5 }, windowDays: 60 },
    guards: { maxRowDrop: 0.5, maxUnknownShare: 0.3 },
  })
})

it('a person sends pairs of products: a broken line is told beside the file, and a good file becomes a version', async () => {
  const { page } = owner
  await prepare(site.service.url, 'POST', `${project}/datasets`, { name: 'Trained', kind: 'NEIGHBOURS' })
  await openPage(page, `${path}/trained`)
  const send = async (content: string) => {
    const file = { name: 'pairs.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
    await page.getByLabel('Choose a file').last().setInputFiles(file)
    await page.getByRole('button', { name: 'Send file' }).click()
  }
  await send('productId,relatedId,score\nG1,G2,none')
  await page.getByText('Line 2: score must be a number above 0').waitFor()
  if (isFull) await expectGoodPage(owner, 'dataset-refused')
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await send('productId,relatedId,score\nG1,G2,0.5\nG2,G1,0.5')
  await page.getByRole('heading', { level: 1, name: 'Dataset: Trained' }).waitFor()
  await page.getByText('2 rows').first().waitFor()
  await page.getByRole('link', { name: 'Trained' }).click()
  await rowOf(1).waitFor()
  await openPage(page, `${path}/behaviour`)
})

it('a dataset from which a model learns is not deleted, and the refusal names the model', async () => {
  const { page } = owner
  const models = `${project}/recommendations/models`
  await prepare(site.service.url, 'POST', models, { name: 'For you', strategy: 'FOR_YOU', datasetId: 'behaviour' })
  await page.getByRole('button', { name: 'Delete…' }).click()
  await panel().getByLabel('Type Behaviour to confirm').fill('Behaviour')
  await button('Delete dataset').click()
  await panel().getByText('Models learn from this dataset.').waitFor()
  await panel().getByRole('link', { name: 'For you' }).click()
  await page.getByRole('heading', { level: 1, name: 'For you' }).waitFor()
  await page.getByRole('link', { name: 'Behaviour' }).waitFor()
})
