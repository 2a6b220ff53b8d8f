import { beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, keeps, type Visitor } from './browser.ts'
import { callInPage, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { readAgain } from './walk.ts'

const site = openSite()
let owner: Visitor
let onlooker: Visitor
let acme: string

beforeAll(async () => {
  owner = await site.visit(ada)
  onlooker = await site.visit(grace)
  acme = (await prepare(site.service.url, 'GET', '/api/v1/organization')).id
  const [project] = await prepare(site.service.url, 'GET', '/api/v1/projects')
  await prepare(site.service.url, 'POST', `/api/v1/projects/${project.id}/flags`, {
    key: 'welcome',
    name: 'Welcome',
    type: 'BOOLEAN',
    variations: [
      { name: 'On', key: 'on', value: 'true' },
      { name: 'Off', key: 'off', value: 'false' },
    ],
    defaultVariationKey: 'off',
  })
})

const title = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const button = (name: string | RegExp) => owner.page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = () => owner.page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const row = (name: string) => owner.page.getByRole('row').filter({ hasText: name })
const closed = () => dialog().waitFor({ state: 'hidden' })

describe('the organization', () => {
  it('is in the navigation and can be renamed', async () => {
    await owner.page.getByRole('link', { name: 'Settings' }).click()
    await title(owner, 'Organization').waitFor()
    const name = owner.page.getByLabel('Organization name')
    await name.fill(' ')
    await button('Rename').click()
    await owner.page.getByText('Enter a name.').waitFor()
    await name.fill('Acme Industries')
    await button('Rename').click()
    await owner.page.getByText('Organization renamed.').waitFor()
    await owner.page.getByRole('banner').getByText('Acme Industries').waitFor()
    await expectGoodPage(owner, 'organization')
  })

  it('filters the events of webhooks by words, with a preview on past events', async () => {
    const preview = owner.page.getByRole('region', { name: 'On past events' })
    await preview.getByText(/^All \d+ events of the last 7 days pass\.$/).waitFor()
    await owner.page.getByLabel('Only events with one of the words').check()
    await preview.getByText('Enter a word to see which events would pass.').waitFor()
    await button('Save filter').click()
    await owner.page.getByText('Enter at least one word.').waitFor()
    const words = owner.page.getByLabel('Words', { exact: true })
    await hasFocus(words)
    await words.fill('welcome')
    await words.press('Enter')
    await words.fill('chekcout')
    await words.press('Enter')
    await preview.getByText(/^Of \d+ events in the last 7 days, 3 pass\.$/).waitFor()
    await preview.getByText('No event mentions “chekcout”. The word may be misspelled.').waitFor()
    await expect
      .poll(() => preview.getByRole('row').filter({ hasText: 'Flag created' }).innerText())
      .toMatch(/1[\s\S]*[01]$/)
    await preview.getByRole('list', { name: 'Would pass' }).getByText('Flag created: Welcome').waitFor()
    await expectGoodPage(owner, 'organization filter')
    await button('Remove chekcout').click()
    await keeps(owner.page, '["welcome"]')
    await owner.page.reload()
    await owner.page.getByText('These are your unsaved changes from before.').waitFor()
    await preview.getByText(/, 3 pass\.$/).waitFor()
    await button('Save filter').click()
    await owner.page.getByText('Filter saved.').waitFor()
    await owner.page.getByText('These are your unsaved changes from before.').waitFor({ state: 'detached' })
    const { body } = await callInPage(owner.page, acme, 'GET', '/api/dashboard/organization')
    expect(body.data.notifications).toEqual({ mode: 'INCLUDE', keywords: ['welcome'] })
  })

  it('sets quiet hours and the time of digests', async () => {
    const section = owner.page.getByRole('region', { name: 'Quiet hours and digests' })
    await section.getByLabel('The organization has quiet hours').check()
    await section.getByLabel('From').fill('21:30')
    await section.getByLabel('Until').fill('21:30')
    await section.getByLabel('Time zone').selectOption('Europe/Amsterdam')
    await section.getByLabel('Friday').check()
    await section.getByLabel('Daily digests go out at').fill('08:15')
    await button('Save quiet hours').click()
    await section.getByText('The end must differ from the start.').waitFor()
    await expectGoodPage(owner, 'organization quiet hours')
    await section.getByLabel('Until').fill('06:30')
    await button('Save quiet hours').click()
    await owner.page.getByText('Quiet hours saved.').waitFor()
    const { body } = await callInPage(owner.page, acme, 'GET', '/api/dashboard/organization')
    const quietHours = { from: '21:30', to: '06:30', days: ['FRI', 'SAT', 'SUN'], timezone: 'Europe/Amsterdam' }
    expect(body.data).toMatchObject({ quietHours, digestAt: '08:15' })
  })

  inFull('dashboard/conflicts')('asks which name to keep if another person has renamed it meanwhile', async () => {
    // A form in which nothing was typed would take the new name.
    await owner.page.getByLabel('Organization name').fill('Acme Overwritten')
    await callInPage(owner.page, acme, 'PATCH', '/api/dashboard/organization', { name: 'Acme Works' })
    await button('Rename').click()
    await dialog().getByText('You both changed the following. Choose what to save.').waitFor()
    const result = dialog().getByRole('status').filter({ hasText: 'Then it is saved like this:' })
    await result.filter({ hasText: 'The nameAcme Overwritten' }).waitFor()
    await expectGoodPage(owner, 'organization conflict')
    await dialog().getByRole('radio', { name: 'Acme Works' }).check()
    await result.filter({ hasText: 'The nameAcme Works' }).waitFor()
    await inDialog('Save').click()
    await closed()
    await expect.poll(() => owner.page.getByLabel('Organization name').inputValue()).toBe('Acme Works')
  })

  if (isFull)
    it('is read-only for other roles', async () => {
      await onlooker.page.goto('/settings/organization')
      await onlooker.page.getByText('Owners and administrators can change these settings.').waitFor()
      await onlooker.page.getByText('Webhooks and destinations receive only events about items').waitFor()
      expect(await onlooker.page.getByRole('button', { name: 'Rename' }).count()).toBe(0)
      await expectGoodPage(onlooker, 'organization onlooker')
    })

  inFull('people/members/routes-owners')('cannot be left by its last owner', async () => {
    await button('Leave the organization').click()
    await inDialog('Leave').click()
    await dialog().getByText('must keep at least one owner').waitFor()
    await inDialog('Cancel').click()
    await closed()
  })
})

describe('members', () => {
  const newcomer = { email: 'katherine@example.com', name: 'Katherine Johnson', password: 'orbits by hand' }

  it('are listed with role, projects, second factor and last activity', async () => {
    await owner.page.getByRole('link', { name: 'Members' }).click()
    await title(owner, 'Members').waitFor()
    await expect
      .poll(() => row('Grace Hopper').innerText())
      .toMatch(/Viewer[\s\S]*All projects[\s\S]*Off[\s\S]*(ago|just now)/)
    await expectGoodPage(owner, 'members')
  })

  it('join with an invitation link that is shown when the service sends no mail', async () => {
    await button('Invite').click()
    await inDialog('Invite').click()
    await dialog().getByText('Enter an e-mail address.').waitFor()
    await dialog().getByLabel('E-mail address').fill(newcomer.email)
    await dialog().getByLabel('Role').selectOption('Editor')
    await dialog().getByLabel('Selected projects').check()
    await inDialog('Invite').click()
    await dialog().getByText('Select at least one project').waitFor()
    await dialog().getByLabel('Warehouse').check()
    await expectGoodPage(owner, 'members invite')
    await inDialog('Invite').click()
    await dialog().getByText('This service sends no mail.').waitFor()
    const link = await dialog().getByLabel(`Invitation for ${newcomer.email}`).inputValue()
    await expectGoodPage(owner, 'members invited')
    await inDialog('Done').click()
    await closed()
    await row(newcomer.email)
      .getByText(/^in [67] days$/)
      .waitFor()
    await expectGoodPage(owner, 'members invitations')

    const invited = await site.visit()
    await invited.page.goto(link)
    await invited.page.getByLabel('Your name').fill(newcomer.name)
    await invited.page.getByLabel('Password', { exact: true }).fill(newcomer.password)
    await invited.page.getByRole('button', { name: 'Create account and join' }).click()
    await invited.page.getByRole('link', { name: 'Warehouse' }).waitFor()
    expect(await invited.page.getByRole('link', { name: 'Web shop' }).count()).toBe(0)
    await invited.context.close()

    await readAgain(owner.page)
    await row(newcomer.name).getByText('Editor').waitFor()
    await row(newcomer.name).getByText('Warehouse').waitFor()
    expect(await owner.page.getByRole('heading', { name: 'Open invitations' }).count()).toBe(0)
  })

  it('have invitations that can be renewed, which makes the old link invalid, and revoked', async () => {
    const roles = await prepare(site.service.url, 'GET', '/api/v1/roles')
    const { id: roleId } = roles.find(({ name }: { name: string }) => name === 'VIEWER')
    const first = await prepare(site.service.url, 'POST', '/api/v1/members/invitations', {
      email: 'm@example.com',
      roleId,
    })
    await readAgain(owner.page)
    await button('New link for m@example.com').click()
    const link = await dialog().getByLabel('Invitation for m@example.com').inputValue()
    expect(link).not.toBe(first.link)
    await inDialog('Done').click()
    await closed()
    // Otherwise, `routes-invitations` knows what a link opens, and `doors` how the page says that it does not work.
    const guest = isFull ? await site.visit() : undefined
    await guest?.page.goto(first.link)
    await guest?.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await button('Revoke the invitation for m@example.com').click()
    await inDialog('Revoke invitation').click()
    await closed()
    await row('m@example.com').waitFor({ state: 'hidden' })
    await guest?.page.goto('about:blank')
    await guest?.page.goto(link)
    await guest?.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await guest?.context.close()
  })

  inFull('dashboard/offered')('are read-only for other roles', async () => {
    await onlooker.page.goto('/settings/members')
    await onlooker.page.getByText('Owners and administrators can invite').waitFor()
    expect(await onlooker.page.getByRole('button', { name: /Invite|Actions/ }).count()).toBe(0)
    await expectGoodPage(onlooker, 'members onlooker')
  })

  it('get the rights of a new role, and lose those of the old one, with their next request', async () => {
    const read = async () => (await callInPage(onlooker.page, acme, 'GET', '/api/v1/audit?limit=1')).status
    expect(await read()).toBe(403)
    await change(grace.name, 'Admin')
    expect(await read()).toBe(200)
    await change(grace.name, 'Viewer')
    expect(await read()).toBe(403)
  })

  inFull('people/members/routes')('cannot make owners as administrators, and read why they can no more', async () => {
    await change(grace.name, 'Admin')
    await onlooker.page.goto('/settings/members')
    await onlooker.page.getByRole('button', { name: 'Invite' }).waitFor()
    await onlooker.page.getByText('Only owners can change or remove an owner.').waitFor()
    await onlooker.page.getByRole('button', { name: `Actions for ${newcomer.name}` }).click()
    await onlooker.page.getByRole('menuitem', { name: 'Change role and projects' }).click()
    const role = onlooker.page.getByRole('dialog').getByLabel('Role')
    await role.waitFor()
    await role.getByRole('option', { name: 'Admin' }).waitFor({ state: 'attached' })
    expect(await role.locator('option').allTextContents()).not.toContain('Owner')
    await expectGoodPage(onlooker, 'members change')

    await change(grace.name, 'Viewer')
    await onlooker.page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click()
    await onlooker.page.getByRole('dialog').getByRole('alert').getByText('Request id').waitFor()
    await onlooker.page.reload()
    await onlooker.page.getByText('Owners and administrators can invite').waitFor()
  })

  it('cannot lose the last owner, and the page shows the reason', async () => {
    await button(`Actions for ${ada.name}`).click()
    await owner.page.getByRole('menuitem', { name: 'Change role and projects' }).click()
    await dialog().getByLabel('Role').selectOption('Viewer')
    await inDialog('Change').click()
    await dialog().getByText('The organization must keep at least one owner.').waitFor()
    await owner.page.keyboard.press('Escape')
    await closed()
  })

  it('get a new password with a link that an administrator passes on', async () => {
    await button(`Actions for ${newcomer.name}`).click()
    await owner.page.getByRole('menuitem', { name: 'Create a password reset link' }).click()
    await expectGoodPage(owner, 'members reset')
    await inDialog('Create the link').click()
    const link = await dialog().getByLabel(`Link for ${newcomer.email}`).inputValue()
    expect(link).toMatch(/\/reset#/)
    await inDialog('Done').click()
    await closed()
  })

  it('are removed after a confirmation', async () => {
    await button(`Actions for ${newcomer.name}`).click()
    await owner.page.getByRole('menuitem', { name: 'Remove from the organization' }).click()
    await expectGoodPage(owner, 'members remove')
    await inDialog('Remove member').click()
    await closed()
    await row(newcomer.name).waitFor({ state: 'hidden' })
  })

  async function change(name: string, role: string): Promise<void> {
    await button(`Actions for ${name}`).click()
    await owner.page.getByRole('menuitem', { name: 'Change role and projects' }).click()
    await dialog().getByLabel('Role').selectOption(role)
    await inDialog('Change').click()
    await closed()
    await row(name).getByText(role).waitFor()
  }
})

describe('roles', () => {
  const section = (name: string) => owner.page.getByRole('region', { name })
  const cells = async (right: string) => (await row(right).getByRole('cell').allInnerTexts()).map((text) => text.trim())

  it('are one table of what each can do, and show the scopes that follow', async () => {
    await owner.page.getByRole('link', { name: 'Roles' }).click()
    await title(owner, 'Roles').waitFor()
    await owner.page.getByText('Create a role if the built-in ones give too much or too little').waitFor()
    await expect.poll(() => cells('See the results of experiments')).toEqual(['Yes', 'Yes', 'Yes', 'Yes', 'No'])
    await expect.poll(() => cells('Add, change and remove owners')).toEqual(['Yes', 'No', 'No', 'No', 'No'])
    await expect.poll(() => cells('1 member')).toEqual(['1 member', 'None', 'None', 'None', '1 member'])
    await section('Editor').getByText('scopes of the API').click()
    await section('Editor').getByText('flags:write', { exact: true }).waitFor()
    await expectGoodPage(owner, 'roles')
  })

  it('can be created from capabilities', async () => {
    await button('Create role').click()
    await inDialog('Create role').click()
    await dialog().getByText('Enter a name.').waitFor()
    await dialog().getByLabel('Name', { exact: true }).fill('Integrator')
    await dialog().getByLabel('Description').fill('Sets up what hangs on this service.')
    await dialog().getByLabel('Set up webhooks').check()
    await expectGoodPage(owner, 'roles create')
    await inDialog('Create role').click()
    await closed()
    await section('Integrator').getByText('Sets up what hangs on this service.').waitFor()
    await expect.poll(() => cells('Set up webhooks')).toEqual(['Yes', 'Yes', 'No', 'No', 'No', 'Yes'])
  })

  inFull('roles/routes')('show at the field that a name is taken', async () => {
    await button('Create role').click()
    await dialog().getByLabel('Name', { exact: true }).fill('integrator')
    await inDialog('Create role').click()
    await dialog().getByText('Another role has this name.').waitFor()
    expect(await dialog().getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await owner.page.keyboard.press('Escape')
    await closed()
  })

  inFull('dashboard/conflicts')('keep what two people changed at once, and ask about what both changed', async () => {
    const { id } = await integrator()
    await button('Edit Integrator').click()
    await dialog().getByLabel('Name', { exact: true }).fill('Overwritten')
    await dialog().getByLabel('See the results of experiments').check()
    await prepare(site.service.url, 'PATCH', `/api/v1/roles/${id}`, { name: 'Connector' })
    await inDialog('Save role').click()
    await owner.page.getByText('You both changed the following. Choose what to save.').waitFor()
    await owner.page.getByRole('radio', { name: 'Connector' }).check()
    // The page reads the new version, and the question stays.
    await readAgain(owner.page)
    expect(await owner.page.getByRole('radio', { name: 'Connector' }).isChecked()).toBe(true)
    await owner.page
      .getByRole('dialog', { name: /has changed this meanwhile$/ })
      .getByRole('button', { name: 'Save' })
      .click()
    // Two dialogs close.
    await expect.poll(() => dialog().count()).toBe(0)
    await section('Connector').waitFor()
    await expect.poll(async () => (await cells('See the results of experiments')).at(-1)).toBe('Yes')
    await expectGoodPage(owner, 'roles own')
  })

  it('can be deleted when no one has them', async () => {
    const { id, name } = await integrator()
    const members = await prepare(site.service.url, 'GET', '/api/v1/members')
    const { userId, role } = members.find(({ email }: { email: string }) => email === grace.email)
    await prepare(site.service.url, 'PATCH', `/api/v1/members/${userId}`, { roleId: id })
    await button(`Delete ${name}`).click()
    await inDialog('Delete role').click()
    await dialog().getByText(`${name} is in use`).waitFor()
    await prepare(site.service.url, 'PATCH', `/api/v1/members/${userId}`, { roleId: role.id })
    await inDialog('Delete role').click()
    await closed()
    await section(name).waitFor({ state: 'hidden' })
  })

  const integrator = async () =>
    (await prepare(site.service.url, 'GET', '/api/v1/roles')).find(({ builtIn }: { builtIn: boolean }) => !builtIn)
})
