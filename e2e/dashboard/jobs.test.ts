import { beforeAll, expect, it } from 'vitest'
import { expectGoodPage, type Visitor } from './browser.ts'
import { prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'

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
  await page.goto(path)
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
  await page.goto(path)
  const row = page.getByRole('row').filter({ hasText: 'Erasure of visitors' })
  await row.getByText('Done').waitFor()
  await page.goto(`${path}?status=HELD`)
  await page.getByRole('heading', { name: 'No job matches' }).waitFor()
  await expectGoodPage(owner, 'jobs-filtered')
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await row.getByRole('link').click()
  await page.getByText('2 visitors erased.').waitFor()
})

it('the address of an unknown job says so, and leads to the others', async () => {
  const { page } = owner
  await page.goto(`${path}/0190aaaa-0000-7000-8000-000000000000`)
  await page.getByRole('heading', { level: 1, name: 'Job not found' }).waitFor()
  await page.getByText('No such job in Web shop', { exact: true }).waitFor()
  await expectGoodPage(owner, 'job-unknown')
  await page.getByRole('link', { name: 'All jobs' }).click()
  await page.getByRole('row').filter({ hasText: 'Erasure of visitors' }).waitFor()
})

it('only administrators see erasures and can ask for one', async () => {
  const viewer = await site.visit(grace, path)
  await viewer.page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  expect(await viewer.page.getByRole('button', { name: 'Erase visitors' }).count()).toBe(0)
})
