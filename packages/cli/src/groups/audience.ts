import type { components } from '@svc/client'
import { idCalled } from '../called.ts'
import { command, type Group } from '../command.ts'
import { allOfWhere, inWords } from '../conditions.ts'
import { etagOf } from '../etag.ts'
import { fieldOptions, fieldsOf, keyOption } from '../field-options.ts'
import { limitOption, wholeNumber } from '../option-values.ts'
import { allOf } from '../pages.ts'
import { readNames } from '../project-names.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../times.ts'

const listPath = '/api/v1/projects/{projectId}/audiences'
const itemPath = `${listPath}/{audienceId}` as const
const keys = { KEY: 'audience' } as const
const where = {
  where: {
    value: 'CONDITION',
    many: true,
    about: 'Who is in it: "country in NL,BE", "segment vip". All of them must match.',
  },
} as const

const list = command({
  name: 'audience list',
  summary: 'List the audiences of a project.',
  watch: true,
  options: limitOption,
  async run({ options, session }) {
    const { project, connection, output } = session
    const audiences = await allOf(
      (query) => connection.api.GET(listPath, { params: { path: { projectId: project }, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    if (output.isJson) return output.data(audiences, () => undefined)
    const names = await readNames(connection, project)
    output.rows(
      [
        { head: 'KEY', cell: ({ key }) => key },
        { head: 'NAME', cell: ({ name }) => name },
        { head: 'WHO', cell: ({ conditions }) => inWords(conditions, names.nameOf) || 'everybody' },
        { head: 'RULES', cell: ({ usedBy }) => usedBy.length, right: true },
        { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
      ],
      audiences,
      'The project has no audience.',
    )
  },
})

const get = command({
  name: 'audience get',
  summary: 'Show an audience.',
  watch: true,
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { connection, output, project } = session
    const { audience } = await read(session, args.KEY)
    if (output.isJson) return output.data(audience, () => undefined)
    const names = await readNames(connection, project)
    output.details([
      ['Key', audience.key],
      ['Name', audience.name],
      ['Description', audience.description],
      ['Who', inWords(audience.conditions, names.nameOf) || 'everybody'],
      ['Rules', audience.usedBy.length],
      ['Updated', shownTime(audience.updatedAt)],
    ])
  },
})

const create = command({
  name: 'audience create',
  summary: 'Create an audience.',
  options: { ...fieldOptions, ...keyOption, ...where },
  examples: [
    'svc audience create --name "Beta users" --where "plan equals beta"',
    'svc audience create -f audience.json',
  ],
  async run({ options, session }) {
    const { connection, output, project } = session
    const { data } = await connection.api.POST(listPath, {
      params: { path: { projectId: project } },
      // The service checks the fields.
      body: (await fieldsOf(
        session,
        options,
        await conditions(session, options.where),
      )) as components['schemas']['CreateAudienceBody'],
    })
    output.wrote(data!.data, `The audience ${data!.data.key} "${data!.data.name}" is created.`)
  },
})

const set = command({
  name: 'audience set',
  summary: 'Change an audience. Other conditions become live with the next publish.',
  args: ['KEY'],
  keys,
  options: { ...fieldOptions, ...where },
  async run({ args, options, session }) {
    const body = await fieldsOf(session, options, await conditions(session, options.where))
    const { audience, etag } = await read(session, args.KEY)
    const { data } = await session.connection.api.PATCH(itemPath, {
      params: { path: { projectId: session.project, audienceId: audience.id }, header: { 'x-svc-if-match': etag } },
      body,
    })
    session.output.wrote(data!.data, `The audience "${data!.data.name}" is changed.`)
  },
})

const remove = command({
  name: 'audience delete',
  summary: 'Delete an audience that no rule uses.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { audience, etag } = await read(session, args.KEY)
    await session.prompt.confirm(`Delete the audience "${audience.name}"?`)
    await session.connection.api.DELETE(itemPath, {
      params: { path: { projectId: session.project, audienceId: audience.id }, header: { 'x-svc-if-match': etag } },
    })
    session.output.wrote(null, `The audience "${audience.name}" is deleted.`)
  },
})

export const audience: Group = {
  name: 'audience',
  summary: 'Conditions that several rules share.',
  commands: [list, get, create, set, remove],
}

async function read(session: Session, called: string) {
  const audienceId = await idCalled(session, 'audiences', called)
  const { data, response } = await session.connection.api.GET(itemPath, {
    params: { path: { projectId: session.project, audienceId } },
  })
  return { audience: data!.data, etag: etagOf(response) }
}

async function conditions(session: Session, texts: string[] | undefined): Promise<Record<string, unknown>> {
  if (!texts) return {}
  return { conditions: (await readNames(session.connection, session.project)).withIds(allOfWhere(texts)) }
}
