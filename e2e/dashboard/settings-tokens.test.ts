import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDesk } from '../../packages/cli/testing/run-svc.ts'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { downloaded, expectGoodPage, hasFocus, keeps, type Visitor } from './browser.ts'
import { offOn, prepare } from './calls.ts'
import { ada, grace, twoOrganizations } from './people.ts'
import { openSite } from './site.ts'
import { openPage, readAgain } from './walk.ts'

const hourMs = 3_600_000
const token = (name: string, letter: string, expiresAt: number) => ({
  name,
  secret: `svc_svc_${letter.repeat(43)}`,
  scopes: ['flags:read'],
  expiresAt: new Date(expiresAt).toISOString(),
})
const [acme, ...others] = twoOrganizations.organizations
const withOldTokens = {
  organizations: [
    {
      ...acme,
      serviceTokens: [
        ...(acme?.serviceTokens ?? []),
        token('Nightly', 'n', Date.now() + 12 * hourMs),
        token('Forgotten', 'f', Date.now() - 100 * 24 * hourMs),
      ],
    },
    ...others,
  ],
}

const site = openSite(withOldTokens)
let owner: Visitor
let onlooker: Visitor

beforeAll(async () => {
  owner = await site.visit(ada)
  onlooker = await site.visit(grace)
})

const title = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const button = (name: string) => owner.page.getByRole('button', { name, exact: true })
const dialog = () => owner.page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const row = (name: string) => owner.page.getByRole('row').filter({ has: owner.page.getByRole('rowheader', { name }) })
const level = (family: string, name: string) =>
  owner.page.getByRole('radiogroup', { name: family, exact: true }).getByLabel(name, { exact: true }).check()
const closed = () => dialog().waitFor({ state: 'hidden' })

/** Calls the API with curl, as a program of a customer. Returns status and error code. */
async function curl(secret: string): Promise<{ status: number; code: string | undefined }> {
  const args = ['-sS', '-w', '\n%{http_code}', '-H', `Authorization: Bearer ${secret}`, `${site.service.url}/api/v1/me`]
  const { stdout } = await promisify(execFile)('curl', args)
  const [body = '', status] = stdout.split(/\n(?=\d+$)/)
  return { status: Number(status), code: JSON.parse(body).error?.code }
}

