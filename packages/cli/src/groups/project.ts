import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { usage } from '../problem.ts'
import { etagOf } from '../service/etag.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'
import { keyOption } from '../values/field-options.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'

type Project = Data<'/api/v1/projects/{projectId}', 'get'>

const projectPath = '/api/v1/projects/{projectId}'
const ofKey = { args: ['KEY'], keys: { KEY: 'project' } } as const

const list = command({
  name: 'project list',
  summary: 'List the projects that the token can see.',
  watch: true,
  options: limitOption,
  async run({ options, session: { connection, output } }) {
    const projects = await allOf(
      (query) => connection.api.GET('/api/v1/projects', { params: { query } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(projects, () =>
      output.rows(
        [
          { head: 'KEY', cell: ({ key }) => key },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'TYPE', cell: ({ type }) => type },
          { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
        ],
        projects,
        'The token cannot see any project.',
      ),
    )
  },
})

const get = command({
  name: 'project get',
  summary: 'Show a project.',
  watch: true,
  ...ofKey,
  async run({ args, session }) {
    const { project } = await read(session, args.KEY)
    const { key, name, shortId, type, samplesVisitors, createdAt, updatedAt } = project
    session.output.data(project, () =>
      session.output.details([
        ['Key', key],
        ['Name', name],
        ['Type', type],
        ['Short id', shortId],
        ['Samples visitors', samplesVisitors ? 'yes' : 'no'],
        ['Created', shownTime(createdAt)],
        ['Updated', shownTime(updatedAt)],
      ]),
    )
  },
})

const create = command({
  name: 'project create',
  summary: 'Create a project.',
  about: 'It has the environments production and development.',
  args: ['NAME'],
  options: {
    ...keyOption,
    type: {
      value: 'TYPE',
      about: 'WEB for experiments on web pages, without flags. It is fixed afterwards. Default: FEATURE_FLAG.',
      choices: ['FEATURE_FLAG', 'WEB'],
    },
  },
  examples: ['svc project create "Web shop" --key web-shop', 'svc project create Website --type WEB'],
  async run({ args, options: { key, type = 'FEATURE_FLAG' }, session: { connection, output } }) {
    const { data } = await connection.api.POST('/api/v1/projects', {
      body: { name: args.NAME, type: type as Project['type'], ...(key !== undefined && { key }) },
    })
    output.wrote(data!.data, `The project ${data!.data.key} "${data!.data.name}" is created.`)
  },
})

const set = command({
  name: 'project set',
  summary: 'Change a project. Its key can change until it has a flag.',
  ...ofKey,
  options: {
    name: { value: 'NAME', about: 'The name for people.' },
    key: { value: 'KEY', about: 'The new key.' },
    sample: {
      value: 'ON',
      about:
        'Whether visitors are sampled with their attributes, for suggestions and estimates; off deletes the sample.',
      choices: ['on', 'off'],
    },
  },
  async run({ args, options: { name, key, sample }, session }) {
    const body = {
      ...(name !== undefined && { name }),
      ...(key !== undefined && { key }),
      ...(sample !== undefined && { samplesVisitors: sample === 'on' }),
    }
    if (Object.keys(body).length === 0) throw usage('Nothing to change is given. See svc project set --help.')
    const { project, etag } = await read(session, args.KEY)
    const { data } = await session.connection.api.PATCH(projectPath, {
      params: { path: { projectId: project.id }, header: { 'x-svc-if-match': etag } },
      body,
    })
    session.output.wrote(data!.data, `The project ${data!.data.key} "${data!.data.name}" is changed.`)
  },
})

const remove = command({
  name: 'project delete',
  summary: 'Delete a project with everything in it.',
  about: 'Pause all its flags in every environment first.',
  ...ofKey,
  async run({ args, session }) {
    const { project, etag } = await read(session, args.KEY)
    const { id, key, name } = project
    await session.prompt.confirmTyping(
      `The project ${key} "${name}" is deleted with its environments, flags, rules and results.`,
      key,
    )
    await session.connection.api.DELETE(projectPath, {
      params: { path: { projectId: id }, header: { 'x-svc-if-match': etag, 'x-svc-confirm': key } },
    })
    session.output.wrote(null, `The project ${key} is deleted.`)
  },
})

export const project: Group = {
  name: 'project',
  summary: 'Projects, each with its flags or web experiments, and its environments.',
  commands: [list, get, create, set, remove],
}

async function read({ connection }: Session, projectId: string): Promise<{ project: Project; etag: string }> {
  const { data, response } = await connection.api.GET(projectPath, { params: { path: { projectId } } })
  return { project: data!.data, etag: etagOf(response) }
}
