import type { Environment } from '../../../shell/place.ts'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { statusOf } from '../../../ui/status/status-words.ts'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { connectionOf } from './connection.ts'

/** Whether SDKs use an environment, in words. */
export function ConnectionWords({ environment: { lastHeartbeatAt } }: { environment: Environment }) {
  const connection = connectionOf(lastHeartbeatAt, useNow())
  const { tone, words } = statusOf('environment', connection)
  return (
    <StatusDot tone={tone}>
      {words}
      {connection === 'SILENT' && (
        <>
          {' '}
          for <Time time={lastHeartbeatAt} isShort />
        </>
      )}
    </StatusDot>
  )
}
