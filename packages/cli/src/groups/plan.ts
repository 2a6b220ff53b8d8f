import { command, type Group } from '../command.ts'
import { readFile, type Wanted } from '../configuration/file.ts'
import { type Choices, linesOf, type Plan, planOf, switchesToCheck } from '../configuration/plan.ts'
import { eachOf, projectPath, readAll, readState, type State } from '../configuration/state.ts'
import { Problem } from '../problem.ts'
import type { Session } from '../session.ts'

/** The options that decide what a plan contains. */
export const planOptions = {
  prune: { about: 'Delete what the file does not mention. Flags that have run are archived.' },
  resume: { about: 'Run again what the file says is on and somebody has paused.' },
  'overwrite-staged': { about: 'Replace what others have staged in flags of the file.' },
  'publish-all': { about: 'Where an edited audience is published, publish flags that others have staged, too.' },
} as const

export const choicesOf = (options: { [Name in keyof typeof planOptions]?: boolean }): Choices => ({
  prune: options.prune === true,
  resume: options.resume === true,
  overwriteStaged: options['overwrite-staged'] === true,
  publishAll: options['publish-all'] === true,
})

/** Reads the file and the service, and compares them. */
export async function makePlan(
  { connection, project, readText }: Pick<Session, 'connection' | 'project' | 'readText'>,
  file: string,
  choices: Choices,
): Promise<{ wanted: Wanted; state: State; plan: Plan }> {
  const wanted = readFile(file === '-' ? 'standard input' : file, await readText(file))
  const state = await readState(connection, project, Object.keys(wanted.flags ?? {}))
  const ran = await eachOf(switchesToCheck(wanted, state), async ({ flag, env }) => {
    const revisions = `${projectPath(project)}/environments/${encodeURIComponent(env)}/revisions`
    const listed = await readAll(connection, revisions, `&flagId=${encodeURIComponent(flag)}`)
    return listed.some(({ reason }) => reason === 'SWITCHED') ? `${flag} ${env}` : ''
  })
  return { wanted, state, plan: planOf(wanted, state, new Set(ran), choices) }
}

export function showPlan(plan: Plan, file: string, { output, project }: Pick<Session, 'output' | 'project'>): void {
  output.data(plan, () => {
    for (const line of linesOf(plan)) output.line(line)
    if (plan.summary === 'No changes.') output.line(`No changes. The project ${project} matches ${file}.`)
    else output.line(plan.summary)
  })
}

const run = command({
  name: 'plan',
  summary: 'Show what svc apply would do.',
  about: 'It changes nothing. + is created, ~ is changed, - is deleted, and ! needs attention.',
  args: ['FILE'],
  options: { ...planOptions, check: { about: 'Exit with 1 if the project differs from the file.' } },
  examples: ['svc plan svc.yaml', 'svc plan svc.yaml --check'],
  async run({ args, options, session }) {
    const { plan } = await makePlan(session, args.FILE, choicesOf(options))
    showPlan(plan, args.FILE, session)
    if (options.check && plan.summary !== 'No changes.')
      throw new Problem('different', `The project ${session.project} differs from ${args.FILE}.`)
  },
})

export const plan: Group = { name: 'plan', summary: 'Show what svc apply would do.', commands: [run] }