describe('a service token', () => {
  let secret: string
  let rotated: string

  it('is created with scopes that have explanations, and its secret is shown once', async () => {
    await owner.page.getByRole('link', { name: 'Service tokens' }).click()
    await title(owner, 'Service tokens').waitFor()
    await row('Nightly').getByText('Expires soon').waitFor()
    expect(await row('Nightly').innerText()).toContain('in 12 hours')
    await row('Forgotten').getByText('Expired', { exact: true }).waitFor()
    expect(await row('Forgotten').innerText()).toContain('3 months ago')
    await owner.page.getByRole('link', { name: 'Create token' }).click()
    await title(owner, 'Create a service token').waitFor()
    await button('Create token').click()
    const summary = owner.page.getByRole('alert').filter({ hasText: '2 fields need your attention' })
    await hasFocus(summary)
    await summary.getByRole('button', { name: 'Access: Select what the token may do.' }).click()
    await hasFocus(owner.page.getByRole('radio', { name: 'Read only' }))
    await expectGoodPage(owner, 'token create')
    await summary.getByRole('button', { name: 'Name: Enter a name.' }).click()

    await owner.page.getByLabel('Name', { exact: true }).fill('Deploy')
    await owner.page.getByRole('radio', { name: 'Webhooks', exact: true }).check()
    await owner.page.getByText('Deploy can read projects and webhooks, write webhooks.').waitFor()
    await owner.page.getByText('Webhooks and data: read webhooks, write webhooks').click()
    await level('Webhooks', 'None')
    await owner.page.getByText('Flags and experiments: read projects').click()
    await level('Projects', 'None')
    await level('Flags', 'Read')
    expect(await owner.page.getByRole('radiogroup', { name: 'Service tokens' }).count()).toBe(0)
    await button('Show scopes without effect').click()
    await owner.page.getByText('People and organization: nothing').click()
    await level('Service tokens', 'Write')
    const summed = owner.page.getByText('Deploy can read flags, 2 scopes without effect.')
    await summed.waitFor()
    if (isFull) {
      await keeps(owner.page, '"Deploy"')
      await owner.page.reload()
      await owner.page.getByText('These are your unsaved changes from before').waitFor()
      await summed.waitFor()
    }
    await expectGoodPage(owner, 'token create scopes')
    await owner.page.getByLabel('7 days').check()
    await button('Create token').click()
    secret = await dialog().getByLabel('Secret').inputValue()
    expect(secret).toMatch(/^svc_svc_/)
    await expectGoodPage(owner, 'token created')
    await owner.page.keyboard.press('Escape')
    expect(await dialog().isVisible()).toBe(true)
    await inDialog('I have copied it').click()
    await title(owner, 'Service tokens').waitFor()
    await row('Deploy').getByText('Active').waitFor()
    await owner.page.reload()
    await row('Deploy').waitFor()
    expect(await owner.page.content()).not.toContain(secret)
  })

  it('gives curl access to the API, and the list shows its last use', async () => {
    expect(await curl(secret)).toEqual({ status: 200, code: undefined })
    await expect
      .poll(
        async () => {
          await readAgain(owner.page)
          return row('Deploy').innerText()
        },
        { timeout: 30_000, interval: 500 },
      )
      .toMatch(/127\.0\.0\.1 · curl\//)
    const expiry = row('Deploy').locator('time').first()
    expect(await expiry.innerText()).toMatch(/^in 7 days$/)
    await expiry.hover()
    expect(await owner.page.getByRole('tooltip').innerText()).toMatch(/20\d\d/)
    await expect.poll(() => row('Deploy').getByText('(no effect)').count()).toBe(2)
    await row('Deploy').getByText('can read flags, 2 scopes without effect').waitFor()
    await row('Tests').getByText('can do everything').waitFor()
  })

  it('is rotated without an outage', async () => {
    await button('Rotate Deploy').click()
    await dialog().getByText('keeps working for a grace period').waitFor()
    expect(await dialog().innerText()).toMatch(/Last used .* by curl\/\S+ from 127\.0\.0\.1\.\s+Each program/)
    await expectGoodPage(owner, 'token rotate')
    await inDialog('Rotate token').click()
    rotated = await dialog().getByLabel('Secret').inputValue()
    expect(rotated).not.toBe(secret)
    expect(await dialog().innerText()).toMatch(/The old secret works until \d+ \w+ 20\d\d/)
    await expectGoodPage(owner, 'token rotated')
    await inDialog('I have copied it').click()
    await closed()
    await row('Deploy (previous secret)').getByText('Old secret', { exact: true }).waitFor()
    expect(await row('Deploy (previous secret)').innerText()).toMatch(/127\.0\.0\.1 · curl\//)
    expect(await curl(secret)).toMatchObject({ status: 200 })
    expect(await curl(rotated)).toMatchObject({ status: 200 })
    expect(await button('Rotate Deploy (previous secret)').count()).toBe(0)
    await expectGoodPage(owner, 'tokens')
  })

  it('is revoked for good, each secret by itself', async () => {
    await button('Revoke Deploy (previous secret)').click()
    await dialog().getByText('This cannot be undone.').waitFor()
    await inDialog('Revoke token').click()
    await closed()
    expect(await curl(secret)).toEqual({ status: 401, code: 'token_revoked' })
    expect(await curl(rotated)).toMatchObject({ status: 200 })
    await button('Revoke Deploy').click()
    await expectGoodPage(owner, 'token revoke')
    await inDialog('Revoke token').click()
    await closed()
    expect(await curl(rotated)).toEqual({ status: 401, code: 'token_revoked' })
    await expect.poll(() => row('Deploy').getByText('Revoked', { exact: true }).count()).toBe(2)
    expect(await button('Revoke Deploy').count()).toBe(0)
  })

  inFull('dashboard/offered')('is hidden from other roles', async () => {
    for (const path of ['/settings/tokens', '/settings/tokens/new']) {
      await onlooker.page.goto(path)
      await onlooker.page.getByText('Only for owners and administrators').waitFor()
    }
    expect(await onlooker.page.getByRole('link', { name: /Service tokens|Audit log/ }).count()).toBe(0)
    await expectGoodPage(onlooker, 'tokens onlooker')
  })
})

describe('the audit log', () => {
  const entry = (text: string) => owner.page.locator('ol > li').filter({ hasText: text })
  const searchField = () => owner.page.getByLabel('Search names, actions and comments')
  /** Chooses an option in the panel of filters, and closes the panel. */
  const choose = async (filter: string, option: string) => {
    await button('Filter').click()
    const panel = owner.page.getByRole('dialog', { name: 'Filter' })
    await panel.getByRole('button', { name: filter }).click()
    await panel.getByRole('checkbox', { name: option, exact: true }).check()
    await owner.page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  }
  const chip = (words: string) => button(`Remove the filter ${words}`)

  it('shows who did what, with the values before and after', async () => {
    const [project] = await prepare(site.service.url, 'GET', '/api/v1/projects?limit=1')
    await prepare(site.service.url, 'PATCH', `/api/v1/projects/${project.id}`, { name: 'Market' })
    await owner.page.getByRole('link', { name: 'Audit log' }).click()
    await title(owner, 'Audit log').waitFor()
    await entry('Ada Lovelace rotated the service token Deploy').waitFor()
    const renamed = entry(`Tests changed the name of the project Market from ${project.name} to Market`)
    await renamed.getByText('What changed').click()
    const change = renamed.getByRole('list', { name: 'What changed' }).getByText('Name:')
    expect(await change.innerText()).toMatch(new RegExp(`Name: ${project.name} →[\\s\\S]*Market`))
    const link = renamed.getByRole('link', { name: 'Market' })
    await expect.poll(() => link.getAttribute('href')).toBe(`/1-acme/${project.shortId}-market`)
    await expectGoodPage(owner, 'audit')
  })

  it('shows the origin of a change, with a request id to copy', async () => {
    const renamed = entry('Tests changed the name of the project Market').first()
    await renamed.getByText('Details').click()
    await renamed.getByRole('button', { name: 'Copy the request id' }).waitFor()
    expect(await renamed.innerText()).toMatch(/project\.update[\s\S]*Request id[\s\S]*hash\s+[0-9a-f]{64}/)
    await expectGoodPage(owner, 'audit details')
    await renamed.getByRole('button', { name: 'Show only changes to this project' }).click()
    await entry('Tests changed the name of the project Market').waitFor()
    await entry('Deploy').first().waitFor({ state: 'hidden' })
    await chip('Object: Market').waitFor()
    expect(new URL(owner.page.url()).searchParams.get('objectType')).toBe('project')
  })

  it('says in which environment a flag was run', async () => {
    const flags = '/api/v1/projects/1/flags'
    await prepare(site.service.url, 'POST', flags, offOn('Gift cards', 'gift-cards'))
    for (const environment of ['development', 'production'])
      await prepare(site.service.url, 'POST', `${flags}/gift-cards/envs/${environment}/run`)
    await openPage(owner.page, '/1-acme/settings/audit')
    await entry('Tests ran the flag Gift cards in Development, Web shop').waitFor()
    await entry('Tests ran the flag Gift cards in Production, Web shop').waitFor()
  })

  it('can be searched, and filtered by action, actor and day', async () => {
    await entry('signed in').first().waitFor()
    await owner.page.keyboard.press('/')
    await owner.page.keyboard.type('rotated deploy')
    await entry('signed in').first().waitFor({ state: 'hidden' })
    await entry('Ada Lovelace rotated the service token Deploy').waitFor()
    await expect.poll(() => entry('').count()).toBe(1)
    await searchField().press('Escape')
    await entry('signed in').first().waitFor()
    await choose('Action', 'Service tokens: all actions')
    await choose('Who', ada.name)
    await entry('signed in').first().waitFor({ state: 'hidden' })
    const names = () => owner.page.locator('ol > li strong:last-of-type').allInnerTexts()
    await expect
      .poll(names)
      .toSatisfy((shown: string[]) => shown.length > 0 && shown.every((name) => name.startsWith('Deploy')))
    await owner.page.reload()
    await entry('revoked the service token').first().waitFor()
    await chip('Action: Service tokens: all actions').waitFor()
    await owner.page.getByLabel('Until (inclusive)').fill('2020-01-01')
    await owner.page.getByText('No entry matches all filters.').waitFor()
    await expectGoodPage(owner, 'audit empty')
    await owner.page.getByLabel('Until (inclusive)').fill('')
    await entry('revoked the service token').first().waitFor()
  })

  it('is exported with the current filters', async () => {
    const csv = await downloaded(owner.page, 'Export CSV')
    expect(csv.name).toMatch(/^audit-\d+-.*\.csv$/)
    const lines = csv.content.trim().split('\r\n')
    expect(lines[0]).toMatch(/^"seq","id","at","actorType"/)
    expect(lines.slice(1)).toSatisfy(
      (rest: string[]) => rest.length === 4 && rest.every((line) => line.includes('service_token.')),
    )
    const ndjson = await downloaded(owner.page, 'Export NDJSON')
    const actions = ndjson.content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).action)
    expect(actions).toEqual([
      'service_token.revoke',
      'service_token.revoke',
      'service_token.rotate',
      'service_token.create',
    ])
  })

  it('loads more entries page by page', async () => {
    const project = await prepare(site.service.url, 'POST', '/api/v1/projects', { name: 'Many' })
    for (let count = 0; count < 5; count += 1)
      await prepare(site.service.url, 'PATCH', `/api/v1/projects/${project.id}`, { name: `Many ${count}` })
    // A page of the log has 50 entries, which take long to make.
    await owner.page.route('**/audit?*limit=50*', (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=4') }),
    )
    await openPage(owner.page, '/1-acme/settings/audit')
    await entry('Many 4').first().waitFor()
    await expect.poll(() => owner.page.locator('ol > li').count()).toBe(4)
    await button('Show more').click()
    await entry('created the project Many').waitFor()
    await expect.poll(() => owner.page.locator('ol > li').count()).toBe(8)
    await owner.page.unroute('**/audit?*limit=50*')
  })

  if (isFull)
    it('is hidden from other roles', async () => {
      await onlooker.page.goto('/settings/audit')
      await onlooker.page.getByText('Only for owners and administrators').waitFor()
      await expectGoodPage(onlooker, 'audit onlooker')
    })
})

it('a token for a pipeline is shown with variables and a command that work', async () => {
  const { page } = owner
  await openPage(page, '/1-acme/settings/tokens/new')
  await page.getByLabel('Name', { exact: true }).fill('Pipeline')
  await page.getByRole('radio', { name: 'Read only' }).check()
  await button('Create token').click()
  const secret = await dialog().getByLabel('Secret').inputValue()
  const shown = (name: string) => dialog().getByRole('region', { name }).innerText()
  const env = Object.fromEntries(
    [...(await shown('Variables')).matchAll(/^export (\w+)=(.+)$/gm)].map(([, ...each]) => each),
  )
  expect(env).toEqual({ SVC_URL: site.service.url, SVC_PROJECT: expect.stringMatching(/^[a-z-]+$/), SVC_TOKEN: secret })
  const [install, command] = (await shown('Command')).trim().split('\n')
  expect(install).toBe('npm install --global "$SVC_URL/packages/svc-cli.tgz"')
  const desk = openDesk(env)
  onTestFinished(() => desk.remove())
  expect(await desk.svc(command!.split(' ').slice(1))).toMatchObject({ exitCode: 0 })
  await expectGoodPage(owner, 'token created for a pipeline')
  await inDialog('I have copied it').click()
  await row('Pipeline').waitFor()
})

inFull('tokens/routes-service-tokens')(
  'journey 19: a token from a preset is used by the command line and rotated, and the list shows who has the old secret',
  async () => {
    const desk = openDesk({ SVC_URL: site.service.url, SVC_PROJECT: 'web-shop' })
    onTestFinished(() => desk.remove())
    const { page } = owner
    const rowOf = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    /** A use is written a moment later. */
    const showsUse = (name: string, by: RegExp) =>
      expect
        .poll(
          async () => {
            await readAgain(page)
            return rowOf(name).innerText()
          },
          { timeout: 30_000, interval: 500 },
        )
        .toMatch(by)
    await openPage(page, '/1-acme/settings/tokens/new')
    await page.getByLabel('Name', { exact: true }).fill('Releases')
    await page.getByRole('radio', { name: 'CI and releases', exact: true }).check()
    await button('Create token').click()
    const secret = await dialog().getByLabel('Secret').inputValue()
    await inDialog('I have copied it').click()

    const created = await desk.svc(['flag', 'create', 'from-ci'], { env: { SVC_TOKEN: secret } })
    expect(created, created.stderr).toMatchObject({ exitCode: 0 })
    expect(await prepare(site.service.url, 'GET', '/api/v1/projects/1/flags/from-ci')).toMatchObject({ key: 'from-ci' })
    // What the preset leaves out is refused.
    expect((await desk.svc(['webhook', 'list'], { env: { SVC_TOKEN: secret } })).exitCode).not.toBe(0)
    await showsUse('Releases', /svc-cli\//)

    await button('Rotate Releases').click()
    await inDialog('Rotate token').click()
    const rotated = await dialog().getByLabel('Secret').inputValue()
    await inDialog('I have copied it').click()
    await closed()
    // The command line has the new secret. Another program still has the old one.
    expect((await desk.svc(['flag', 'list'], { env: { SVC_TOKEN: rotated } })).stdout).toContain('from-ci')
    expect(await curl(secret)).toMatchObject({ status: 200 })
    await showsUse('Releases (previous secret)', /curl\//)
    await showsUse('Releases', /svc-cli\//)
  },
)
