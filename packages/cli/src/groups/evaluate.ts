import { type DataFile, explain, parseDataFile } from '@svc/core'
import { command, type Group } from '../command.ts'
import { Problem, usage } from '../problem.ts'
import { type Session, shownPath } from '../session.ts'
import { contextFrom, contextOptions } from '../values/context.ts'
import { type Answered, showOne } from '../values/evaluation.ts'
import { wholeNumber } from '../values/option-values.ts'

const run = command({
  name: 'evaluate',
  summary: 'Show what a visitor gets, and why.',
  about:
    'The service evaluates the flags. With --datafile, svc evaluates a data file on this machine, like an SDK. --attr reads numbers,\ntrue and false as such; in quotes they are text: --attr \'zip="90210"\'.',
  args: ['[FLAG]'],
  keys: { FLAG: 'flag' },
  options: {
    all: { about: 'Evaluate all flags.' },
    ...contextOptions,
    revision: { value: 'N', about: 'Show what the visitor got in this revision.' },
    draft: { about: 'Show what the visitor would get after a publish.' },
    datafile: { value: 'FILE', about: 'Evaluate this data file, without the service.' },
  },
  examples: [
    'svc evaluate checkout --key u-17 --attr country=NL',
    'svc evaluate --all --key u-17 --datafile flags.json',
  ],
  async run({ args, options, session }) {
    const { output } = session
    if ((args.FLAG === undefined) !== (options.all === true)) throw usage('Use either a flag or --all.')
    if (options.datafile !== undefined && (options.draft || options.revision !== undefined))
      throw usage('--draft and --revision cannot be used with --datafile.')
    if (options.draft && options.revision !== undefined) throw usage('Use either --draft or --revision.')
    const context = await contextFrom(session, options)
    const answer =
      options.datafile === undefined
        ? await byService(session, context, args.FLAG, {
            revision: wholeNumber(options.revision, '--revision', 0),
            isDraft: options.draft === true,
          })
        : byFile(await dataFileIn(session, options.datafile), context, args.FLAG, session.world.now().getTime())
    const flags: Answered[] = answer.flags
    const [only] = flags
    const isUnknown = args.FLAG !== undefined && only?.errorCode === 'FLAG_NOT_FOUND'
    if (isUnknown) throw new Problem('not_found', `Flag "${args.FLAG}" was not found.`)
    output.data(answer, () => (args.FLAG === undefined || !only ? showAll(flags, session) : showOne(only, session)))
  },
})

export const evaluate: Group = { name: 'evaluate', summary: 'Show what a visitor gets, and why.', commands: [run] }

async function byService(
  { connection, project, env }: Session,
  context: Record<string, unknown>,
  flag: string | undefined,
  { revision, isDraft }: { revision: number | undefined; isDraft: boolean },
) {
  const { data } = await connection.api.POST('/api/v1/projects/{projectId}/environments/{envId}/evaluate', {
    params: { path: { projectId: project, envId: env } },
    body: {
      context,
      ...(flag !== undefined && { flagKeys: [flag] }),
      ...(revision !== undefined && { revision }),
      ...(isDraft && { draft: true }),
    },
  })
  return data!.data
}

/** The same object as the service answers, without what only the service knows. */
function byFile(file: DataFile, context: Record<string, unknown>, flag: string | undefined, now: number) {
  const keys = flag === undefined ? Object.keys(file.flags).sort() : [flag]
  const flags = keys.map((flagKey) => {
    const { measured: _measured, ...answered } = explain(file, flagKey, context, now)
    return { flagKey, ...answered, value: answered.value ?? null, errorCode: answered.errorCode ?? null }
  })
  return { envId: file.environment.id, revision: file.revision, flags }
}

async function dataFileIn(session: Session, path: string): Promise<DataFile> {
  const file = parseDataFile(await session.readJson(path))
  if (!file) throw new Problem('file_invalid', `${shownPath(path)} is not a data file that this version can read.`)
  return file
}

function showAll(flags: Answered[], { output }: Session): void {
  output.rows(
    [
      { head: 'FLAG', cell: ({ flagKey }) => flagKey },
      { head: 'VALUE', cell: ({ value }) => JSON.stringify(value) },
      { head: 'VARIATION', cell: ({ variationKey }) => variationKey },
      { head: 'REASON', cell: ({ reason, errorCode }) => errorCode ?? reason },
    ],
    flags,
    'There is no flag.',
  )
}
