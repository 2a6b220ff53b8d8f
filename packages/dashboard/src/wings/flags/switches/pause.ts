import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { setAgain } from '../schedules/schedule-queries.ts'

interface FlagInPlace {
  projectId: string
  /** Its key or its id. */
  flagId: string
  envId: string
}

export const run = (path: FlagInPlace) =>
  api.POST('/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/run', { params: { path, header: onlyOnce() } })

/** Pauses a flag. Returns what runs it again, with the schedules that the pause has suspended. */
export async function pause(path: FlagInPlace): Promise<() => Promise<void>> {
  const { data } = await api.POST('/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/pause', {
    params: { path, header: onlyOnce() },
  })
  const { suspendedSchedules } = data!.data
  return async () => {
    await run(path)
    await setAgain(path.projectId, suspendedSchedules)
  }
}
