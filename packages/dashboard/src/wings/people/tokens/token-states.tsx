import { Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import classes from './token-states.module.css'

export type ServiceToken = Data<'/api/dashboard/service-tokens', 'get'>[number]

const states: Record<ServiceToken['status'], { tone: 'good' | 'note' | 'warning' | 'bad'; label: string }> = {
  ACTIVE: { tone: 'good', label: 'Active' },
  EXPIRING: { tone: 'warning', label: 'Expires soon' },
  EXPIRED: { tone: 'bad', label: 'Expired' },
  REVOKED: { tone: 'bad', label: 'Revoked' },
  PREVIOUS_SECRET: { tone: 'warning', label: 'Previous secret' },
}

export function TokenStatus({ status }: Pick<ServiceToken, 'status'>) {
  const { tone, label } = states[status]
  return <StatusBadge tone={tone}>{label}</StatusBadge>
}

export const isOver = ({ status }: Pick<ServiceToken, 'status'>) => status === 'EXPIRED' || status === 'REVOKED'

/** When a token expires or expired, or was revoked. */
export function TokenExpiry({ expiresAt, revokedAt }: Pick<ServiceToken, 'expiresAt' | 'revokedAt'>) {
  if (revokedAt)
    return (
      <span>
        Revoked <RelativeTime time={revokedAt} />
      </span>
    )
  return <RelativeTime time={expiresAt} never="Never" />
}

/** When, from where and by which program a secret was last used. */
export function LastUse(token: Pick<ServiceToken, 'lastUsedAt' | 'lastUsedIp' | 'lastUsedUserAgent'>) {
  return (
    <div>
      <RelativeTime time={token.lastUsedAt} never="Not used yet" />
      {token.lastUsedAt && (
        <Text size="xs" c="dimmed" className={classes.program ?? ''} title={token.lastUsedUserAgent ?? undefined}>
          {[token.lastUsedIp, token.lastUsedUserAgent].filter(Boolean).join(' · ')}
        </Text>
      )}
    </div>
  )
}
