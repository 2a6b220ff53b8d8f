import type { Data } from '@svc/client'
import { counted } from '../../../ui/words/lists.ts'
import { ordersIn, ordersInWords, syncIn, syncInWords } from './sync-result.ts'

export type Job = Data<'/api/v1/projects/{projectId}/commerce/jobs/{jobId}', 'get'>

export const jobsPath = '/api/v1/projects/{projectId}/commerce/jobs'

/** How often a job that has not ended is read again. */
export const readMs = 2000

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean => status === 'QUEUED' || status === 'RUNNING'

/** The state of a job in words: a run that has ended well can still serve nobody, because it is no better. */
export const stateOf = ({ kind, status, result }: Pick<Job, 'kind' | 'status' | 'result'>) =>
  kind === 'recommendation_run' && status === 'SUCCEEDED' && result?.activated === false ? 'NOT_LIVE' : status

/** Nobody has the file of an upload any more, so it is sent again. */
export const isSent = ({ trigger }: Pick<Job, 'trigger'>): boolean => trigger === 'UPLOAD'

export const canRetry = (job: Pick<Job, 'status' | 'trigger'>): boolean =>
  (job.status === 'FAILED' || job.status === 'CANCELLED') && !isSent(job)

const kinds: Record<string, string> = {
  feed_sync: 'Sync',
  catalog_import: 'Import of products',
  cost_sync: 'Costs',
  stock_sync: 'Stock',
  order_import: 'Import of orders',
  dataset_refresh: 'Dataset',
  recommendation_run: 'Model',
  catalog_restore: 'Catalog restored',
  catalog_removal: 'Removal of items',
  visitor_erasure: 'Erasure of visitors',
}

/** What a job does, for people. */
export const kindName = (kind: string): string => kinds[kind] ?? kind.replaceAll('_', ' ')

/** The name of a job for people. Those of the project itself are named by what they do alone. */
export const jobName = ({ kind, source }: Pick<Job, 'kind' | 'source'>): string =>
  kind === 'visitor_erasure' || kind === 'catalog_restore' ? kindName(kind) : `${kindName(kind)}: ${source.name}`

const triggers: Record<Job['trigger'], string> = {
  SCHEDULE: 'by its schedule',
  REQUEST: 'on request',
  UPLOAD: 'with a file that was sent',
}

export const triggerInWords = (trigger: Job['trigger']): string => triggers[trigger]

/** What a job is about. The job of a project itself is about nothing else, and a removal about what is gone. */
export function aboutOf({ kind }: Pick<Job, 'kind'>): 'source' | 'dataset' | 'model' | 'catalog' | undefined {
  if (kind === 'dataset_refresh') return 'dataset'
  if (kind === 'recommendation_run') return 'model'
  if (kind === 'catalog_restore') return 'catalog'
  return ofSources.includes(kind) ? 'source' : undefined
}

const ofSources = ['feed_sync', 'catalog_import', 'cost_sync', 'stock_sync', 'order_import']

/** What a job has done, in a sentence. Undefined if that is not known. */
export function resultInWords({ kind, status, result }: Pick<Job, 'kind' | 'status' | 'result'>): string | undefined {
  const sync = syncIn({ kind, result })
  if (sync) return syncInWords(sync, status)
  const orders = ordersIn({ kind, result })
  if (orders) return ordersInWords(orders, status)
  if (result && kind === 'recommendation_run') return runInWords(result as unknown as RunResult)
  if (result && kind === 'dataset_refresh') return refreshInWords(result as unknown as RefreshResult, status)
  if (!result || kind !== 'visitor_erasure') return undefined
  const { visitors, rules } = result as { visitors: number; rules: number }
  const where =
    rules === 0 ? 'No test had counted them.' : `They were renamed in the results of ${counted(rules, 'rule')}.`
  return `${counted(visitors, 'visitor')} erased. ${where}`
}

interface RunResult {
  runNumber: number
  activated: boolean
  products: number
  reason: string | null
}

const runInWords = ({ runNumber, activated, products, reason }: RunResult): string =>
  activated
    ? `Run ${runNumber} went live with ${counted(products, 'product')}.`
    : `Run ${runNumber} did not go live. ${reason ?? ''}`.trim()

interface RefreshResult {
  changed: boolean
  number: number | null
  rows: number
}

function refreshInWords({ changed, number, rows }: RefreshResult, status: Job['status']): string {
  if (!changed) return `Nothing has changed: ${counted(rows, 'row')} as before.`
  return status === 'HELD'
    ? `Version ${number} has ${counted(rows, 'row')} and did not go live.`
    : `Version ${number} went live with ${counted(rows, 'row')}.`
}

/** Where people have configured an erased visitor, which an erasure does not change. */
export interface Naming {
  segments: { id: string; name: string }[]
  /** Of a flag, or of a web experiment. */
  allowlists: {
    flagId: string | null
    flagKey: string | null
    experiment?: { id: string; shortId: number; name: string } | null
    envId: string
    envName: string
  }[]
}

export function namingOf({ kind, result }: Pick<Job, 'kind' | 'result'>): Naming | undefined {
  if (kind !== 'visitor_erasure' || !result) return undefined
  const { segments, allowlists } = result as unknown as Naming
  return segments.length + allowlists.length > 0 ? { segments, allowlists } : undefined
}
