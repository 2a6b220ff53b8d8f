import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { etagOf } from '../service/etag.ts'
import { fieldOptions } from '../values/field-options.ts'

const path = '/api/v1/projects/{projectId}/web-settings'
type Settings = Data<typeof path, 'get'>

const settings = command({
  name: 'web settings',
  summary: 'Show the web settings of a project, or change some of them.',
  about: 'Changes act at once, in all environments. Fields that neither the file nor an option names stay.',
  options: {
    file: fieldOptions.file,
    host: {
      value: 'HOST',
      many: true,
      about: 'A host such as shop.example or *.shop.example. Those given replace all hosts.',
    },
  },
  examples: ['svc web settings', 'svc web settings --host shop.example --host "*.shop.example"'],
  async run({ options, session }) {
    const { connection, output, project } = session
    const params = { path: { projectId: project } }
    const { data, response } = await connection.api.GET(path, { params })
    const fields = {
      ...(options.file !== undefined && (await session.readObject(options.file))),
      ...(options.host && { hosts: options.host }),
    }
    if (Object.keys(fields).length === 0) return output.data(data!.data, () => output.details(linesOf(data!.data)))
    const answer = await connection.api.PUT(path, {
      params: { ...params, header: { 'x-svc-if-match': etagOf(response) } },
      body: { ...data!.data, ...fields },
    })
    output.wrote(answer.data!.data, `The web settings of ${project} are saved.`)
  },
})

const linesOf = (of: Settings) =>
  [
    ['Hosts', of.hosts.join(', ')],
    ['Consent', of.consent],
    ['Pending', of.pending],
    ['Privacy signals', of.honorPrivacySignals ? 'honored' : 'ignored'],
    ['Code', of.codeVariations ? 'served' : 'not served'],
    ['Maximum delay', `${of.maxDelayMs} ms`],
    ['Script age', `${of.scriptMaxAgeSeconds} s`],
    ['Cookie domain', of.cookieDomain],
  ] as const

export const web: Group = { name: 'web', summary: 'Settings of projects of the type WEB.', commands: [settings] }
