import type { ApiError } from '@svc/client'
import { counted } from '../../../ui/words/lists.ts'

/** What `reassignment_unconfirmed` says of visitors who were counted. */
export function movedWords({ visitors }: ApiError['details']): string {
  if (typeof visitors !== 'number') return 'Visitors who were counted get another variation.'
  return `About ${counted(visitors, 'counted visitor')} ${visitors === 1 ? 'gets' : 'get'} another variation.`
}
