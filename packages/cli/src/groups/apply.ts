import { writeFileSync } from 'node:fs'
import { command, type Group } from '../command.ts'
import { applyPlan } from '../configuration/apply.ts'
import { Problem } from '../problem.ts'
import { choicesOf, makePlan, planOptions, showPlan } from './plan.ts'

const run = command({
  name: 'apply',
  summary: 'Make the project what a file says.',
  about:
    'It plans, asks, and acts: what changes in an environment is published in one revision. An interrupted run is completed by the next one.',
  args: ['FILE'],
  options: {
    ...planOptions,
    stage: { about: 'Stop before the publish: somebody reviews in the dashboard.' },
    'confirm-reassignment': { about: 'Give visitors of running tests other variations where the file says so.' },
    comment: { value: 'TEXT', about: 'Why; it stands in the revisions. Default: svc apply and the commit.' },
    'secrets-out': { value: 'FILE', about: 'Write the signing secrets of created webhooks into a new file.' },
  },
  examples: ['svc apply svc.yaml', 'svc apply svc.yaml --yes --stage'],
  async run({ args, options, session }) {
    const { output, prompt, connection, project, world } = session
    const { wanted, state, plan } = await makePlan(session, args.FILE, choicesOf(options))
    showPlan(plan, args.FILE, session)
    if (plan.conflicts.length > 0)
      throw new Problem('conflict', `${args.FILE} is in conflict with the project. Nothing was done.`)
    if (plan.summary === 'No changes.') return
    await prompt.confirm(`Apply this to ${project}?`)
    const commit = (world.env.GITHUB_SHA ?? world.env.CI_COMMIT_SHA ?? '').slice(0, 7)
    const secrets: Record<string, string> = {}
    try {
      await applyPlan({
        ...{ connection, project, wanted, state, plan },
        comment: options.comment ?? ['svc apply', commit].filter(Boolean).join(' '),
        stage: options.stage === true,
        confirmReassignment: options['confirm-reassignment'] === true,
        onStep: (text) => output.say(text),
        onSecret(key, secret) {
          secrets[key] = secret
        },
      })
    } finally {
      const path = options['secrets-out']
      if (path !== undefined && Object.keys(secrets).length > 0)
        writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    }
  },
})

export const apply: Group = { name: 'apply', summary: 'Make the project what a file says.', commands: [run] }
