import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { callInPage, offOn, prepare } from './calls.ts'
import { ada, grace } from './people.ts'
import { openSite } from './site.ts'
import { follow, openPage } from './walk.ts'

const site = openSite()
let owner: Visitor
let page: Page

beforeAll(async () => {
  owner = await site.visit(ada)
  page = owner.page
})

const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

it('the name of the only organization leads to it, also from the settings of a project, and names of buttons read well', async () => {
  const viewer = (await site.visit(grace, '/1-acme/1-web-shop/environments')).page
  await viewer.getByRole('button', { name: 'Copy: the SDK key of Production', exact: true }).waitFor()
  await viewer.getByRole('banner').getByRole('link', { name: 'Acme', exact: true }).click()
  await viewer.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  await viewer.goto('/1-acme/1-web-shop/settings')
  await viewer.getByRole('link', { name: 'the members of the organization' }).click()
  await viewer.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
})

describe('the keyboard', () => {
  it('reaches a link that skips to the content first', async () => {
    await page.goto('/account/sessions')
    await title('Sessions').waitFor()
    await page.keyboard.press('Tab')
    await hasFocus(page.getByRole('link', { name: 'Skip to the content' }))
    await page.keyboard.press('Enter')
    await hasFocus(page.getByRole('main'))
    expect(new URL(page.url()).hash).toBe('')
  })

  it('lands on the new heading after a navigation, and the document title names the page', async () => {
    await page.getByRole('link', { name: 'Personal tokens' }).focus()
    await page.keyboard.press('Enter')
    await hasFocus(title('Personal tokens'))
    await expect.poll(() => page.title()).toBe('Personal tokens · Svc')
    await expect.poll(() => page.locator('nav [aria-current=page]').textContent()).toBe('Personal tokens')
    await page.goBack()
    await hasFocus(title('Sessions'))
    await expect.poll(() => page.title()).toBe('Sessions · Svc')
  })

  it('opens, walks through and closes a menu, and the focus returns', async () => {
    const menu = page.getByRole('button', { name: `You: ${ada.name}` })
    await menu.focus()
    await page.keyboard.press('Enter')
    // The menu is visible a moment before it takes the focus, and the arrow keys only work inside it.
    await hasFocus(page.getByRole('menuitem', { name: 'Profile' }))
    await expectGoodPage(owner, 'person menu', ['light wide'])
    await page.keyboard.press('ArrowDown')
    await hasFocus(page.getByRole('menuitem').nth(1))
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'hidden' })
    await hasFocus(menu)
  })

  it('stays inside a dialog; Escape closes it and returns the focus', async () => {
    await page.getByRole('link', { name: 'Acme', exact: true }).click()
    // The focus goes to the heading of a new page by itself.
    await hasFocus(title('Projects'))
    const opener = page.getByRole('button', { name: 'Create project' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await hasFocus(page.getByRole('dialog').getByLabel('Name'))
    for (let stop = 0; stop < 6; stop += 1) {
      await page.keyboard.press('Tab')
      expect(await page.getByRole('dialog').locator(':focus').count()).toBe(1)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await hasFocus(opener)
  })

  it('opens and closes the navigation in a narrow window with a button that shows its state', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const toggle = page.getByRole('button', { name: 'Navigation' })
    const isExpanded = () => toggle.getAttribute('aria-expanded')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await expect.poll(isExpanded).toBe('false')
    await navigation.waitFor({ state: 'hidden' })
    await toggle.press('Enter')
    await expect.poll(isExpanded).toBe('true')
    await page.getByRole('link', { name: 'Members' }).click()
    await title('Members').waitFor()
    await navigation.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

it('the header names open problems, each with the page on which it can be fixed', async () => {
  await openPage(page, '/1-acme')
  await page.getByRole('button', { name: /^Needs attention: \d/ }).click()
  await page
    .getByRole('menuitem', { name: /Ada Lovelace can manage the organization and has no second factor/ })
    .click()
  await hasFocus(title('Members'))
})

describe('the color scheme', () => {
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')

  it('follows the system until the user chooses one, which is kept', async () => {
    await openPage(page, '/account/appearance')
    await title('Appearance and keyboard').waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
    await page.getByLabel('Light', { exact: true }).check()
    await expect.poll(scheme).toBe('light')
    await page.reload()
    await expect.poll(scheme).toBe('light')
    await title('Appearance and keyboard').waitFor()
    await page.getByLabel('Like the system').check()
    await expect.poll(scheme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('html[data-mantine-color-scheme=light]').waitFor({ state: 'attached' })
    await expectGoodPage(owner, 'appearance')
  })
})

describe('organizations', () => {
  const projects = () => page.getByRole('list', { name: 'Projects' }).getByRole('heading')
  const change = async (from: string, to: string) => {
    await page.getByRole('button', { name: `Organization: ${from}` }).click()
    await page.getByRole('menuitemradio', { name: to }).click()
    await page.getByRole('button', { name: `Organization: ${to}` }).waitFor()
  }

  it('show only their own projects', async () => {
    await page.goto('/')
    await projects().getByText('Web shop').waitFor()
    await expect.poll(() => projects().allTextContents()).toEqual(['Warehouse', 'Web shop'])
    await change('Acme', 'Globex')
    await page.getByText('No projects yet').waitFor()
    expect(await page.getByText('Web shop').count()).toBe(0)
  })

  it('stay selected in this browser, while each tab keeps its own', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Organization: Globex' }).waitFor()
    const tab = await owner.context.newPage()
    await tab.goto('/')
    await tab.getByRole('button', { name: 'Organization: Globex' }).waitFor()
    await change('Globex', 'Acme')
    await tab.reload()
    await tab.getByRole('button', { name: 'Organization: Globex' }).waitFor()
    await tab.close()
  })

  it('can be switched only by members of several', async () => {
    const onlooker = await site.visit(grace)
    await onlooker.page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    expect(await onlooker.page.getByRole('button', { name: /^Organization:/ }).count()).toBe(0)
    expect(await onlooker.page.getByRole('button', { name: 'Create project' }).count()).toBe(0)
    expect(onlooker.complaints).toEqual([])
    await onlooker.context.close()
  })
})

describe('the palette', () => {
  const field = () => page.getByRole('combobox', { name: 'Search flags, pages and actions' })
  const results = () => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  /** A page that was just loaded may not listen to the keyboard yet. */
  const openPalette = () =>
    expect
      .poll(async () => {
        if (!(await field().isVisible())) await page.keyboard.press('Control+k')
        return field().isVisible()
      })
      .toBe(true)

  it('opens with Ctrl K, finds a page by a part of its name, and opens it with Enter', async () => {
    await openPage(page, '/1-acme')
    await projectsAreThere()
    await openPalette()
    await hasFocus(field())
    await expectGoodPage(owner, 'palette')
    await field().fill('audit')
    await expect.poll(() => results().first().innerText()).toMatch(/^Audit log/)
    await page.keyboard.press('Enter')
    await hasFocus(title('Audit log'))
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('shows what was chosen last first, and only actions after >', async () => {
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => results().first().innerText()).toMatch(/^Audit log/)
    await field().fill('>')
    await expect.poll(async () => (await results().allInnerTexts()).every((text) => text.includes('Action'))).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await hasFocus(page.getByRole('button', { name: 'Search' }))
  })

  it('begins what a button of another page begins', async () => {
    await openPalette()
    await field().fill('add member')
    await expect.poll(() => results().first().innerText()).toMatch(/^Invite a person/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Invite a person' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('offers the actions of the best match', async () => {
    await openPage(page, '/1-acme/1-web-shop/environments')
    await title('Environments').waitFor()
    await owner.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openPalette()
    await field().fill('production')
    await page.getByRole('option', { name: 'Copy the SDK key of Production' }).click()
    await page.getByRole('alert').getByText('SDK key of Production copied.').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    await openPage(page, '/1-acme/1-web-shop/environments/production')
    expect(copied).toBe(await page.getByLabel('SDK key', { exact: true }).inputValue())
  })

  it('finds people, exclusion groups and webhooks, by name or a pasted id', async () => {
    const path = '/api/v1/projects/1'
    await prepare(site.service.url, 'POST', `${path}/exclusion-groups`, { name: 'Price tests', slotSize: 2500 })
    await openPage(page, '/1-acme/1-web-shop/environments')
    await title('Environments').waitFor()
    await expect.poll(() => page.title()).toBe('Environments · Web shop · Svc')
    await openPalette()
    await field().fill('price tests')
    await expect.poll(() => results().first().innerText()).toMatch(/^Price tests\s+Exclusion group/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Price tests' }).waitFor()
    const members = await callInPage(page, '1', 'GET', '/api/v1/members?limit=100')
    const found = members.body.data.find(({ name }: { name: string }) => name === grace.name)
    await openPalette()
    // Enter opens what was typed, also while the list is still that of before.
    await field().fill(found.userId)
    await page.keyboard.press('Enter')
    await title('Members').waitFor()
    const row = page.getByRole('row', { name: grace.name })
    await expect.poll(() => row.getAttribute('aria-current')).toBe('true')
  })

  const projectsAreThere = () => page.getByRole('list', { name: 'Projects' }).waitFor()
})

describe('single keys', () => {
  it('open pages after G, do nothing in fields, and are listed with ?', async () => {
    await openPage(page, '/1-acme')
    await page.getByRole('list', { name: 'Projects' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await hasFocus(title('Members'))
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Audit log').waitFor()
    await expectGoodPage(owner, 'keyboard shortcuts')
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/1-acme/settings/members')
    await openPage(page, '/account')
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.type('gt?')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toMatch(/gt\?$/)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('leave the palette open when the list of shortcuts closed a moment before', async () => {
    // A load, because the palette is loaded only once.
    await page.goto('/account')
    await title('Profile').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    // The browser reports the closing after the key, while the palette is still being loaded.
    await page.evaluate(async () => {
      const dialog = document.querySelector('dialog')!
      const closed = new Promise((done) => dialog.addEventListener('close', done))
      dialog.close()
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
      await closed
    })
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('can be switched off', async () => {
    await openPage(page, '/account/appearance')
    await page.getByLabel('Single keys').uncheck()
    await title('Appearance and keyboard').focus()
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByLabel('Single keys').check()
  })
})

describe('notifications', () => {
  it('say so where the service sends no mail', async () => {
    await openPage(page, '/account/notifications')
    await page.getByRole('heading', { name: 'This service sends no mail' }).waitFor()
    await expectGoodPage(owner, 'notifications no-mail')
  })
})

describe('projects', () => {
  inFull('dashboard/web-experiments')('open after they are created', async () => {
    await openPage(page, '/')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByText('Enter a name.').waitFor()
    await expectGoodPage(owner, 'project create')
    await page.getByRole('dialog').getByLabel('Name').fill('Telephone app')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    // It is shown for a few seconds only.
    await page.getByRole('alert').getByText('Telephone app created.').waitFor()
    await hasFocus(title('Connect your SDK'))
    expect(new URL(page.url()).pathname).toBe('/1-acme/3-telephone-app/connect')
    await page.getByRole('button', { name: 'Project: Telephone app' }).waitFor()
    await page.getByRole('link', { name: 'Environments', exact: true }).click()
    await hasFocus(title('Environments'))
    await page.getByRole('button', { name: /the SDK key of Production/ }).waitFor()
    await expectGoodPage(owner, 'project')
  })

  it('can be switched in the header', async () => {
    await openPage(page, '/1-acme/2-warehouse/environments')
    await page.getByRole('button', { name: 'Project: Warehouse' }).click()
    await page.getByRole('menuitem', { name: 'Web shop' }).click()
    await hasFocus(title('Flags'))
    expect(new URL(page.url()).pathname).toBe('/1-acme/1-web-shop/flags')
    await page.getByRole('button', { name: 'Project: Web shop' }).click()
    await page.getByRole('menuitem', { name: 'All projects' }).click()
    await hasFocus(title('Projects'))
  })
})

describe('a message', () => {
  it('waits while it has the focus, and its button fits into a narrow window', async () => {
    await prepare(
      site.service.url,
      'POST',
      '/api/v1/projects/1/flags',
      offOn('One-page checkout for returning customers', 'one-page-checkout'),
    )
    // The clock of a window cannot be given back.
    const { page, context, complaints } = await site.visit(ada)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.clock.install()
    await page.goto('/1-acme/1-web-shop/flags/one-page-checkout?env=development')
    await page.getByRole('switch', { name: /in Development:/ }).click()
    const message = page.getByRole('alert').filter({ hasText: 'runs in Development.' })
    const word = message.getByRole('button', { name: 'Pause' }).getByText('Pause')
    await word.waitFor()
    expect(await word.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await message.getByRole('button', { name: 'Close this message' }).focus()
    // The clock would go on by itself between the steps.
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.clock.runFor(20_000)
    expect(await message.count()).toBe(1)
    await page.getByRole('main').focus()
    await page.clock.runFor(9_000)
    expect(await message.count()).toBe(1)
    await expect
      .poll(async () => {
        await page.clock.runFor(2_000)
        return message.count()
      })
      .toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('sessions', () => {
  it('can be ended, which signs the browser out at its next call; signing in returns to the page', async () => {
    const elsewhere = await site.visit(ada)
    await elsewhere.page.goto('/account/tokens')
    await elsewhere.page.getByText('No personal tokens').waitFor()

    await openPage(page, '/account/sessions')
    await page.getByText('This browser').waitFor()
    await expectGoodPage(owner, 'sessions')
    await page
      .getByRole('button', { name: /^End the session in/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('alert').getByText('Session ended.').waitFor()

    await elsewhere.page.getByRole('link', { name: 'Acme', exact: true }).click()
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    if (isFull) await signsInAgain(elsewhere)
    expect(elsewhere.complaints).toEqual([])
    await elsewhere.context.close()
  })

  /** Otherwise, `doors` shows that the page is the one that was requested. */
  async function signsInAgain(elsewhere: Visitor): Promise<void> {
    await elsewhere.page.getByLabel('E-mail address').fill(ada.email)
    await elsewhere.page.getByLabel('Password', { exact: true }).fill(ada.password)
    await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  }
})

describe('personal tokens', () => {
  const tokens = () => page.getByRole('table', { name: 'Your tokens' })

  it('are created, and their secret is shown once', async () => {
    await openPage(page, '/account/tokens')
    await page.getByText('No personal tokens').waitFor()
    await expectGoodPage(owner, 'personal-tokens empty')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name').fill('Terminal')
    await page.getByLabel('Expires after').selectOption('7 days')
    await expectGoodPage(owner, 'personal-token create')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    const secret = await page.getByLabel('Token', { exact: true }).inputValue()
    expect(secret).toMatch(/^svc_pat_/)
    await expectGoodPage(owner, 'personal-token secret')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await tokens().getByText('in 7 days').waitFor()
    expect(await page.content()).not.toContain(secret)
    const me = await fetch(`${site.service.url}/api/v1/me`, {
      headers: { authorization: `Bearer ${secret}`, 'svc-org-id': '1' },
    })
    expect(me.status).toBe(200)
  })

  it('can be revoked', async () => {
    await expectGoodPage(owner, 'personal-tokens')
    await page.getByRole('button', { name: 'Revoke Terminal' }).click()
    await expectGoodPage(owner, 'personal-token revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await tokens().getByText('Revoked').waitFor()
  })
})

describe('an address', () => {
  const arrivesAt = (path: string) => page.waitForURL(new URL(path, site.service.url).href)

  it('that leads nowhere shows that the page was not found', async () => {
    await page.goto('/no/such/page')
    await title('Page not found').waitFor()
    for (const path of ['/9', '/1-acme/1-web-shop/nothing', '/projects/99', '/account/no']) {
      await follow(page, '/account')
      await title('Profile').waitFor()
      await follow(page, path)
      await title('Page not found').waitFor()
    }
  })

  it('with a mistake leads to a page that names the nearest one', async () => {
    await page.goto('/1-acme/99-web-shp/environments')
    await title('Project not found').waitFor()
    await page.getByRole('link', { name: 'Web shop' }).click()
    await page.getByRole('link', { name: 'Environments' }).click()
    await page.waitForURL('**/1-acme/1-web-shop/environments**')
    await page.goto(`${new URL(page.url()).pathname}/productoin`)
    await title('Environment not found').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Production' }).click()
    await title('Production').waitFor()
  })

  it('decides the organization by its number, and its words are corrected without a step back', async () => {
    await page.goto('/2-former-name')
    await arrivesAt('/2-globex')
    await page.getByText('No projects yet').waitFor()
    await page.goto('/1/1-former-name/environments?env=production')
    await arrivesAt('/1-acme/1-web-shop/environments?env=production')
    await page.getByRole('button', { name: 'Organization: Acme' }).waitFor()
    await page.goBack()
    await arrivesAt('/2-globex')
    await page.getByRole('button', { name: 'Organization: Globex' }).waitFor()
  })

  it('of a project without a page opens its first page', async () => {
    await page.goto('/1-acme/1-web-shop')
    await arrivesAt('/1-acme/1-web-shop/flags')
  })

  it('from before still works; where several organizations have the page, the person chooses', async () => {
    await page.goto('/projects/1/environments?env=production')
    await arrivesAt('/1-acme/1-web-shop/environments?env=production')
    await page.goto('/settings/organization')
    await title('Choose an organization').waitFor()
    await expectGoodPage(owner, 'choose organization')
    await page.getByRole('link', { name: 'Globex' }).click()
    await arrivesAt('/2-globex/settings/general')
  })
})

describe('when the service is down', () => {
  inFull('dashboard/preferences')('a page shows an error and since when, and comes back by itself', async () => {
    await openPage(page, '/account/sessions')
    await page.getByText('This browser').waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Personal tokens' }).click()
    await page.getByText('The service does not answer.').waitFor()
    await page.getByText(/^Offline since .*\. This is the last known state\.$/).waitFor()
    await expectGoodPage({ ...owner, complaints: [] }, 'offline')
    await page.unroute('**/api/**')
    await page.getByRole('table', { name: 'Your tokens' }).waitFor()
    await page.getByText('Offline since').waitFor({ state: 'hidden' })
  })

  it('the whole dashboard shows an error and offers a retry when it is opened', async () => {
    await page.route('**/api/**', (route) => route.abort())
    await page.goto('/account/sessions')
    await title('This page cannot be shown').waitFor()
    await page.getByText('The service does not answer.').waitFor()
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await title('Sessions').waitFor()
  })
})
