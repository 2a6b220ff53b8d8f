import { lazy, Suspense, useState } from 'react'
import { usePlace } from '../../../shell/place.ts'
import { useSession } from '../../../shell/session.ts'
import { isFinished } from './checklist.ts'
import classes from './first-steps.module.css'

const ChecklistCard = lazy(async () => ({ default: (await import('./checklist-card.tsx')).ChecklistCard }))

/** The checklist for new people. Others do not load its code. */
export function FirstSteps({ isRunning }: { isRunning: boolean }) {
  const { project } = usePlace()
  const { user } = useSession()
  const [isHidden, setIsHidden] = useState(() => isFinished(user.id, project.id))
  if (isHidden) return null
  return (
    <div className={classes.room}>
      <Suspense>
        <ChecklistCard isRunning={isRunning} onFinish={() => setIsHidden(true)} />
      </Suspense>
    </div>
  )
}
