import { type Issue, type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import type { Schedule } from '../../../platform/jobs/schedule.ts'

export const maxDatasetsPerProject = 50
export const maxRows = 5_000_000
const defaultWindowDays = 90
export const dayMs = 86_400_000

export const datasetKinds = ['INTERACTIONS', 'NEIGHBOURS'] as const
export type DatasetKind = (typeof datasetKinds)[number]

/** Keys of events → how much one counts. */
export type ActionWeights = Readonly<Record<string, number>>

export const defaultActions: ActionWeights = { product_viewed: 1, added_to_cart: 3, order: 5 }

/** Which events are interactions. */
export interface Derivation {
  envId: string
  actions: ActionWeights
  windowDays: number
}

/** When a version does not go live by itself. Shares are fractions. */
export interface DatasetGuards {
  /** The share of the rows of the active version that can be gone. */
  maxRowDrop: number
  /** The share of rows whose product the catalog does not have. */
  maxUnknownShare: number
}

export const defaultGuards: DatasetGuards = { maxRowDrop: 0.5, maxUnknownShare: 0.2 }

/** What a dataset says. */
export interface DatasetContent {
  name: string
  /** Never changes. */
  kind: DatasetKind
  derivation: Derivation | null
  guards: DatasetGuards
  schedule: Schedule | null
}

/** How much time a dataset can cover. */
export const mostWindowDays = (retentionMs: number): number => Math.floor(retentionMs / dayMs)

/** A derivation as it is stored: what is not given has its default. */
export function derivationOf(
  given: { [Field in keyof Derivation]?: Derivation[Field] | undefined },
  { production, retentionMs }: { production: string | null; retentionMs: number },
): Omit<Derivation, 'envId'> & { envId: string | null } {
  const { envId, actions, windowDays } = given
  return {
    envId: envId ?? production,
    actions: actions ?? defaultActions,
    windowDays: windowDays ?? Math.min(defaultWindowDays, mostWindowDays(retentionMs)),
  }
}

/** What the fields of a dataset say about each other. */
export function refusesDataset(
  { kind, derivation, schedule }: DatasetContent,
  retentionMs: number,
): Refusal | undefined {
  const issues: Issue[] = []
  if (kind === 'NEIGHBOURS' && derivation !== null)
    issues.push({ path: ['derivation'], message: 'Only a dataset of INTERACTIONS is derived. Others are uploaded.' })
  if (kind === 'NEIGHBOURS' && schedule !== null)
    issues.push({ path: ['schedule'], message: 'Only a dataset of INTERACTIONS has a schedule.' })
  if (kind === 'INTERACTIONS' && derivation === null)
    issues.push({ path: ['derivation'], message: 'A dataset of INTERACTIONS is derived, so it cannot be null.' })
  const most = mostWindowDays(retentionMs)
  if (derivation && derivation.windowDays > most)
    issues.push({
      path: ['derivation', 'windowDays'],
      message: `Must be at most ${most}: older events are not kept (SVC_EVENT_RETENTION).`,
    })
  if (derivation && (derivation.envId as string | null) === null)
    issues.push({
      path: ['derivation', 'envId'],
      message: 'Must be given: the project has no production environment.',
    })
  return refuseIssues(issues)
}
