import { command, type Group } from '../command.ts'
import { askedFor } from './job.ts'

const erase = command({
  name: 'visitor erase',
  summary: 'Erase visitors: delete their events, and rename them in what was counted.',
  about:
    'Results stay the same. Requires a service token with admin:*. Stop sending events of the visitors first, because visitors who return count as new ones.',
  args: ['VISITOR...'],
  options: { wait: { about: 'Wait until the erasure has ended, and fail if it does not succeed.' } },
  examples: ['svc visitor erase u-17 --wait'],
  async run({ args, options, session }) {
    const { connection, project, prompt } = session
    const units = args.VISITOR
    const what = units.length === 1 ? `the visitor ${units[0]}` : `${units.length} visitors`
    await prompt.confirm(`Erase ${what} from the project ${project}? This cannot be undone.`)
    const { data } = await connection.api.POST('/api/v1/projects/{projectId}/erasures', {
      params: { path: { projectId: project } },
      body: { units },
    })
    await askedFor(session, data!.data, `erases ${what}`, options.wait)
  },
})

export const visitor: Group = { name: 'visitor', summary: 'Erase what is known about visitors.', commands: [erase] }
