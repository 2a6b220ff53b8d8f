import type { components, Data } from '@svc/client'
import { idCalled } from '../called.ts'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { allOf } from '../service/pages.ts'
import { columnsOf, plain } from '../terminal/terminal.ts'
import { shownTime } from '../terminal/times.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'

const itemPath = '/api/v1/projects/{projectId}/segments/{segmentId}'
const keys = { KEY: 'segment' } as const
type Segment = Data<typeof itemPath, 'get'>
type NoOptions = Record<never, never>

const counted = ({ count }: Segment): string => (count === 1 ? '1 member' : `${count} members`)

const ofEvery = objectCommands<Segment, NoOptions, NoOptions>({
  of: 'segment',
  summaries: {
    list: 'List the segments of a project.',
    get: 'Show a segment.',
    create: 'Create a segment without members.',
    set: 'Change the name and description of a segment.',
    delete: 'Delete a segment that nothing uses.',
  },
  isDescribed: true,
  isNamed: true,
  examples: ['svc segment create --name "VIP customers"'],
  options: {},
  later: {},
  fields: () => ({}),
  columns: () => [
    { head: 'KEY', cell: ({ key }) => key },
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'MEMBERS', cell: ({ count }) => count, right: true },
    { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
  ],
  details: (found) => [
    ['Key', found.key],
    ['Name', found.name],
    ['Description', found.description],
    ['Members', found.count],
    ['Members changed', found.lastEdit && `${shownTime(found.lastEdit.at)} by ${found.lastEdit.by.name}`],
    ['Updated', shownTime(found.updatedAt)],
  ],
  loses: (found) => ` with ${counted(found)}`,
})

const changed = (verb: 'add' | 'remove') =>
  command({
    name: `segment ${verb}`,
    summary: verb === 'add' ? 'Add visitors to a segment.' : 'Remove visitors from a segment.',
    about: 'It reaches visitors at once, without a publish.',
    args: ['KEY', 'USER...'],
    keys,
    async run({ args, session }) {
      const segmentId = await idCalled(session, 'segment', args.KEY)
      const { data } = await session.connection.api.POST(`${itemPath}/members/${verb}`, {
        params: { path: { projectId: session.project, segmentId } },
        body: { ids: args.USER },
      })
      session.output.wrote(data!.data, `The segment "${data!.data.name}" has ${counted(data!.data)}.`)
    },
  })

const upload = command({
  name: 'segment upload',
  summary: 'Replace the members of a segment with those of a file.',
  about: 'The file has an id in each line, or is CSV with the ids in the first column. It reaches visitors at once.',
  args: ['KEY', 'FILE'],
  keys,
  async run({ args, session }) {
    const { output, connection, project } = session
    const segmentId = await idCalled(session, 'segment', args.KEY)
    const response = await connection.send(
      'PUT',
      `/api/v1/projects/${encodeURIComponent(project)}/segments/${encodeURIComponent(segmentId)}/members`,
      { headers: { 'content-type': 'text/csv' }, body: await session.readText(args.FILE) },
    )
    const { data } = (await response.json()) as { data: components['schemas']['Segment'] }
    output.wrote(data, `The segment "${data.name}" has ${counted(data)}.`)
  },
})

const members = command({
  name: 'segment members',
  summary: 'Print the ids in a segment, one a line.',
  args: ['KEY'],
  keys,
  options: {
    ...limitOption,
    'starts-with': {
      value: 'TEXT',
      about: 'Only ids that begin with this text. If an id is this text, it comes first.',
    },
  },
  examples: ['svc segment members pilots --starts-with u-42'],
  async run({ args, options, session }) {
    const { output, connection, project, world } = session
    const segmentId = await idCalled(session, 'segment', args.KEY)
    const ids = await allOf(
      (page) => {
        const startsWith = options['starts-with']
        const query = { ...page, ...(startsWith !== undefined && { startsWith }) }
        return connection.api.GET(`${itemPath}/members`, { params: { path: { projectId: project, segmentId }, query } })
      },
      wholeNumber(options.limit, '--limit'),
    )
    output.data(ids, () => {
      // A pipe gets each id as it is.
      const isShown = columnsOf(world.stdout) !== undefined
      for (const id of ids) output.line(isShown ? plain(id) : id)
    })
  },
})

export const segment: Group = {
  name: 'segment',
  summary: 'Lists of visitors by their ids.',
  commands: [...ofEvery, changed('add'), changed('remove'), upload, members],
}
