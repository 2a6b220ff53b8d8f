import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { usage } from '../problem.ts'
import { saidPropagation, waitOption, waitTime } from '../service/wait.ts'
import type { Session } from '../session.ts'
import { previewLines, visitorsForm, visitorsFrom } from '../values/visitors.ts'

type Publication = Data<'/api/v1/projects/{projectId}/environments/{envId}/publish', 'post'>

const run = command({
  name: 'publish',
  summary: 'Make the staged changes of an environment live.',
  about: 'It publishes all flags with staged changes, or those that are named.',
  args: ['[FLAG...]'],
  keys: { FLAG: 'flag' },
  options: {
    comment: { value: 'TEXT', about: 'The reason, shown in the audit log and the revision.' },
    'dry-run': { about: 'Show what would become live, and change nothing.' },
    visitors: {
      value: 'FILE',
      about: `With --dry-run: count which of these visitors would get a different value. ${visitorsForm}`,
    },
    ...waitOption,
  },
  examples: ['svc publish --dry-run --visitors generate', 'svc publish checkout --comment "For the sale" --wait'],
  async run({ args, options, session }) {
    const { project, env, connection, output, settings } = session
    if (options.visitors !== undefined && !options['dry-run']) throw usage('--visitors requires --dry-run.')
    if (options.wait && options['dry-run']) throw usage('--wait cannot be used with --dry-run.')
    const visitors = options.visitors === undefined ? undefined : await visitorsFrom(session, options.visitors)
    const wait = waitTime(options.wait, settings.timeoutMs)
    const { data } = await connection.api.POST('/api/v1/projects/{projectId}/environments/{envId}/publish', {
      params: { path: { projectId: project, envId: env }, query: { ...(wait !== undefined && { wait }) } },
      body: {
        ...(args.FLAG.length > 0 && { flagIds: args.FLAG }),
        ...(options.comment !== undefined && { comment: options.comment }),
        ...(options['dry-run'] && { dryRun: true }),
        ...(visitors !== undefined && { visitors }),
      },
    })
    const publication = data!.data
    for (const { visitors: moved } of publication.warnings)
      output.say(`Visitors of a running test get a different variation${moved === null ? '' : `: ${moved}`}.`)
    output.data(publication, () => showPublication(publication, session, options['dry-run'] === true))
    saidPropagation(publication.propagation, output)
  },
})

export const publish: Group = { name: 'publish', summary: 'Make staged changes live.', commands: [run] }

function showPublication(
  { changed, revision, previousRevision, flags, experiments, audiences, preview }: Publication,
  { output, env }: Session,
  isDry: boolean,
): void {
  if (!changed) return output.say(`Nothing is staged in ${env}. Revision ${revision} stays live.`)
  const rows = [
    ...flags.map(({ key, changes }) => ({ what: key, changes })),
    ...experiments.map(({ shortId, changes }) => ({ what: `experiment ${shortId}`, changes })),
    ...audiences.map(({ name, changes }) => ({ what: `audience ${name}`, changes })),
  ]
  output.rows(
    [
      { head: 'WHAT', cell: ({ what }) => what },
      { head: 'CHANGES', cell: ({ changes }) => [...new Set(changes.map(({ path }) => partOf(path)))].join(', ') },
    ],
    rows,
    'The bytes of the data file change, but no flag does.',
  )
  if (preview) {
    output.line()
    for (const line of previewLines(preview)) output.line(line)
  }
  if (isDry) return output.say(`Nothing was published. This would become live in ${env}.`)
  output.say(
    revision === previousRevision
      ? `It is published to ${env}. Visitors get the same as before: revision ${revision} stays live.`
      : `Revision ${revision} of ${env} is live.`,
  )
}

/** `rules.0198….trafficAllocation` is about rules. */
const partOf = (path: string): string => path.split('.')[0]!.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
