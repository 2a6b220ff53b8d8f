import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { addressOf } from '../files/settings.ts'
import { readCredentials, readUserConfig, writeCredentials, writeUserConfig } from '../files/user-files.ts'
import { Problem, usage } from '../problem.ts'
import type { Session } from '../session.ts'

type Me = Data<'/api/v1/me', 'get'>

const login = command({
  name: 'auth login',
  summary: 'Check a token and store it for its address.',
  about:
    'On a terminal, svc asks for the token; otherwise, it reads the token from standard input. It stores the token in\na file of mode 0600 and sends it only to the address it was stored for. The first login also stores the address.',
  options: { 'token-file': { value: 'FILE', about: 'Read the token from a file.' } },
  examples: ['svc auth login --url https://flags.example.com', 'svc auth login < token.txt'],
  async run({ options, session }) {
    const url = await addressFor(session)
    const token = await readToken(session, options['token-file'])
    if (token === '') throw usage('The token is empty.')
    const { files, org } = session.settings
    const { data } = await withAddress(session, url).connectWith(token).api.GET('/api/v1/me')
    const me = data!.data
    writeCredentials(files, {
      ...readCredentials(files),
      [url]: { token, name: me.name, org: isFromUser(session) ? (org?.value ?? null) : null },
    })
    const config = readUserConfig(files)
    if (config.url === undefined) writeUserConfig(files, { ...config, url })
    session.output.wrote(me, `The token "${me.name}" is stored for ${url}. ${holderOf(me)}`)
  },
})

const logout = command({
  name: 'auth logout',
  summary: 'Delete the stored token of an address.',
  about: 'The token itself stays valid. Revoke it in the dashboard if you no longer need it.',
  async run({ session }) {
    const { url, files } = session.settings
    const credentials = readCredentials(files)
    if (!url || !Object.hasOwn(credentials, url.value))
      throw new Problem('not_found', `No token is stored${url ? ` for ${url.value}` : ''}.`)
    const { [url.value]: _deleted, ...others } = credentials
    writeCredentials(files, others)
    session.output.wrote(null, `The token for ${url.value} is deleted from ${files.credentials}.`)
  },
})

const status = command({
  name: 'auth status',
  summary: 'Show who the token belongs to and what it can do.',
  async run({ session }) {
    const { data } = await session.connection.api.GET('/api/v1/me')
    const me = data!.data
    const { url, token } = session.settings
    session.output.data(me, () =>
      session.output.details([
        ['Address', `${url!.value} (${url!.source})`],
        ['Token', `${me.name} (${token!.source})`],
        ['Kind', kinds[me.type]],
        ['Person', me.user && `${me.user.name} <${me.user.email}>`],
        ['Organization', me.organization?.name ?? me.organizations.map(({ name }) => name).join(', ')],
        ['Role', me.role?.name],
        ['Scopes', me.scopes.join(' ') || 'none'],
      ]),
    )
  },
})

export const auth: Group = {
  name: 'auth',
  summary: 'Sign in to a service, and show who you are.',
  commands: [login, logout, status],
}

const kinds: Record<Me['type'], string> = {
  SERVICE_TOKEN: 'service token',
  PERSONAL_TOKEN: 'personal token',
  SESSION: 'session',
}

async function addressFor({ settings, prompt }: Session): Promise<string> {
  if (settings.url) return settings.url.value
  if (!prompt.isPossible) throw usage('The address of the service is required. Use --url or set SVC_URL.')
  return addressOf({ value: (await prompt.ask('Address of the service:')).trim(), source: 'The answer' })
}

const withAddress = (session: Session, value: string): Session => {
  session.settings.url ??= { value, source: 'the answer' }
  return session
}

/** An organization of a project file must not become the default everywhere. */
const isFromUser = ({ settings: { org, projectFile } }: Session): boolean => org?.source !== projectFile?.path

async function readToken(session: Session, path: string | undefined): Promise<string> {
  if (path !== undefined) return firstLine(await session.readText(path))
  if (session.prompt.isPossible) return (await session.prompt.askSecret('Token (not shown):')).trim()
  if (session.world.stdin.isTTY)
    throw usage(
      'svc cannot ask without a terminal or with --no-input. Use --token-file, or pass the token on standard input.',
    )
  return firstLine(await session.readText('-'))
}

const firstLine = (text: string): string => (text.split(/\r?\n/)[0] ?? '').trim()

const holderOf = ({ user, organization, organizations }: Me): string => {
  const names = organization ? [organization.name] : organizations.map(({ name }) => name)
  return user
    ? `It belongs to ${user.name} and gives access to ${names.join(', ')}.`
    : `It belongs to ${names.join(', ')}.`
}
