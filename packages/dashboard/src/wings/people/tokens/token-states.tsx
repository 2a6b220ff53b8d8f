import type { Data } from '@svc/client'
import { Status, StatusBadge } from '../../../ui/status/status-badge.tsx'
import { Time } from '../../../ui/time/time.tsx'

export type ServiceToken = Data<'/api/dashboard/service-tokens', 'get'>[number]

export function TokenStatus({ status }: Pick<ServiceToken, 'status'>) {
  return status === 'PREVIOUS_SECRET' ? (
    <StatusBadge tone="warning">Old secret</StatusBadge>
  ) : (
    <Status of="token" value={status} />
  )
}

export const isOver = ({ status }: Pick<ServiceToken, 'status'>) => status === 'EXPIRED' || status === 'REVOKED'

/** When a token expires or expired, or was revoked. */
export function TokenExpiry({ expiresAt, revokedAt }: Pick<ServiceToken, 'expiresAt' | 'revokedAt'>) {
  if (revokedAt)
    return (
      <span>
        Revoked <Time time={revokedAt} />
      </span>
    )
  return <Time time={expiresAt} never="Never" />
}
