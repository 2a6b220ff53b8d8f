import { command, type Group } from '../command.ts'
import { Problem, usage } from '../problem.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const call = command({
  name: 'api',
  summary: 'Call any route of the API.',
  about:
    'It prints the body unchanged, and writes without asking. Like every command, it sends the token, the\norganization and an Idempotency-Key.',
  args: ['METHOD', 'PATH'],
  options: {
    file: { value: 'BODY', short: 'f', about: 'File with the body; - is standard input.' },
    header: { value: 'NAME:VALUE', short: 'H', many: true, about: 'An additional header.' },
    'if-match': { value: 'ETAG', about: 'Write only if the resource still has this ETag.' },
    paginate: { about: 'Read all pages of a list, and print them as one.' },
  },
  examples: [
    'svc api GET /api/v1/me',
    'svc api GET "/api/v1/projects/web-shop/flags?status=RUNNING" --paginate',
    'svc api PATCH /api/v1/projects/web-shop/flags/checkout -f change.json',
  ],
  async run({ args, options, session }) {
    const method = args.METHOD.toUpperCase()
    if (!methods.includes(method)) throw usage(`METHOD must be ${methods.join(', ')} (got ${args.METHOD}).`)
    if (options.paginate && method !== 'GET') throw usage('--paginate is only for GET.')
    const { send } = session.connection
    if (options.file !== undefined && (method === 'GET' || method === 'HEAD')) throw usage(`A ${method} has no body.`)
    const body = options.file === undefined ? undefined : await session.readText(options.file)
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(options['if-match'] !== undefined && { 'x-svc-if-match': options['if-match'] }),
      ...Object.fromEntries((options.header ?? []).map(headerOf)),
    }
    if (options.paginate)
      return void session.output.line(await wholeList(args.PATH, (path) => send(method, path, { headers })))
    const response = await send(method, args.PATH, { headers, ...(body !== undefined && { body }) })
    if (response.body) for await (const bytes of response.body) await session.output.raw(bytes)
  },
})

export const api: Group = { name: 'api', summary: 'Call any route of the API.', commands: [call] }

function headerOf(text: string): [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw usage(`--header must be NAME:VALUE (got ${text}).`)
  return [name.toLowerCase(), value]
}

async function wholeList(path: string, read: (path: string) => Promise<Response>): Promise<string> {
  const items: unknown[] = []
  for (let cursor: string | null = null; ; ) {
    const address: string = cursor === null ? path : withCursor(path, cursor)
    const answer = (await (await read(address)).json()) as {
      data: unknown
      page?: { nextCursor: string | number | null; hasMore: boolean }
    }
    if (!Array.isArray(answer.data) || !answer.page)
      throw new Problem('usage', `${path} does not return a list in pages.`)
    items.push(...answer.data)
    const { nextCursor, hasMore } = answer.page
    if (!hasMore || nextCursor === null)
      return JSON.stringify({ data: items, page: { nextCursor: null, hasMore: false } })
    cursor = String(nextCursor)
  }
}

function withCursor(path: string, cursor: string): string {
  const [address = '', query = ''] = path.split('?')
  const given = new URLSearchParams(query)
  given.set('cursor', cursor)
  return `${address}?${given}`
}
