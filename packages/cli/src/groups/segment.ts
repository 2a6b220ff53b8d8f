import type { components } from '@svc/client'
import { idCalled } from '../called.ts'
import { command, type Group } from '../command.ts'
import { etagOf } from '../etag.ts'
import { fieldOptions, fieldsOf, keyOption } from '../field-options.ts'
import { limitOption, wholeNumber } from '../option-values.ts'
import { allOf } from '../pages.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../times.ts'

const listPath = '/api/v1/projects/{projectId}/segments'
const itemPath = `${listPath}/{segmentId}` as const
const keys = { KEY: 'segment' } as const

const list = command({
  name: 'segment list',
  summary: 'List the segments of a project.',
  watch: true,
  options: limitOption,
  async run({ options, session }) {
    const { project, connection, output } = session
    const segments = await allOf(
      (query) => connection.api.GET(listPath, { params: { path: { projectId: project }, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(segments, () =>
      output.rows(
        [
          { head: 'KEY', cell: ({ key }) => key },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'MEMBERS', cell: ({ count }) => count, right: true },
          { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
        ],
        segments,
        'The project has no segment.',
      ),
    )
  },
})

const get = command({
  name: 'segment get',
  summary: 'Show a segment.',
  watch: true,
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { segment } = await read(session, args.KEY)
    session.output.data(segment, () =>
      session.output.details([
        ['Key', segment.key],
        ['Name', segment.name],
        ['Description', segment.description],
        ['Members', segment.count],
        ['Updated', shownTime(segment.updatedAt)],
      ]),
    )
  },
})

const create = command({
  name: 'segment create',
  summary: 'Create a segment without members.',
  options: { ...fieldOptions, ...keyOption },
  examples: ['svc segment create --name "VIP customers"'],
  async run({ options, session }) {
    const { data } = await session.connection.api.POST(listPath, {
      params: { path: { projectId: session.project } },
      body: (await fieldsOf(session, options)) as components['schemas']['CreateSegmentBody'],
    })
    session.output.wrote(data!.data, `The segment ${data!.data.key} "${data!.data.name}" is created.`)
  },
})

const set = command({
  name: 'segment set',
  summary: 'Change name and description of a segment.',
  args: ['KEY'],
  keys,
  options: fieldOptions,
  async run({ args, options, session }) {
    const body = await fieldsOf(session, options)
    const { segment, etag } = await read(session, args.KEY)
    const { data } = await session.connection.api.PATCH(itemPath, {
      params: { path: { projectId: session.project, segmentId: segment.id }, header: { 'x-svc-if-match': etag } },
      body,
    })
    session.output.wrote(data!.data, `The segment "${data!.data.name}" is changed.`)
  },
})

const remove = command({
  name: 'segment delete',
  summary: 'Delete a segment that nothing uses.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { segment, etag } = await read(session, args.KEY)
    await session.prompt.confirm(`Delete the segment "${segment.name}" with ${segment.count} members?`)
    await session.connection.api.DELETE(itemPath, {
      params: { path: { projectId: session.project, segmentId: segment.id }, header: { 'x-svc-if-match': etag } },
    })
    session.output.wrote(null, `The segment "${segment.name}" is deleted.`)
  },
})

const changed = (verb: 'add' | 'remove') =>
  command({
    name: `segment ${verb}`,
    summary: verb === 'add' ? 'Add visitors to a segment.' : 'Remove visitors from a segment.',
    about: 'It reaches visitors at once, without a publish.',
    args: ['KEY', 'USER...'],
    keys,
    async run({ args, session }) {
      const segmentId = await idCalled(session, 'segments', args.KEY)
      const { data } = await session.connection.api.POST(`${itemPath}/members/${verb}`, {
        params: { path: { projectId: session.project, segmentId } },
        body: { ids: args.USER },
      })
      session.output.wrote(data!.data, `The segment "${data!.data.name}" has ${data!.data.count} members.`)
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
    const segmentId = await idCalled(session, 'segments', args.KEY)
    const response = await connection.send(
      'PUT',
      `/api/v1/projects/${encodeURIComponent(project)}/segments/${encodeURIComponent(segmentId)}/members`,
      { headers: { 'content-type': 'text/csv' }, body: await session.readText(args.FILE) },
    )
    const { data } = (await response.json()) as { data: components['schemas']['Segment'] }
    output.wrote(data, `The segment "${data.name}" has ${data.count} members.`)
  },
})

const members = command({
  name: 'segment members',
  summary: 'Print the ids in a segment, one a line.',
  args: ['KEY'],
  keys,
  options: limitOption,
  async run({ args, options, session }) {
    const { output, connection, project } = session
    const segmentId = await idCalled(session, 'segments', args.KEY)
    const ids = await allOf(
      (query) =>
        connection.api.GET(`${itemPath}/members`, { params: { path: { projectId: project, segmentId }, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(ids, () => {
      for (const id of ids) output.line(id)
    })
  },
})

export const segment: Group = {
  name: 'segment',
  summary: 'Lists of visitors by their ids.',
  commands: [list, get, create, set, remove, changed('add'), changed('remove'), upload, members],
}

async function read(session: Session, called: string) {
  const segmentId = await idCalled(session, 'segments', called)
  const { data, response } = await session.connection.api.GET(itemPath, {
    params: { path: { projectId: session.project, segmentId } },
  })
  return { segment: data!.data, etag: etagOf(response) }
}
