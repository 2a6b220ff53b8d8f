import { Text } from '@mantine/core'
import classes from './last-use.module.css'
import { Time } from './time.tsx'

/** When, from where and by which program a secret was last used. */
interface Use {
  lastUsedAt: string | null
  lastUsedIp: string | null
  lastUsedUserAgent: string | null
}

/** The last use of a secret, for a table. */
export function LastUse({ lastUsedAt, lastUsedIp, lastUsedUserAgent }: Use) {
  return (
    <div>
      <Time time={lastUsedAt} never="Not used yet" />
      {lastUsedAt && (
        <Text size="xs" c="dimmed" className={classes.program ?? ''} title={lastUsedUserAgent ?? undefined}>
          {[lastUsedIp, lastUsedUserAgent].filter(Boolean).join(' · ')}
        </Text>
      )}
    </div>
  )
}

/** What still uses a secret, as a sentence for the dialogs that end it. */
export function StillUsed({ use, never }: { use: Use; never: string }) {
  if (!use.lastUsedAt) return never
  const program = use.lastUsedUserAgent && ` by ${use.lastUsedUserAgent}`
  const address = use.lastUsedIp && ` from ${use.lastUsedIp}`
  return (
    <span className={classes.facts ?? ''}>
      Last used <Time time={use.lastUsedAt} />
      {program}
      {address}.
    </span>
  )
}
