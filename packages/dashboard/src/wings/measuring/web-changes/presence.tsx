import { ApiError } from '@svc/client'
import { useEffect } from 'react'
import { api } from '../../../api.ts'
import { notePresence, usePresent } from '../../../shell/live/presence.ts'
import { useSession } from '../../../shell/session.ts'
import { allOf } from '../../../ui/words/lists.ts'
import type { Experiment } from '../experiments/experiment.ts'
import type { VariationPath } from './change-set.ts'

const presencePath = '/api/dashboard/projects/{projectId}/experiments/{experimentId}/presence'
const everyMs = 20_000

/** Says every 20 seconds that this person edits the variation, and hears who else does. */
export function useSayPresence({ projectId, experimentId, variationKey }: VariationPath, isEditing: boolean): void {
  useEffect(() => {
    if (!isEditing) return
    let isOver = false
    const say = async (leaving: boolean) => {
      const params = { path: { projectId, experimentId } }
      const body = { variationKey, place: 'FORM', leaving } as const
      try {
        const { data } = await api.POST(presencePath, { params, body, keepalive: leaving })
        if (!isOver) notePresence({ experimentId, people: data!.data.people })
      } catch (error) {
        // Presence is an extra: what fails is said again later, or never if the experiment is gone.
        if (error instanceof ApiError && error.status === 404) clearInterval(timer)
      }
    }
    const timer = setInterval(() => void say(false), everyMs)
    void say(false)
    return () => {
      isOver = true
      clearInterval(timer)
      void say(true)
    }
  }, [projectId, experimentId, variationKey, isEditing])
}

/** "Grace edits With price, Bo edits it in the visual editor": who else is at the experiment. */
export function Present({ experiment }: { experiment: Pick<Experiment, 'id' | 'variations'> }) {
  const { user } = useSession()
  const people = usePresent(experiment.id).filter(({ userId }) => userId !== user.id)
  const nameOf = (key: string) => experiment.variations.find((each) => each.key === key)?.name ?? key
  if (people.length === 0) return null
  return (
    <div role="status">
      {allOf(
        people.map(
          ({ name, variationKey, place }) =>
            `${name} is editing ${nameOf(variationKey)}${place === 'EDITOR' ? ' in the visual editor' : ''}`,
        ),
        3,
      )}
      .
    </div>
  )
}
