import type { Data } from '@svc/client'
import { idCalled } from '../called.ts'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { Problem, usage } from '../problem.ts'
import { nameOf, type Session } from '../session.ts'
import { sentSoFar } from '../terminal/sent.ts'
import { obeysCodes } from '../terminal/terminal.ts'
import { shownTime } from '../terminal/times.ts'
import { pairOf } from '../values/option-values.ts'
import { askedFor, type Job, waitFor, waitOption } from './job.ts'

const itemPath = '/api/v1/projects/{projectId}/catalog/sources/{sourceId}'

type Source = Data<typeof itemPath, 'get'>
type Preview = Data<`${typeof itemPath}/preview`, 'post'>

const formats = ['AUTO', 'GOOGLE_XML', 'CSV', 'TSV', 'JSONL', 'SHOPIFY_JSON'] as const
const fields = ['cost', 'stock', 'salePrice', 'labels'] as const

const options = {
  url: { value: 'URL', about: 'Where the file is; empty for uploads alone.' },
  format: { value: 'FORMAT', about: 'The format of the file. Default: found from the file.', choices: formats },
  encoding: { value: 'ENCODING', about: 'The encoding of the file.', choices: ['utf-8', 'windows-1252'] },
  mode: { value: 'MODE', about: 'FULL removes items that the file does not have.', choices: ['FULL', 'DELTA'] },
  currency: { value: 'CODE', about: 'The currency of prices without one, such as EUR.' },
  map: { value: 'FIELD=COLUMN', many: true, about: 'The column of a field of ours, such as cost=wholesale_price.' },
  field: { value: 'FIELD', many: true, about: 'Of a SUPPLEMENT: a field that it sets.', choices: fields },
  user: { value: 'NAME', about: 'The username, for an address with a password.' },
  header: { value: 'NAME', about: 'The header of the secret, such as X-Api-Key.' },
  secret: { value: 'FILE', about: 'The password, token or key, read from a file; - is standard input.' },
  cron: { value: 'PATTERN', about: 'When it is fetched: minute, hour, day, month, weekday; empty for never.' },
  timezone: { value: 'ZONE', about: 'The time zone of --cron. Default: UTC.' },
} as const

const types = {
  type: { value: 'TYPE', about: 'What it contains. It cannot change.', choices: ['PRODUCTS', 'SUPPLEMENT', 'ORDERS'] },
} as const

type Given = { [Name in keyof typeof options]?: Name extends 'map' | 'field' ? string[] : string } & { type?: string }

const preview = command({
  name: 'source preview',
  summary: 'Show what the first 100 rows would become, and what is wrong with them. Nothing is saved.',
  args: ['KEY'],
  keys: { KEY: 'catalog_source' },
  options: { input: { value: 'FILE', about: 'Read this file instead of the address; - is standard input.' } },
  examples: ['svc source preview main-feed', 'svc source preview main-feed --input feed.csv'],
  async run({ args, options: { input }, session }) {
    const { connection, project, output } = session
    const id = await idCalled(session, 'catalog_source', args.KEY)
    const path = `/api/v1/projects/${encodeURIComponent(project)}/catalog/sources/${encodeURIComponent(id)}/preview`
    const response = await connection.send('POST', path, {
      ...(input !== undefined && {
        headers: { 'content-type': 'application/octet-stream' },
        body: await session.readBytes(input),
      }),
    })
    const { data } = (await response.json()) as { data: Preview }
    output.data(data, () => data.fault === null && print(session, data))
    if (data.fault) throw new Problem('failed', lineOf(data.fault))
  },
})

const sync = command({
  name: 'source sync',
  summary: 'Fetch the feed of a source now, and make its items live.',
  about: 'If a job of the source is queued or running, this is that job.',
  args: ['KEY'],
  keys: { KEY: 'catalog_source' },
  options: waitOption,
  examples: ['svc source sync main-feed --wait'],
  async run({ args, options, session }) {
    const { connection, project } = session
    const sourceId = await idCalled(session, 'catalog_source', args.KEY)
    const { data } = await connection.api.POST(`${itemPath}/sync`, {
      params: { path: { projectId: project, sourceId } },
    })
    await askedFor(session, data!.data, 'fetches the feed', options.wait)
  },
})

