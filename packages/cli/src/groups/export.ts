import { command, type Group } from '../command.ts'
import { textOf } from '../configuration/file-text.ts'
import { documentOf, readState } from '../configuration/state.ts'

const run = command({
  name: 'export',
  summary: 'Print the project as a file.',
  about:
    'It prints drafts and switches as YAML, without members of segments, secrets, results and archived flags. See the guide Configuration as code.',
  options: {
    live: { about: 'Print what visitors get instead of the drafts.' },
    overrides: { about: 'Print overrides, too: they contain ids of visitors.' },
  },
  examples: ['svc export > svc.yaml'],
  async run({ options, session }) {
    const { connection, output, project } = session
    const state = await readState(connection, project)
    const document = documentOf(state, { live: options.live === true, overrides: options.overrides === true })
    if (output.isJson) return output.data(document, () => undefined)
    await output.raw(textOf(document, connection.url))
  },
})

export const exporting: Group = { name: 'export', summary: 'Print the project as a file.', commands: [run] }
