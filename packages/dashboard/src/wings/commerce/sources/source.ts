import type { Data } from '@svc/client'
import { api } from '../../../api.ts'
import { type Versioned, versioned } from '../../../versioned.ts'

export const sourcesPath = '/api/v1/projects/{projectId}/catalog/sources'
export const sourcePath = `${sourcesPath}/{sourceId}` as const

export type Source = Data<typeof sourcePath, 'get'>

/** `sourceId` is an id or a key. */
export const readSource = async (
  projectId: string,
  sourceId: string,
  signal?: AbortSignal,
): Promise<Versioned<Source>> =>
  versioned(await api.GET(sourcePath, { params: { path: { projectId, sourceId } }, ...(signal && { signal }) }))
