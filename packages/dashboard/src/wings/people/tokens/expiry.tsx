import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { Time } from '../../../ui/time/time.tsx'

/** When a token expires, or that it has. */
export function Expiry({ expiresAt, isExpired }: { expiresAt: string | null; isExpired: boolean }) {
  if (isExpired) return <StatusBadge tone="bad">Expired</StatusBadge>
  return <Time time={expiresAt} />
}
