import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../chromium.ts'
import { expectGoodPage, signIn, type Visitor, visitor } from './browser.ts'
import { callInPage, prepare } from './calls.ts'
import { ada, grace, twoOrganizations } from './people.ts'
import { type DashboardService, startDashboard } from './service.ts'

let service: DashboardService
let browser: Browser
let owner: Visitor
let onlooker: Visitor
let acme: string

beforeAll(async () => {
  service = await startDashboard(twoOrganizations)
  browser = await openBrowser()
  owner = await visitor(browser, service.url)
  onlooker = await visitor(browser, service.url)
  acme = (await prepare(service.url, 'GET', '/api/v1/organization')).id
  await signIn(owner.page, ada)
  await signIn(onlooker.page, grace)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
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

  it('filters the events of webhooks by words', async () => {
    await owner.page.getByLabel('Only events with one of the words').check()
    await button('Save filter').click()
    await owner.page.getByText('Enter at least one word.').waitFor()
    const words = owner.page.getByLabel('Words', { exact: true })
    expect(await words.evaluate((input) => input === document.activeElement)).toBe(true)
    await words.fill('checkout\nhome')
    await button('Save filter').click()
    await owner.page.getByText('Filter saved.').waitFor()
    const { body } = await callInPage(owner.page, acme, 'GET', '/api/dashboard/organization')
    expect(body.data.notifications).toEqual({ mode: 'INCLUDE', keywords: ['checkout', 'home'] })
    await expectGoodPage(owner, 'organization filter')
  })

  it('is not overwritten by a person who has not seen the last change', async () => {
    await callInPage(owner.page, acme, 'PATCH', '/api/dashboard/organization', { name: 'Acme Works' })
    await owner.page.getByLabel('Organization name').fill('Acme Overwritten')
    await button('Rename').click()
    await owner.page.getByText('Changed by someone else').waitFor()
    await expectGoodPage(owner, 'organization conflict')
    await button('Reload').click()
    await owner.page.getByText('Changed by someone else').waitFor({ state: 'hidden' })
    expect(await owner.page.getByLabel('Organization name').inputValue()).toBe('Acme Works')
  })

  it('is read-only for other roles', async () => {
    await onlooker.page.goto('/settings/organization')
    await onlooker.page.getByText('Owners and administrators can change these settings.').waitFor()
    await onlooker.page.getByText('Webhooks receive only events about items').waitFor()
    expect(await onlooker.page.getByRole('button', { name: 'Rename' }).count()).toBe(0)
    await expectGoodPage(onlooker, 'organization onlooker')
  })

  it('cannot be left by its last owner', async () => {
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
    await row('Grace Hopper').waitFor()
    expect(await row('Grace Hopper').innerText()).toMatch(/Viewer[\s\S]*All projects[\s\S]*Off[\s\S]*(ago|just now)/)
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
      .getByText(/^in (6 days|1 week)$/)
      .waitFor()
    await expectGoodPage(owner, 'members invitations')

    const invited = await visitor(browser, service.url)
    await invited.page.goto(link)
    await invited.page.getByLabel('Your name').fill(newcomer.name)
    await invited.page.getByLabel('Password', { exact: true }).fill(newcomer.password)
    await invited.page.getByRole('button', { name: 'Create account and join' }).click()
    await invited.page.getByRole('link', { name: 'Warehouse' }).waitFor()
    expect(await invited.page.getByRole('link', { name: 'Web shop' }).count()).toBe(0)
    await invited.context.close()

    await owner.page.reload()
    await row(newcomer.name).getByText('Editor').waitFor()
    await row(newcomer.name).getByText('Warehouse').waitFor()
    expect(await owner.page.getByRole('heading', { name: 'Open invitations' }).count()).toBe(0)
  })

  it('have invitations that can be renewed, which makes the old link invalid, and revoked', async () => {
    const roles = await prepare(service.url, 'GET', '/api/v1/roles')
    const { id: roleId } = roles.find(({ name }: { name: string }) => name === 'VIEWER')
    const first = await prepare(service.url, 'POST', '/api/v1/members/invitations', { email: 'm@example.com', roleId })
    await owner.page.reload()
    await button('New link for m@example.com').click()
    const link = await dialog().getByLabel('Invitation for m@example.com').inputValue()
    expect(link).not.toBe(first.link)
    await inDialog('Done').click()
    await closed()
    const guest = await visitor(browser, service.url)
    await guest.page.goto(first.link)
    await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await button('Revoke the invitation for m@example.com').click()
    await inDialog('Revoke').click()
    await row('m@example.com').waitFor({ state: 'hidden' })
    await guest.page.goto('about:blank')
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await guest.context.close()
  })

  it('are read-only for other roles', async () => {
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
    await onlooker.page.reload()
    await onlooker.page.getByRole('button', { name: 'Invite' }).waitFor()
    await onlooker.page.getByText('Only owners can change or remove an owner.').waitFor()
    await onlooker.page.getByRole('button', { name: `Actions for ${newcomer.name}` }).click()
    await onlooker.page.getByRole('menuitem', { name: 'Change role and projects' }).click()
    const role = onlooker.page.getByRole('dialog').getByLabel('Role')
    await role.waitFor()
    const offered = await role.locator('option').allTextContents()
    expect(offered).not.toContain('Owner')
    expect(offered).toContain('Admin')
    await expectGoodPage(onlooker, 'members change')

    await change(grace.name, 'Viewer')
    expect(await read()).toBe(403)
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
    await inDialog('Remove').click()
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

  it('show their capabilities and the scopes that follow', async () => {
    await owner.page.getByRole('link', { name: 'Roles' }).click()
    await title(owner, 'Roles').waitFor()
    await owner.page.getByText('No custom roles yet').waitFor()
    await expectGoodPage(owner, 'roles')
    await section('Editor').getByText('What Editor allows').click()
    await section('Editor').getByText('See the results of experiments and A/B tests.').waitFor()
    await section('Editor').getByText('flags:write', { exact: true }).waitFor()
    await expectGoodPage(owner, 'roles explained')
  })

  it('can be created from capabilities', async () => {
    await button('Create a role').click()
    await inDialog('Create').click()
    await dialog().getByText('Enter a name.').waitFor()
    await dialog().getByLabel('Name', { exact: true }).fill('Integrator')
    await dialog().getByLabel('Description').fill('Sets up what hangs on this service.')
    await dialog().getByLabel('Set up webhooks').check()
    await expectGoodPage(owner, 'roles create')
    await inDialog('Create').click()
    await closed()
    await section('Integrator').getByText('Sets up what hangs on this service.').waitFor()
    await section('Integrator').getByText('1 capability').waitFor()
  })

  it('show at the field that a name is taken', async () => {
    await button('Create a role').click()
    await dialog().getByLabel('Name', { exact: true }).fill('integrator')
    await inDialog('Create').click()
    await dialog().getByText('Another role has this name.').waitFor()
    expect(await dialog().getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await owner.page.keyboard.press('Escape')
    await closed()
  })

  it('are not overwritten by a person who has not seen the last change', async () => {
    const { id } = await integrator()
    await button('Edit Integrator').click()
    await dialog().getByLabel('Name', { exact: true }).fill('Overwritten')
    await prepare(service.url, 'PATCH', `/api/v1/roles/${id}`, { name: 'Connector' })
    await inDialog('Save').click()
    await dialog().getByText('Changed by someone else').waitFor()
    await inDialog('Reload').click()
    await dialog().getByText('Changed by someone else').waitFor({ state: 'hidden' })
    expect(await dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('Connector')
    await dialog().getByLabel('See the results of experiments').check()
    await inDialog('Save').click()
    await closed()
    await section('Connector').getByText('2 capabilities').waitFor()
  })

  it('can be deleted when no one has them', async () => {
    const { id } = await integrator()
    const members = await prepare(service.url, 'GET', '/api/v1/members')
    const { userId, role } = members.find(({ email }: { email: string }) => email === grace.email)
    await prepare(service.url, 'PATCH', `/api/v1/members/${userId}`, { roleId: id })
    await button('Delete Connector').click()
    await inDialog('Delete').click()
    await dialog().getByText('Connector is in use').waitFor()
    await prepare(service.url, 'PATCH', `/api/v1/members/${userId}`, { roleId: role.id })
    await inDialog('Delete').click()
    await closed()
    await section('Connector').waitFor({ state: 'hidden' })
  })

  const integrator = async () =>
    (await prepare(service.url, 'GET', '/api/v1/roles')).find(({ builtIn }: { builtIn: boolean }) => !builtIn)
})