const upload = command({
  name: 'source upload',
  summary: 'Send a file to a source. It is read by the service while it is sent.',
  about: 'A file of any size is never in memory as a whole. One that is packed by gzip is sent as it is.',
  args: ['KEY', 'FILE'],
  keys: { KEY: 'catalog_source' },
  options: {
    apply: { value: 'JOB', about: 'The held job of the source whose file this is, to apply it.' },
    ...waitOption,
  },
  examples: ['svc source upload costs feed.csv --wait', 'gzip -c orders.csv | svc source upload orders -'],
  async run({ args, options, session }) {
    const job = await sendTo(session, args.KEY, args.FILE, options.apply)
    if (options.wait) return waitFor(session, job)
    const isOver = job.status === 'RUNNING' ? 'is at work' : `is ${job.status}${job.reason ? `: ${job.reason}` : ''}`
    session.output.wrote(job, `The file was sent. The job ${job.id} ${isOver}.`)
  },
})

/** Sends a file to a source, and shows how much was sent. Returns its job. */
export async function sendTo(session: Session, key: string, file: string, apply: string | undefined): Promise<Job> {
  const { connection, project, output, world, globals } = session
  const id = await idCalled(session, 'catalog_source', key)
  const path = `/api/v1/projects/${encodeURIComponent(project)}/catalog/sources/${encodeURIComponent(id)}/uploads`
  const query = apply === undefined ? '' : `?apply=${encodeURIComponent(apply)}`
  const { bytes, size } = await session.openFile(file)
  const shown = sentSoFar(world.stderr, {
    size,
    isQuiet: globals.quiet === true || output.isJson,
    erases: obeysCodes(world.stderr, world.env),
  })
  const response = await connection.sendFile(path + query, shown.counted(bytes)).finally(shown.end)
  return ((await response.json()) as { data: Job }).data
}

const lineOf = ({ line, message }: { line: number | null; message: string }): string =>
  line === null ? message : `Line ${line}: ${message}`

function print(session: Session, preview: Preview): void {
  const { values, orders } = preview
  const printRows = values.length > 0 ? printValues : orders.length > 0 ? printOrders : printItems
  printRows(session, preview)
  printErrors(session, preview)
}

function printItems({ output }: Session, { items }: Preview): void {
  output.rows(
    [
      { head: 'LINE', cell: ({ line }) => line, right: true },
      { head: 'ID', cell: ({ itemId }) => itemId },
      { head: 'TITLE', cell: ({ title }) => title },
      { head: 'PRICE', cell: ({ price, currency }) => `${price} ${currency}`, right: true },
      { head: 'AVAILABILITY', cell: ({ availability }) => availability },
    ],
    items,
    'None of the rows would be stored.',
  )
}

function printValues({ output }: Session, { values }: Preview): void {
  output.rows(
    [
      { head: 'LINE', cell: ({ line }) => line, right: true },
      { head: 'ITEMS', cell: ({ itemIds }) => itemIds.join(' ') },
      { head: 'COST', cell: ({ cost, currency }) => (cost ? `${cost} ${currency}` : ''), right: true },
      { head: 'STOCK', cell: ({ stock }) => stock ?? '', right: true },
      {
        head: 'SALE PRICE',
        cell: ({ salePrice, currency }) => (salePrice ? `${salePrice} ${currency}` : ''),
        right: true,
      },
      { head: 'LABELS', cell: ({ labels = [] }) => labels.join(', ') },
    ],
    values,
    '',
  )
}

function printOrders({ output }: Session, { orders }: Preview): void {
  output.rows(
    [
      { head: 'ORDER', cell: ({ orderId }) => orderId },
      { head: 'PLACED', cell: ({ placedAt }) => shownTime(placedAt) },
      { head: 'VISITOR', cell: ({ unit }) => unit ?? '' },
      { head: 'TOTAL', cell: ({ total, currency }) => `${total} ${currency}`, right: true },
      { head: 'STATUS', cell: ({ status }) => status },
      { head: 'LINES', cell: ({ items }) => items.length, right: true },
    ],
    orders,
    '',
  )
}

function printErrors({ output }: Session, { errors }: Preview): void {
  if (errors.length === 0) return
  output.rows(
    [
      { head: 'LINE', cell: ({ line }) => line, right: true },
      { head: 'ID', cell: ({ itemId }) => itemId },
      { head: 'SKIPPED', cell: ({ isWarning }) => (isWarning ? 'no' : 'yes') },
      { head: 'CODE', cell: ({ code }) => code },
      { head: 'MESSAGE', cell: ({ message }) => message },
    ],
    errors,
    '',
  )
}

