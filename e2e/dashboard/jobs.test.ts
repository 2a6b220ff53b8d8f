import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const path = '/1-acme/1-web-shop/commerce/jobs'

const site = openSite()
let owner: Visitor
const dialog = () => owner.page.getByRole('dialog')

beforeAll(async () => {
  owner = await site.visit(ada)
  const segment = await prepare(site.service.url, 'POST', '/api/v1/projects/1/segments', { name: 'Testers' })
  await prepare(site.service.url, 'POST', `/api/v1/projects/1/segments/${segment.id}/members/add`, { ids: ['u-17'] })
})

it('a person erases visitors from the empty page, and the job shows what still names them', async () => {
  const { page } = owner
  await openPage(page, path)
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  await expectGoodPage(owner, 'jobs-empty')
  await page.getByRole('button', { name: 'Erase visitors' }).click()
  await dialog().getByRole('button', { name: 'Erase visitors' }).click()
  await dialog().getByText('Enter the id of at least one visitor.').first().waitFor()
  await dialog().getByLabel('Ids of the visitors').fill('u-17\nu-18\nu-17')
  await expectGoodPage(owner, 'erase-visitors')
  await dialog().getByRole('button', { name: 'Erase visitors' }).click()
  await page.getByRole('heading', { level: 1, name: 'Erasure of visitors' }).waitFor()
  await page.getByText('2 visitors erased. No test had counted them.').waitFor()
  await page.getByRole('link', { name: 'The segment Testers' }).waitFor()
  await expectGoodPage(owner, 'job')
})

it('the page lists the job with its state, and leads to it', async () => {
  const { page } = owner
  await openPage(page, path)
  const row = page.getByRole('row').filter({ hasText: 'Erasure of visitors' })
  await row.getByText('Done').waitFor()
  await openPage(page, `${path}?status=HELD`)
  await page.getByRole('heading', { name: 'No job matches' }).waitFor()
  if (isFull) await expectGoodPage(owner, 'jobs-filtered')
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await row.getByRole('link').click()
  await page.getByText('2 visitors erased.').waitFor()
})

it('a job that goes on shows a bar, reads out its steps without counts, and its end', async () => {
  const { page } = owner
  const set = (status: string, progress: object | null) =>
    sql`update jobs set status = ${status}, progress = ${JSON.stringify(progress)}::jsonb,
      leased_until = case when ${status} = 'RUNNING' then now() + interval '1 hour' end`.execute(site.service.db)
  const said = page.getByRole('status').filter({ hasNot: page.getByText('Loading') })
  await set('RUNNING', { step: 'RENAME', done: 1_000, of: 4_000 })
  await readAgain(page)
  await page.getByText('Renaming them in results, 1,000 of 4,000').waitFor()
  const bar = page.getByRole('progressbar', { name: 'Renaming them in results' })
  expect(await bar.getAttribute('value')).toBe('1000')
  await said.getByText('Renaming them in results', { exact: true }).waitFor({ state: 'attached' })
  if (isFull) await expectGoodPage(owner, 'job-running')
  await set('RUNNING', { step: 'RENAME', done: 2_500, of: 4_000 })
  await page.getByText('Renaming them in results, 2,500 of 4,000').waitFor()
  expect(await bar.getAttribute('value')).toBe('2500')
  await set('SUCCEEDED', null)
  await said.getByText('The job is done.').waitFor({ state: 'attached' })
  expect(await bar.count()).toBe(0)
})

it('the address of an unknown job says so, and leads to the others', async () => {
  const { page } = owner
  await openPage(page, `${path}/0190aaaa-0000-7000-8000-000000000000`)
  await page.getByRole('heading', { level: 1, name: 'Job not found' }).waitFor()
  await page.getByText('No such job in Web shop', { exact: true }).waitFor()
  await expectGoodPage(owner, 'job-unknown')
  await page.getByRole('link', { name: 'All jobs' }).click()
  await page.getByRole('row').filter({ hasText: 'Erasure of visitors' }).waitFor()
})

inFull('measuring/erasure/routes')('only administrators see erasures and can ask for one', async () => {
  const viewer = await site.visit(grace, path)
  await viewer.page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  expect(await viewer.page.getByRole('button', { name: 'Erase visitors' }).count()).toBe(0)
})
