import type { TablerIcon } from '@tabler/icons-react'

const list = '/api/v1/projects/{projectId}/webhooks'
const one = `${list}/{webhookId}` as const
const deliveries = `${one}/deliveries` as const
const delivery = `${deliveries}/{deliveryId}` as const
const pageOfOne = '/$org/$project/integrations/webhooks/$webhook'
const pageOfAll = '/$org/$project/integrations/webhooks'

/**
 * What sends deliveries: webhooks, or destinations of other kinds. Their routes take and answer the same, so the paths
 * of both have the type of those of webhooks.
 */
export interface SenderKind {
  noun: 'webhook' | 'destination'
  Icon: TablerIcon
  /** The scope that reads them, and the one that changes them. */
  scopes: { read: string; write: string }
  /** What a test is called. */
  test: string
  /** What happens to events while one is off. */
  whileOff: string
  /** What is gone with one, and what stays. */
  deleted: string
  paths: { list: typeof list; one: typeof one; deliveries: typeof deliveries; delivery: typeof delivery }
  /** The parameters of the paths. */
  at: (projectId: string, id: string) => { projectId: string; webhookId: string }
  deliveryAt: (
    projectId: string,
    id: string,
    deliveryId: string,
  ) => { projectId: string; webhookId: string; deliveryId: string }
  pages: { all: typeof pageOfAll; one: typeof pageOfOne; params: (id: string) => { webhook: string } }
}

/** One of them, as far as both kinds have the same fields. */
export interface SenderContent {
  id: string
  name: string
  enabled: boolean
  disableReason: string | null
  disabledAt: string | null
  consecutiveFailures: number
  /** Deliveries that are tried again. */
  retrying: number
  events: string[]
  createdAt: string
}

export interface Sender extends SenderContent {
  kind: SenderKind
  /** Where a webhook sends its requests. Other kinds have no address to show. */
  url?: string
  /** How long each retry waits, if it is known. */
  retryDelaysMs?: readonly number[]
}

/** Read again after a write to one. */
export const pathsOf = ({ paths }: SenderKind): string[] => Object.values(paths)
