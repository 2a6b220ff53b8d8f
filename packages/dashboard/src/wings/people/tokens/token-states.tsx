import { Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { Status, StatusBadge } from '../../../ui/status/status-badge.tsx'
import { Time } from '../../../ui/time/time.tsx'
import classes from './token-states.module.css'

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

/** When, from where and by which program a secret was last used. */
export function LastUse(token: Pick<ServiceToken, 'lastUsedAt' | 'lastUsedIp' | 'lastUsedUserAgent'>) {
  return (
    <div>
      <Time time={token.lastUsedAt} never="Not used yet" />
      {token.lastUsedAt && (
        <Text size="xs" c="dimmed" className={classes.program ?? ''} title={token.lastUsedUserAgent ?? undefined}>
          {[token.lastUsedIp, token.lastUsedUserAgent].filter(Boolean).join(' · ')}
        </Text>
      )}
    </div>
  )
}

/** What still uses a secret, as a sentence for the dialogs that end it. */
export function StillUsed({ token, never }: { token: ServiceToken; never: string }) {
  if (!token.lastUsedAt) return never
  const program = token.lastUsedUserAgent && ` by ${token.lastUsedUserAgent}`
  const address = token.lastUsedIp && ` from ${token.lastUsedIp}`
  return (
    <span className={classes.facts ?? ''}>
      Last used <Time time={token.lastUsedAt} />
      {program}
      {address}.
    </span>
  )
}
