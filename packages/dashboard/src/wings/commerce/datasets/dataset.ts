import type { Data } from '@svc/client'
import { api } from '../../../api.ts'
import { type Versioned, versioned } from '../../../versioned.ts'

export const datasetsPath = '/api/v1/projects/{projectId}/datasets'
export const datasetPath = `${datasetsPath}/{datasetId}` as const
export const versionsPath = `${datasetPath}/versions` as const

export type Dataset = Data<typeof datasetPath, 'get'>
export type Version = Data<typeof versionsPath, 'get'>[number]

/** `datasetId` is an id or a key. */
export const readDataset = async (
  projectId: string,
  datasetId: string,
  signal?: AbortSignal,
): Promise<Versioned<Dataset>> =>
  versioned(await api.GET(datasetPath, { params: { path: { projectId, datasetId } }, ...(signal && { signal }) }))
