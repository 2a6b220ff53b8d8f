import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { pause } from '../switches/pause.ts'

interface FlagToArchive {
  projectId: string
  /** Its key or its id. */
  flagId: string
  /** Where it runs. */
  envIds: readonly string[]
}

export interface Archive {
  /** Pauses the flag where it runs, then archives it. If that is refused, it runs again. A second try goes on. */
  act: () => Promise<void>
  /** Restores it, and runs it again where it ran, with its schedules. */
  undo: () => Promise<void>
}

/** A flag that runs cannot be archived, so it is paused first. */
export function archiveOf({ projectId, flagId, envIds }: FlagToArchive): Archive {
  /** What runs it again, by environment. */
  const paused = new Map<string, () => Promise<void>>()
  const path = { projectId, flagId }
  const runAgain = async () => {
    for (const [envId, run] of paused) {
      await run()
      paused.delete(envId)
    }
  }
  return {
    async act() {
      try {
        for (const envId of envIds) if (!paused.has(envId)) paused.set(envId, await pause({ ...path, envId }))
        await api.POST('/api/v1/projects/{projectId}/flags/{flagId}/archive', {
          params: { path, header: onlyOnce() },
        })
      } catch (error) {
        await runAgain()
        throw error
      }
    },
    async undo() {
      await api.POST('/api/v1/projects/{projectId}/flags/{flagId}/unarchive', {
        params: { path, header: onlyOnce() },
      })
      await runAgain()
    },
  }
}
