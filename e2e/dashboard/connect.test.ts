import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { cleanEnvironment, root } from '../service.ts'
import { expectGoodPage, hasFocus, type Visitor } from './browser.ts'
import { ada } from './people.ts'
import { openProcess } from './site.ts'

const site = openProcess(null)
let owner: Visitor
let page: Page
const programs: ChildProcess[] = []
const servers: Server[] = []

const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const step = (name: string) => page.getByRole('region', { name })
const code = (language: string) =>
  page
    .getByRole('region', { name: `Connect, ${language}` })
    .locator('code')
    .innerText()
const choose = (language: string) => page.getByRole('tab', { name: language, exact: true }).click()

beforeAll(async () => {
  owner = await site.visit()
  page = owner.page
})
afterAll(async () => {
  for (const program of programs.splice(0)) program.kill()
  for (const server of servers.splice(0)) server.close()
})

/** Runs a snippet as it was copied, in the repository, where `@svc/sdk` is installed. */
function run(snippet: string, command: string[] = [process.execPath, '--input-type=module', '--eval']): () => string {
  const [runtime, ...parameters] = command
  const program = spawn(runtime!, [...parameters, snippet], {
    cwd: root,
    env: cleanEnvironment({ PYTHONPATH: join(root, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }),
  })
  programs.push(program)
  let printed = ''
  for (const output of [program.stdout, program.stderr])
    output.on('data', (part) => {
      printed += part
    })
  return () => printed
}

/** A page with the component of a snippet, bundled as a program that installed React and the SDK would. */
async function pageOf(component: string): Promise<string> {
  const [entry, hello] = [join(root, 'main.jsx'), join(root, 'hello.jsx')]
  const sources: Record<string, string> = {
    [hello]: component,
    [entry]: `import { createRoot } from 'react-dom/client'
import { Hello } from ${JSON.stringify(hello)}
createRoot(document.querySelector('#root')).render(<Hello />)`,
  }
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    // A program has one React. Here the SDK has an older one of its own, for its types.
    resolve: { dedupe: ['react', 'react-dom'] },
    plugins: [
      { name: 'snippet', enforce: 'pre', resolveId: (id) => (id in sources ? id : null), load: (id) => sources[id] },
      react(),
    ],
    build: { write: false, rolldownOptions: { input: entry } },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('nothing was built')
  return `<div id="root"></div><script type="module">${output.output[0].code.replaceAll('</script', '<\\/script')}</script>`
}

describe('from the owner link to a flag that a program follows', () => {
  it('leads from the first account to a project with an example flag', async () => {
    await page.goto(site.service.ownerLink ?? '')
    await page.getByLabel('Organization').fill('Acme')
    await page.getByLabel('Your name').fill(ada.name)
    await page.getByLabel('E-mail address').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByLabel('Name').fill('Web shop')
    await page.keyboard.press('Enter')
    await hasFocus(title('Connect your SDK'))
    expect(new URL(page.url()).search).toBe('?env=development')
  })

  it('waits for the first heartbeat, and says what can be wrong', async () => {
    await step('2. Start it').getByText('Waiting for the first heartbeat').waitFor()
    await step('2. Start it').getByText('What can be wrong').click()
    await page.getByText('200 means that the key is right.').waitFor()
    if (isFull) await expectGoodPage(owner, 'connect waiting')
  })

  it('says what connects, and the program follows the switch', async () => {
    await choose('Node')
    await page.getByText(`npm install ${site.service.url}/packages/svc-sdk.tgz`, { exact: true }).waitFor()
    const printed = run(await code('Node'))
    await step('2. Start it')
      .getByText(/Connected: node, SDK \d+\.\d+\.\d+, revision \d+/)
      .waitFor()
    await expect.poll(printed).toContain('hello: false')
    await page.getByRole('switch', { name: 'Hello in Development: paused' }).click()
    await expect.poll(printed).toContain('hello: true')
    await page.getByText('Live in 1 of 1 client').waitFor()
    await expectGoodPage(owner, 'connect done')
    await page.getByRole('switch', { name: 'Hello in Development: running' }).click()
    await expect.poll(() => printed().trim().split('\n').at(-1)).toBe('hello: false')
  })

  it('has a snippet for OpenFeature, whose handlers follow the switch', async () => {
    await choose('OpenFeature')
    await page.getByText(/^npm install .* @openfeature\/server-sdk$/).waitFor()
    const printed = run(await code('OpenFeature'))
    await expect.poll(printed).toContain('hello: false')
    await page.getByRole('switch', { name: 'Hello in Development: paused' }).click()
    await expect.poll(printed).toContain('hello: true')
    await page.getByRole('switch', { name: 'Hello in Development: running' }).click()
    await expect.poll(() => printed().trim().split('\n').at(-1)).toBe('hello: false')
  })

  it('has a snippet for Python, which follows the switch', async () => {
    await choose('Python')
    await page.getByText(/^python3 -m pip install .*\.whl$/).waitFor()
    const printed = run(await code('Python'), ['python3', '-c'])
    await expect.poll(printed).toContain('hello: False')
    await page.getByRole('switch', { name: 'Hello in Development: paused' }).click()
    await expect.poll(printed).toContain('hello: True')
    await page.getByRole('switch', { name: 'Hello in Development: running' }).click()
    await expect.poll(() => printed().trim().split('\n').at(-1)).toBe('hello: False')
  })

  it('has snippets for pages and for React components', async () => {
    const guest = await site.visit()
    const show = async (content: string) => {
      const server = createServer((_request, response) => {
        response.setHeader('content-type', 'text/html').end(content)
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      servers.push(server)
      await guest.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    }
    await choose('Browser')
    await show(await code('Browser'))
    await guest.page.getByText('hello: false').waitFor()
    await page.getByRole('switch', { name: 'Hello in Development: paused' }).click()
    await guest.page.getByText('hello: true').waitFor()
    await choose('React')
    await show(await pageOf(await code('React')))
    await guest.page.getByText('hello: true').waitFor()
    await page.getByRole('switch', { name: 'Hello in Development: running' }).click()
    await guest.page.getByText('hello: false').waitFor()
    await page.getByRole('switch', { name: 'Hello in Development: paused' }).click()
    await guest.page.getByText('hello: true').waitFor()
    await guest.context.close()
  })

  it('has calls of curl for every other program', async () => {
    await choose('curl')
    const { stdout } = await promisify(execFile)('sh', ['-c', await code('curl')])
    expect(stdout).toContain('"hello"')
    expect(stdout).not.toContain('"error"')
  })
})

describe('environments', () => {
  const hostile = '<script>alert(1)</script>'
  const dialog = () => page.getByRole('dialog')

  it('are listed with what is connected and what is live', async () => {
    await page.getByRole('link', { name: 'Environments', exact: true }).click()
    await hasFocus(title('Environments'))
    const row = page.getByRole('row').filter({ hasText: 'Development' })
    await row.getByText('Connected').waitFor()
    await row.getByText('Revision').waitFor()
    await page.getByRole('row').filter({ hasText: 'Production' }).getByText('Never connected').waitFor()
  })

  it('can be added with the rules of another', async () => {
    await page.getByRole('button', { name: 'Add environment' }).click()
    await dialog().getByLabel('Name').fill(hostile)
    await dialog().getByLabel('Copy rules from').selectOption({ label: 'Development' })
    await dialog().getByRole('button', { name: 'Add environment' }).click()
    await hasFocus(title(hostile))
    if (isFull) await expectGoodPage(owner, 'environment')
    await page.getByRole('link', { name: 'Environments', exact: true }).click()
    await page.getByRole('row').filter({ hasText: hostile }).waitFor()
    await expectGoodPage(owner, 'environments')
    await page.getByRole('link', { name: hostile }).click()
  })

  it('are renamed, protected and moved', async () => {
    await page.getByLabel('Name').fill('Staging')
    await page.getByLabel('Protected').check()
    await page.getByLabel('Place').selectOption('First')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Staging saved.').waitFor()
    await title('Staging').waitFor()
    await page.getByRole('link', { name: 'Environments', exact: true }).click()
    await title('Environments').waitFor()
    const names = page.getByRole('rowheader')
    await expect
      .poll(async () => (await names.allInnerTexts()).map((name) => name.split('\n')[0]))
      .toEqual(['Staging', 'Production', 'Development'])
  })

  it('show their clients', async () => {
    await page.getByRole('link', { name: 'Development' }).click()
    await page.getByRole('link', { name: 'Clients' }).click()
    await title('Clients of Development').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'node, SDK' })
    await row.first().getByText('Up to date').waitFor()
    await expectGoodPage(owner, 'clients')
  })

  it('are deleted after their key is typed', async () => {
    await page.getByRole('link', { name: 'Environments', exact: true }).click()
    await page.getByRole('link', { name: 'Staging' }).click()
    await title('Staging').waitFor()
    // The messages of the steps before, four of them within seconds, cover the button.
    await page.getByRole('button', { name: 'Close this message' }).evaluateAll((all) => {
      for (const button of all) (button as HTMLElement).click()
    })
    await page.getByRole('button', { name: 'Delete environment' }).click()
    await dialog().getByRole('button', { name: 'Delete environment' }).click()
    await dialog()
      .getByText(/^Type .* exactly/)
      .waitFor()
    const key = await dialog().locator('label code').innerText()
    await dialog().getByRole('textbox').fill(key)
    await dialog().getByRole('button', { name: 'Delete environment' }).click()
    await page.getByText('Staging deleted.').waitFor()
    await title('Environments').waitFor()
    await page.getByRole('row').filter({ hasText: 'Staging' }).waitFor({ state: 'detached' })
  })
})

describe('the settings of a project', () => {
  const dialog = () => page.getByRole('dialog')

  it('rename it', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await hasFocus(title('Project settings'))
    await page.getByText('It is fixed, because the project has flags.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Key' }).getAttribute('readonly')).not.toBeNull()
    await page.getByRole('textbox', { name: 'Name' }).fill('Book shop')
    await page.getByRole('button', { name: 'Save project' }).click()
    await page.getByText('Book shop saved.').waitFor()
    await page.waitForURL('**/1-book-shop/settings**')
    await expectGoodPage(owner, 'project settings')
  })

  it('refuse to delete it while a flag runs, and then delete it', async () => {
    await page.getByRole('button', { name: 'Delete project' }).click()
    await dialog().getByRole('textbox').fill('web-shop')
    await dialog().getByRole('button', { name: 'Delete project' }).click()
    await dialog().getByRole('alert').getByText(/run/).waitFor()
    if (isFull) await expectGoodPage(owner, 'project delete', [])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.goto('/1-acme/1-book-shop/connect?env=development')
    await page.getByRole('switch', { name: 'Hello in Development: running' }).click()
    await page
      .getByRole('switch', { name: 'Hello in Development: paused' })
      .and(page.locator('[aria-busy=false]'))
      .waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('button', { name: 'Delete project' }).click()
    await dialog().getByRole('textbox').fill('web-shop')
    await dialog().getByRole('button', { name: 'Delete project' }).click()
    await hasFocus(title('Projects'))
    await page.getByText('No projects yet').waitFor()
  })
})
