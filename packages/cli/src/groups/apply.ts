import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command, type Group } from '../command.ts'
import { applyPlan } from '../configuration/apply.ts'
import { basisOf, movedSince, type SavedPlan, savedPlanIn } from '../configuration/saved-plan.ts'
import { Problem, usage } from '../problem.ts'
import { nameOf, type Session, shownPath } from '../session.ts'
import { choicesOf, makePlan, planOptions, showPlan } from './plan.ts'

const run = command({
  name: 'apply',
  summary: 'Make the project match a file.',
  about:
    'It shows the plan, asks, and applies it. All changes of an environment are published in one revision. If a run is interrupted, the next one completes it. FILE can also be a plan from svc plan --out: if anything in it has changed since, nothing is done.',
  args: ['FILE'],
  options: {
    ...planOptions,
    stage: { about: 'Stop before the publish, so that someone can review it in the dashboard.' },
    'confirm-reassignment': { about: 'Allow changes that give visitors of running tests a different variation.' },
    comment: { value: 'TEXT', about: 'The reason, shown in the revisions. Default: svc apply and the commit.' },
    'secrets-out': {
      value: 'FILE',
      about: 'Write the signing secrets of created webhooks and the SDK keys of created environments into a new file.',
    },
  },
  examples: ['svc apply svc.yaml', 'svc apply svc.yaml --yes --stage', 'svc apply plan.json'],
  async run({ args, options, session }) {
    const { output, prompt, connection, world, readText } = session
    const { 'secrets-out': named } = options
    const path = named === undefined ? undefined : resolve(world.cwd, named)
    if (path !== undefined && existsSync(path)) throw usage(`--secrets-out: ${named} exists. Name a new file.`)
    const given = await readText(args.FILE)
    const saved = savedPlanIn(shownPath(args.FILE), given)
    if (saved) checkUse(saved, options, session)
    const [file, text] = saved ? [saved.file, saved.text] : [args.FILE, given]
    const choices = saved?.choices ?? choicesOf(options)
    const made = await makePlan(session, { file, text, choices, project: saved?.project })
    const { project, wanted, state, plan, secrets: values } = made
    showPlan(output, made, file)
    const moved = saved ? movedSince(saved, plan, basisOf(plan, state)) : []
    if (moved.length > 0)
      throw new Problem(
        'conflict',
        `The project has changed since ${nameOf(args.FILE)} was made: ${moved.join(', ')}. Nothing was done. Run svc plan again.`,
      )
    if (plan.conflicts.length > 0)
      throw new Problem('conflict', `${shownPath(file)} is in conflict with the project. Nothing was done.`)
    if (plan.summary === 'No changes.') return
    await prompt.confirm(`Apply this to ${project}?`)
    const commit = (world.env.GITHUB_SHA ?? world.env.CI_COMMIT_SHA ?? '').slice(0, 7)
    const secrets: Record<string, Record<string, string>> = {}
    const lost: string[] = []
    try {
      await applyPlan({
        ...{ connection, project, wanted, state, plan, secrets: values },
        comment: options.comment ?? ['svc apply', commit].filter(Boolean).join(' '),
        publishAll: choices.publishAll === true,
        stage: options.stage === true,
        confirmReassignment: options['confirm-reassignment'] === true,
        onStep: (step) => output.say(step),
        onSecret(kind, key, secret) {
          secrets[kind] = { ...secrets[kind], [key]: secret }
        },
        onLostSecret: (kind, key) => void lost.push(`${kind}.${key}`),
      })
    } finally {
      if (path !== undefined && Object.keys(secrets).length > 0)
        writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    }
    if (path !== undefined && lost.length > 0)
      throw new Problem(
        'failed',
        `${shownPath(file)} is applied, but ${named} lacks the secrets of ${lost.join(', ')}: the answers with them were lost. To get new ones, use svc webhook rotate, or set sign of a destination to false, then to true.`,
      )
  },
})

export const apply: Group = { name: 'apply', summary: 'Make the project match a file.', commands: [run] }

/** A saved plan is for one project of one service, and has its choices in it. */
function checkUse(saved: SavedPlan, options: Record<string, unknown>, { connection, projectOr }: Session): void {
  const project = projectOr(saved.project)
  const again = Object.keys(planOptions).filter((name) => options[name] === true)
  if (again.length > 0) throw usage(`--${again[0]} cannot be used with a saved plan. Pass it to svc plan.`)
  if (saved.url !== connection.url)
    throw usage(`The plan is for ${saved.url}, but the command is for ${connection.url}.`)
  if (saved.project !== project)
    throw usage(`The plan is for the project ${saved.project}, but the command is for ${project}.`)
}
