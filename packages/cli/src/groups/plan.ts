import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command, type Group } from '../command.ts'
import { readFile, type Wanted } from '../configuration/file.ts'
import { linesOfMoves, type Moves, movesOf } from '../configuration/moves.ts'
import { type Choices, type Plan, planOf, switchesToCheck } from '../configuration/plan.ts'
import { linesOf } from '../configuration/plan-lines.ts'
import { basisOf, type SavedPlan } from '../configuration/saved-plan.ts'
import { type Secrets, withSecrets } from '../configuration/secrets.ts'
import { sourceOf } from '../configuration/source.ts'
import { eachOf, projectPath, readAll, readState, type State } from '../configuration/state.ts'
import { Problem, usage } from '../problem.ts'
import { nameOf, type Session, shownPath } from '../session.ts'
import { visitorsForm, visitorsFrom } from '../values/visitors.ts'

/** The options that decide what a plan contains. */
export const planOptions = {
  prune: { about: 'Delete what the file does not mention. Flags that have run are archived.' },
  resume: { about: 'Also run what is on in the file but was paused by someone.' },
  'overwrite-staged': { about: 'Replace what others have staged in flags of the file.' },
  'publish-all': { about: 'When an edited audience is published, also publish flags that others have staged.' },
} as const

export const choicesOf = (options: { [Name in keyof typeof planOptions]?: boolean }): Choices => ({
  prune: options.prune === true,
  resume: options.resume === true,
  overwriteStaged: options['overwrite-staged'] === true,
  publishAll: options['publish-all'] === true,
})

/** Reads the text of a file and the service, and compares them. `project`: which one a saved plan is for. */
export async function makePlan(
  { connection, projectOr, world }: Pick<Session, 'connection' | 'projectOr' | 'world'>,
  {
    file,
    text,
    choices,
    project: planned,
  }: { file: string; text: string; choices: Choices; project?: string | undefined },
): Promise<{ project: string; wanted: Wanted; state: State; plan: Plan; secrets: Secrets }> {
  const written = readFile(shownPath(file), text)
  const project = projectOr(planned ?? written.project?.key)
  const state = await readState(connection, project, {
    flagKeys: Object.keys(written.flags ?? {}),
    source: sourceOf(file),
  })
  if (state.project.type === 'WEB' && Object.keys(written.flags ?? {}).length > 0)
    throw new Problem(
      'conflict',
      `${shownPath(file)} has flags, but the project ${project} has the type WEB and no flags. Remove "flags" from the file, or name a project of the type FEATURE_FLAG with --project. Nothing was done.`,
    )
  const { wanted, secrets } = withSecrets(written, state, (name) => world.env[name])
  const switched = await eachOf(switchesToCheck(wanted, state), async ({ flag, env }) => {
    const revisions = `${projectPath(project)}/environments/${encodeURIComponent(env)}/revisions`
    const listed = await readAll(connection, revisions, `&flagId=${encodeURIComponent(flag)}`)
    // The newest comes first. For a flag that is off, this is the pause: its rules can have been switched since.
    const last = listed.find(({ switched }) => switched?.what === 'FLAG')
    if (!last) return []
    return [[`${flag} ${env}`, { by: last.publishedBy?.name ?? null, at: last.publishedAt }] as const]
  })
  return { project, wanted, state, secrets, plan: planOf(wanted, state, new Map(switched.flat()), choices) }
}

export function showPlan(
  output: Session['output'],
  { plan, project }: { plan: Plan; project: string },
  file: string,
  moves?: Moves[],
): void {
  output.data(moves ? { ...plan, visitors: moves } : plan, () => {
    for (const line of linesOf(plan)) output.line(line)
    if (moves && moves.length > 0) for (const line of [...linesOfMoves(moves), '']) output.line(line)
    output.line(conclusionOf(plan, project, file))
  })
}

function conclusionOf({ summary, drift }: Plan, project: string, file: string): string {
  if (summary !== 'No changes.') return summary
  if (drift.length === 0) return `No changes. The project ${project} matches ${nameOf(file)}.`
  return `No changes. ${drift.length === 1 ? 'One difference stays' : `${drift.length} differences stay`}: see Drift.`
}

const run = command({
  name: 'plan',
  summary: 'Show what svc apply would do.',
  about:
    'It changes nothing. + is created, ~ is changed, - is deleted, and ! needs attention. It exits with 5 if there is a\nconflict, because svc apply would do nothing.',
  args: ['FILE'],
  options: {
    ...planOptions,
    check: { about: 'Exit with 1 if svc apply would change something.' },
    drift: { about: 'Also exit with 1 on drift: differences that svc apply leaves as they are.' },
    visitors: {
      value: 'FILE',
      about: `Count which of these visitors would get a different value. ${visitorsForm} Switches count as they are.`,
    },
    out: { value: 'FILE', about: 'Save the plan to a new file, for svc apply.' },
  },
  examples: [
    'svc plan svc.yaml',
    'svc plan svc.yaml --check',
    'svc plan svc.yaml --drift',
    'svc plan svc.yaml --visitors visitors.txt',
    'svc plan svc.yaml --out plan.json',
  ],
  async run({ args, options, session }) {
    const { connection, output, readText } = session
    const [file, text, choices] = [args.FILE, await readText(args.FILE), choicesOf(options)]
    const visitors = options.visitors === undefined ? undefined : await visitorsFrom(session, options.visitors)
    const { project, wanted, plan, state } = await makePlan(session, { file, text, choices })
    const asked = visitors !== undefined && plan.conflicts.length === 0
    const moves = asked ? await movesOf({ connection, project, wanted, state, plan }, visitors) : undefined
    showPlan(output, { plan, project }, file, moves)
    if (plan.conflicts.length > 0) {
      const kept = options.out === undefined ? '' : ` No plan was saved to ${options.out}.`
      throw new Problem(
        'conflict',
        `${shownPath(file)} is in conflict with the project. svc apply would do nothing.${kept}`,
      )
    }
    if (options.out !== undefined) {
      const basis = basisOf(plan, state)
      save(session.world.cwd, options.out, {
        svcPlan: 1,
        url: connection.url,
        project,
        file,
        text,
        choices,
        plan,
        basis,
      })
      output.say(
        `The plan is in ${options.out}. svc apply ${options.out} applies exactly this plan, or stops if the project has changed.`,
      )
    }
    if ((options.check || options.drift) && plan.summary !== 'No changes.')
      throw new Problem('different', `The project ${project} differs from ${nameOf(file)}.`)
    if (options.drift && plan.drift.length > 0)
      throw new Problem(
        'different',
        `The project ${project} differs from ${nameOf(file)}, but svc apply does not change this: see Drift.`,
      )
  },
})

export const plan: Group = { name: 'plan', summary: 'Show what svc apply would do.', commands: [run] }

function save(folder: string, path: string, plan: SavedPlan): void {
  try {
    // The file of a configuration can have visitor ids.
    writeFileSync(resolve(folder, path), `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw usage(`--out: ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}
