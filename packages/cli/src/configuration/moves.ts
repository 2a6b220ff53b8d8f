import type { Connection } from '../service/connection.ts'
import { type Preview, previewLines } from '../values/visitors.ts'
import { draftBody } from './apply.ts'
import type { Wanted } from './file.ts'
import type { Plan } from './plan.ts'
import { projectPath, type State } from './state.ts'

/** The visitors who get a different variation when a plan is published in an environment. */
export interface Moves {
  env: string
  preview: Preview
  /** Flags whose drafts cannot be evaluated yet. */
  notCounted: { key: string; why: string }[]
}

interface Asking {
  connection: Connection
  project: string
  wanted: Wanted
  state: State
  plan: Plan
}

/** Asks the service who moves. It stages nothing. */
export async function movesOf(
  { connection, project, wanted, state, plan }: Asking,
  visitors: unknown,
): Promise<Moves[]> {
  const missing = new Set(
    plan.changes.flatMap(({ action, kind, key }) =>
      action === 'create' && kind !== 'flags' && kind !== 'rules' ? [key] : [],
    ),
  )
  const changed = (key: string, field: string) =>
    plan.changes.some(
      (change) => change.kind === 'flags' && change.key === key && change.fields.some(({ path }) => path === field),
    )
  const moves: Moves[] = []
  for (const { env, flags } of plan.publishes) {
    // An environment that the plan creates has no visitors yet.
    if (!Object.hasOwn(state.objects.environments, env)) continue
    const notCounted: Moves['notCounted'] = []
    const isThere = (key: string) => Object.hasOwn(state.flags, key)
    const drafts = plan.changes.flatMap((change) => {
      if (change.action !== 'draft' || change.env !== env || !isThere(change.key)) return []
      const body = draftBody({ wanted, state }, change.key, env)
      const named = nameIn(body.rules, missing)
      const why = changed(change.key, 'variations')
        ? 'its variations change, too'
        : named && `it names ${named}, which the plan creates`
      if (!why) return [{ flagId: change.key, ...body }]
      notCounted.push({ key: change.key, why })
      return []
    })
    const audiences = plan.changes.flatMap(({ action, kind, key, fields }) =>
      fields.flatMap(({ path, to }) => {
        const isEdit = action === 'update' && kind === 'audiences' && path === 'conditions'
        return isEdit && nameIn(to, missing) === undefined ? [{ audienceId: key, conditions: to }] : []
      }),
    )
    const response = await connection.send(
      'POST',
      `${projectPath(project)}/environments/${encodeURIComponent(env)}/drafts/preview`,
      {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ visitors, drafts, audiences, flagIds: flags?.filter(isThere) ?? null }),
      },
    )
    const { data } = (await response.json()) as { data: Preview }
    moves.push({ env, preview: data, notCounted })
  }
  return moves
}

const naming = ['audience', 'segment', 'audienceIds', 'exclusionGroupId', 'holdoutId', 'metrics']

/** The first of these keys that rules or conditions name. */
function nameIn(value: unknown, keys: ReadonlySet<string>, isName = false): string | undefined {
  if (typeof value === 'string') return isName && keys.has(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [field, each] of Object.entries(value)) {
    const found = nameIn(each, keys, isName || naming.includes(field))
    if (found !== undefined) return found
  }
  return undefined
}

/** Who moves, as lines for people. */
export const linesOfMoves = (moves: readonly Moves[]): string[] =>
  moves.flatMap(({ env, preview, notCounted }) => [
    '',
    `Visitors of ${env}: ${previewLines(preview)[0]}`,
    ...previewLines(preview)
      .slice(1)
      .map((line) => `  ${line}`),
    ...notCounted.map(({ key, why }) => `! flag ${key} is not counted: ${why}`),
  ])
