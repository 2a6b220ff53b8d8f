import { IconCloudOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLostAt } from '../../api/connection.ts'
import { clockTime } from '../../ui/time/dates.ts'
import classes from './offline-bar.module.css'

const betweenTriesMs = 5_000

/** Says that the page may be out of date while the service does not answer, and asks again until it does. */
export function OfflineBar() {
  const lostAt = useLostAt()
  const client = useQueryClient()
  useEffect(() => {
    if (!lostAt) return undefined
    const timer = setInterval(() => void client.refetchQueries({ type: 'active' }), betweenTriesMs)
    return () => clearInterval(timer)
  }, [lostAt, client])
  return (
    <div role="status" className={classes.bar}>
      {lostAt && (
        <>
          <IconCloudOff size={16} aria-hidden />
          Offline since {clockTime(lostAt)}. This is the last known state.
        </>
      )}
    </div>
  )
}
