import { idCalled } from '../called.ts'
import { command } from '../command.ts'
import { usage } from '../problem.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'
import { contextFrom, contextOptions } from '../values/context.ts'
import { showOne } from '../values/evaluation.ts'
import { percent } from '../values/shares.ts'

const itemPath = '/api/v1/projects/{projectId}/experiments/{experimentId}'
const ofVariation = `${itemPath}/variations/{variationKey}` as const
const args = ['KEY', 'VARIATION'] as const
const keys = { KEY: 'experiment' } as const
const live = { about: 'Show what visitors get instead of the draft.' }
const dryRun = { about: 'Check the file and show what would change, and change nothing.' }
const drafted = 'It is a draft until a launch or a publish.'

/** The part of an address that names a variation. */
const pathTo = async (session: Session, { KEY, VARIATION }: { KEY: string; VARIATION: string }) => ({
  projectId: session.project,
  experimentId: await idCalled(session, 'experiment', KEY),
  variationKey: VARIATION,
})

/** What visitors get with `--live`, else the draft. */
const versionIn = (options: { live?: unknown }) => (options.live ? ('LIVE' as const) : ('DRAFT' as const))

/** Prints a text that is a file, or the whole answer as JSON. */
async function printFile({ output }: Session, answer: object, text: string): Promise<void> {
  if (output.isJson) return output.data(answer, () => undefined)
  await output.raw(text)
}

const changesGet = command({
  name: 'experiment changes get',
  summary: 'Print what a variation changes on pages, as JSON.',
  about: 'The output is a file for experiment changes put.',
  args,
  keys,
  options: { live },
  async run({ args, options, session }) {
    const params = { path: await pathTo(session, args), query: { version: versionIn(options) } }
    const { data } = await session.connection.api.GET(`${ofVariation}/changes`, { params })
    const { output } = session
    output.data(data!.data, () => output.line(JSON.stringify(data!.data, null, 2)))
  },
})

const changesPut = command({
  name: 'experiment changes put',
  summary: 'Replace what a variation changes on pages.',
  about: `FILE is JSON with changes and css as in the schema; - is standard input. ${drafted}`,
  args: [...args, 'FILE'],
  keys,
  options: { 'dry-run': dryRun },
  examples: ['svc experiment changes put 12 price changes.json --dry-run'],
  async run({ args, options, session }) {
    const { changes, css, ...others } = await session.readObject(args.FILE)
    const other = Object.keys(others).find((field) => field !== 'dryRun')
    if (other !== undefined) throw usage(`${args.FILE} has the field ${other}. It can have changes and css.`)
    const { data } = await session.connection.api.PUT(`${ofVariation}/changes`, {
      params: { path: await pathTo(session, args) },
      // The service checks what the file has, and names every fault.
      body: { changes: changes as never, css: css as never, dryRun: options['dry-run'] === true },
    })
    for (const { message } of data!.data.warnings) session.output.say(message)
    saved(session, args.VARIATION, data!.data, options['dry-run'] === true)
  },
})

const changesSchema = command({
  name: 'experiment changes schema',
  summary: 'Print the JSON schema of the changes of a variation.',
  about: 'An assistant that writes changes needs it.',
  examples: ['svc experiment changes schema > web-changes.schema.json'],
  async run({ session }) {
    const response = await session.connection.send('GET', '/docs/web-changes.schema.json')
    await session.output.raw(await response.text())
  },
})

const codeGet = command({
  name: 'experiment code get',
  summary: 'Print the code of a variation.',
  args,
  keys,
  options: { live },
  async run({ args, options, session }) {
    const params = { path: await pathTo(session, args), query: { version: versionIn(options) } }
    const { data } = await session.connection.api.GET(`${ofVariation}/code`, { params })
    const { js } = data!.data
    if (js === null && !session.output.isJson) return session.output.say(`The variation ${args.VARIATION} has no code.`)
    await printFile(session, data!.data, js ?? '')
  },
})