export const source: Group = {
  name: 'source',
  summary: 'Where the products of a shop come from.',
  commands: [
    ...objectCommands<Source, typeof options & typeof types, Record<never, never>>({
      of: 'catalog_source',
      word: 'source',
      isNamed: true,
      summaries: {
        list: 'List the sources of the catalog.',
        get: 'Show a source, without its secret.',
        create: 'Create a source of products, of some fields of products, or of orders.',
        set: 'Change a source. A secret that is not given stays.',
        delete: 'Delete a source.',
      },
      about:
        'The secret comes from a file or standard input, never from arguments: with --user it is a password, with --header a key, otherwise a token. Guards and other schedules are fields of --file.',
      examples: [
        'svc source create --name "Main feed" --type PRODUCTS --url https://shop.example/feed.xml --currency EUR',
        'svc source create --name Costs --type SUPPLEMENT --field cost --url https://shop.example/costs.csv --user svc --secret password.txt',
      ],
      options: { ...types, ...options },
      deletion: {
        items: {
          value: 'WHAT',
          about: 'What becomes of its items: they stay, or a job removes them. Default: keep.',
          choices: ['keep', 'remove'],
        },
      },
      later: {},
      fields: (given, session) => fieldsGiven(given as Given, session),
      columns: () => [
        { head: 'KEY', cell: ({ key }) => key },
        { head: 'NAME', cell: ({ name }) => name },
        { head: 'TYPE', cell: ({ type }) => type },
        { head: 'FORMAT', cell: ({ format }) => format },
        { head: 'URL', cell: ({ url }) => url },
        { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
      ],
      details: (found) => [
        ['Key', found.key],
        ['Name', found.name],
        ['Type', found.type],
        ['Mode', found.mode],
        ['Format', found.format],
        ['Encoding', found.encoding],
        ['URL', found.url],
        ['Secret', found.auth && `${found.auth.type} ${found.auth.secret}`],
        ['Currency', found.defaultCurrency],
        [
          'Mapping',
          Object.entries(found.mapping)
            .map(([ours, theirs]) => `${ours}=${theirs}`)
            .join(', ') || null,
        ],
        ['Sets', found.fields?.join(', ')],
        [
          'Guards',
          Object.entries(found.guards)
            .map(([name, limit]) => `${name} ${limit}`)
            .join(', '),
        ],
        ['Schedule', found.schedule && JSON.stringify(found.schedule)],
        ['Updated', shownTime(found.updatedAt)],
      ],
    }),
    preview,
    sync,
    upload,
  ],
}

async function fieldsGiven(given: Given, session: Session): Promise<Record<string, unknown>> {
  const { type, url, format, encoding, mode, currency, map, field, cron, timezone } = given
  const auth = await authGiven(given, session)
  if (timezone !== undefined && !cron) throw usage('--timezone needs --cron.')
  return {
    ...(type !== undefined && { type }),
    ...(url !== undefined && { url: url || null }),
    ...(format !== undefined && { format }),
    ...(encoding !== undefined && { encoding }),
    ...(mode !== undefined && { mode }),
    ...(currency !== undefined && { defaultCurrency: currency || null }),
    ...(map && { mapping: Object.fromEntries(map.map((text) => pairOf(text, '--map'))) }),
    ...(field && { fields: field }),
    ...(auth && { auth }),
    ...(cron !== undefined && { schedule: cron === '' ? null : { cron, timezone: timezone ?? 'UTC' } }),
  }
}

async function authGiven({ user, header, secret }: Given, { readText }: Session) {
  if (user === undefined && header === undefined && secret === undefined) return undefined
  if (user !== undefined && header !== undefined) throw usage('Use --user or --header, not both.')
  const text = secret === undefined ? undefined : (await readText(secret)).trim()
  if (text === '') throw new Problem('file_invalid', `--secret: ${nameOf(secret!)} is empty.`)
  const whole = text === undefined ? {} : { secret: text }
  if (user !== undefined) return { type: 'BASIC', username: user, ...whole }
  return header === undefined ? { type: 'BEARER', ...whole } : { type: 'HEADER', header, ...whole }
}