const codePut = command({
  name: 'experiment code put',
  summary: 'Replace the code of a variation.',
  about: `FILE is JavaScript, the body of a function with the parameter svc; - is standard input. An empty file removes the code.\n${drafted}`,
  args: [...args, 'FILE'],
  keys,
  options: { 'dry-run': dryRun },
  async run({ args, options, session }) {
    const text = await session.readText(args.FILE)
    const { data } = await session.connection.api.PUT(`${ofVariation}/code`, {
      params: { path: await pathTo(session, args) },
      body: { js: text.trim() === '' ? null : text, dryRun: options['dry-run'] === true },
    })
    saved(session, args.VARIATION, data!.data, options['dry-run'] === true)
  },
})

const errors = command({
  name: 'experiment errors',
  summary: 'List what the code of an experiment has thrown on pages of visitors.',
  about: 'LINE is the line within the code of the variation. The list has the last 30 days.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { connection, output, project } = session
    const params = { path: { projectId: project, experimentId: await idCalled(session, 'experiment', args.KEY) } }
    const { data } = await connection.api.GET(`${itemPath}/errors`, { params })
    output.data(data!.data, () =>
      output.rows(
        [
          { head: 'VARIATION', cell: ({ variationKey }) => variationKey },
          { head: 'LINE', cell: ({ line }) => line, right: true },
          { head: 'VISITORS', cell: ({ visitors }) => visitors, right: true },
          { head: 'SHARE', cell: ({ share }) => share && percent(share * 10_000), right: true },
          { head: 'TIMES', cell: ({ count }) => count, right: true },
          { head: 'LAST', cell: ({ lastSeenAt }) => shownTime(lastSeenAt) },
          { head: 'MESSAGE', cell: ({ message }) => message },
        ],
        data!.data,
        'No code has failed.',
      ),
    )
  },
})

const handOff = command({
  name: 'experiment hand-off',
  summary: 'Print what to build into the site for a variation, as Markdown.',
  about:
    'It works in every status: it is what ran once the experiment is completed, else what was published last, and the draft before\nthe launch.',
  args,
  keys,
  examples: ['svc experiment hand-off 12 price > price.md'],
  async run({ args, session }) {
    const params = { path: await pathTo(session, args) }
    const { data } = await session.connection.api.GET(`${ofVariation}/hand-off`, { params })
    await printFile(session, data!.data, data!.data.markdown)
  },
})

const trying = command({
  name: 'experiment try',
  summary: 'Show which pages of a web experiment an address is, and what a visitor gets there.',
  about: 'It tries the draft as if it ran, changes nothing and counts nobody.',
  args: ['KEY', 'URL'],
  keys,
  options: { ...contextOptions, live: { about: 'Try what visitors get instead of the draft.' } },
  examples: ['svc experiment try 12 https://shop.example/pricing --key u-17 --attr device=mobile'],
  async run({ args, options, session }) {
    const { connection, output, project } = session
    const { data } = await connection.api.POST(`${itemPath}/try`, {
      params: { path: { projectId: project, experimentId: await idCalled(session, 'experiment', args.KEY) } },
      body: {
        url: args.URL,
        context: await contextFrom(session, options),
        version: versionIn(options),
      },
    })
    const { pages, evaluation } = data!.data
    output.data(data!.data, () => {
      output.details([['Pages', pages.length > 0 ? pages.join(', ') : 'none: the visitor takes no part here']])
      showOne(evaluation, session)
    })
  },
})

/** What variations of web experiments do to pages. */
export const contentCommands = [changesGet, changesPut, changesSchema, codeGet, codePut, errors, handOff, trying]

function saved(
  { output }: Session,
  variation: string,
  answer: { differences: readonly { path: string }[] },
  isDry: boolean,
): void {
  const { differences } = answer
  output.data(answer, () =>
    output.rows([{ head: 'CHANGES', cell: ({ path }) => path }], differences, 'Nothing differs.'),
  )
  if (isDry) return output.say('Nothing was changed.')
  if (differences.length > 0) output.say(`The draft of ${variation} is saved.`)
}
